import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import { queryTerms } from '../../text/words.ts';
import { matchesNote, matchesSnapshotPart } from './forget-request.ts';
import { closedBy, contradictions, findClosed, findSame } from './note-lifecycle.ts';

const words = [
  'wrap',
  'errors',
  'storage',
  'package',
  'deploy',
  'friday',
  'cache',
  'token',
  'queue',
  'floats',
];
const noteOf = (text: string): Note => aNote({ kind: 'decision', state: 'active', text });

/** Reference implementation: compares all notes with all. */
function byComparingAll(notes: Note[]): string[] {
  const terms = notes.map(({ text }) => new Set(queryTerms(text).terms));
  const isNo = ({ text }: Note) => text.startsWith('never');
  return notes.flatMap((one, at) =>
    notes.flatMap((other, then) => {
      const [a, b] = [terms[at] as Set<string>, terms[then] as Set<string>];
      const shared = [...a].filter((term) => b.has(term)).length;
      const isPair = then > at && isNo(one) !== isNo(other) && shared / (a.size + b.size - shared) >= 0.5;
      return isPair ? [`${one.id} ${other.id}`] : [];
    }),
  );
}

describe('contradictions', () => {
  it('are the same as by comparing all notes with all, in the same order', () => {
    const text = fc
      .tuple(
        fc.constantFrom('always', 'never'),
        fc.uniqueArray(fc.constantFrom(...words), { minLength: 2, maxLength: 6 }),
      )
      .map(([start, rest]) => `${start} ${rest.join(' ')}`);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 25 }), (texts) => {
        const notes = texts.map((own) => noteOf(own));
        expect(contradictions(notes).map(([one, other]) => `${one.id} ${other.id}`)).toEqual(
          byComparingAll(notes),
        );
      }),
    );
  });
});

describe('a statement', () => {
  const limit = (size: string): Note => noteOf(`files for upload are limited to ${size}`);

  it('is not the same as one with another number', () => {
    const known = [limit('10 MB')];
    expect(findSame({ ...limit('10 MB'), id: 'again' }, known)).toBe(known[0]);
    expect(findSame(limit('25 MB'), known)).toBeUndefined();
  });

  it('that was closed is found for what was said before, and for the words of an agent', () => {
    const closed: Note = { ...limit('10 MB'), state: 'superseded', validTo: '2026-11-10T00:00:00.000Z' };
    const said = (day: string, more: Partial<Note> = {}): Note => ({
      ...limit('10 MB'),
      id: 'another',
      trust: 2,
      validFrom: `2026-11-${day}T00:00:00.000Z`,
      ...more,
    });
    expect(findClosed(said('01'), [closed])).toBe(closed);
    expect(findClosed(said('20'), [closed])).toBeUndefined();
    expect(findClosed(said('20', { trust: 1 }), [closed])).toBe(closed);
    expect(findClosed(said('01', { text: limit('25 MB').text }), [closed])).toBeUndefined();
  });
});

describe('a decision', () => {
  const earlier = (text: string): Note => ({
    ...noteOf(text),
    trust: 2,
    validFrom: '2026-10-01T00:00:00.000Z',
  });
  const later = (text: string): Note => ({
    ...noteOf(text),
    trust: 2,
    validFrom: '2026-11-01T00:00:00.000Z',
  });

  it.each([
    ['go with cron for the nightly run', 'we moved the nightly run from cron to airflow'],
    ['postgres instead of redis for the queue', 'sqs instead of postgres for the queue'],
  ])('[note-superseded] supersedes a note that states what it abandons: %s', (old, fresh) => {
    expect(closedBy(later(fresh), [earlier(old)])).toHaveLength(1);
  });

  it.each([
    [
      'the same, said earlier in other words',
      "let's use postgres for the job queue instead of redis streams",
      'use postgres for the job queue under load instead of redis streams, jobs must commit together',
    ],
    [
      'what shares a word with it by chance',
      'use postgres with skip locked for the job queue instead of redis streams',
      'use an idempotency key for payment retries instead of a lock in redis, it expired under load',
    ],
    [
      'what was said while the same was worked on',
      'read flags from a file at start\nWhile working on: the nightly import is slow',
      'synonyms come from a table instead of a file\nWhile working on: the nightly import is slow',
    ],
    [
      'what its own piece of work let go',
      'keep the last item of a page\nWhile working on: paging',
      'go with cursors for paging\nWhile working on: the list dropped the last item',
    ],
  ])('does not supersede %s', (_, old, fresh) => {
    expect(closedBy(later(fresh), [earlier(old)])).toEqual([]);
  });
});

describe('a forget request for a note', () => {
  it('also matches the code it refers to, by path or by symbol', () => {
    const anchors = ['src/acquisition/target.ts:3-9 mergeWithRival @1a2b3c4d5e6f'];
    const note = { ...noteOf('rows go in batches'), anchors };
    const matches = (containing: string) => matchesNote(note, { ids: [], containing });
    expect(['src/acquisition', 'mergeWithRival', 'in batches', 'elsewhere'].map(matches)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('a forget request for a snapshot', () => {
  it('matches text, not field names or ids', () => {
    const part = {
      id: 'deadbeef',
      kind: 'command',
      path: 'src/queue.ts',
      text: 'keep "postgres"\nhere',
      agent: 'codex',
    };
    const matches = (containing: string) => matchesSnapshotPart(part, { ids: [], containing });
    expect(['postgres"\nhere', 'queue.ts'].map(matches)).toEqual([true, true]);
    expect(['path', 'command', 'deadbeef', 'codex', 'agent'].map(matches)).toEqual(Array(5).fill(false));
    expect(matchesSnapshotPart(part, { ids: [], words: 'text path' })).toBe(false);
    expect(matchesSnapshotPart('the goal', { ids: [], words: 'goal' })).toBe(true);
  });
});
