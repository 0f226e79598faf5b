import type { EventEnvelope } from '../domain/event.ts';
import { isFromRepository, isWithheld, type Note } from '../domain/note.ts';
import type { Decision } from '../domain/snapshot.ts';
import { harmlessLine } from '../text/fence.ts';
import { compare } from './actions.ts';

const maxLength = 300;
const maxNotes = 8;
const maxOpenEnds = 4;
const lasting: Note['kind'][] = ['decision', 'rule', 'knowledge', 'failed'];

/** The notes that apply to a work session: what the user wrote or approved, newest first, then what is left to do. */
export function decisionsFor(events: EventEnvelope[], notes: Note[]): Decision[] {
  const touched = new Set(events.flatMap((event) => (event.kind === 'edit' ? [event.body.path] : [])));
  const concerns = ({ files }: Note): number => Number(files.some((file) => touched.has(file)));
  const settled = notes.filter((note) => note.state === 'active' && note.trust >= 2 && !isWithheld(note));
  const noted = settled
    .filter(({ kind, pinned }) => pinned || lasting.includes(kind))
    .filter(({ kind }) => kind !== 'open')
    // General knowledge about the project is not specific to this work. It is left out unless pinned.
    .filter((note) => note.pinned || !(note.kind === 'knowledge' && isFromRepository(note)))
    .sort(
      (a, b) =>
        concerns(b) - concerns(a) || Number(b.pinned) - Number(a.pinned) || compare(b.updated, a.updated),
    )
    .slice(0, maxNotes)
    .map(decisionOf);
  const open = settled
    .filter(({ kind }) => kind === 'open')
    .sort((a, b) => compare(b.updated, a.updated))
    .slice(0, maxOpenEnds)
    .map(decisionOf);
  return distinct([...noted, ...open]).map((decision) => ({
    ...decision,
    text: harmlessLine(decision.text, maxLength),
  }));
}

function decisionOf(note: Note): Decision {
  const { id, updated, text, kind } = note;
  const about = kind === 'open' ? 'open-end' : kind === 'failed' ? kind : undefined;
  return { ...(about === undefined ? {} : { about }), at: updated, text, source: id };
}

function distinct(decisions: Decision[]): Decision[] {
  const seen = new Set<string>();
  return decisions.filter(({ text }) => {
    const key = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
    return !seen.has(key) && seen.add(key);
  });
}
