import type { Note } from '../../src/domain/note.ts';
import type { Prose } from './prose.ts';
import type { Random } from './random.ts';

const kinds = ['decision', 'rule', 'fact', 'knowledge', 'fix'] as const;

/** A note as a person might write it, with an id and text made unique by `number`. */
export function sampleNote(number: number, prose: Prose, random: Random): Note {
  const at = new Date(Date.UTC(2026, 9, 1) + number * 3_600_000).toISOString();
  const title = `Note ${number} about the ${random.pick(['queue', 'index', 'parser', 'release', 'cache'])}`;
  return {
    id: `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    kind: random.pick(kinds),
    title,
    state: 'active',
    trust: 3,
    pinned: number % 5 === 0,
    concepts: [],
    files: [],
    created: at,
    updated: at,
    rev: 1,
    parents: [],
    author: 'tester',
    visibility: 'private',
    validFrom: at,
    validTo: '',
    derivedFrom: [],
    text: `${title}\n\n${prose.take(random.size(80, 2_000), random)}`.trim(),
  };
}
