import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { type Note, teamOrigin } from '../../domain/note.ts';
import { matchesNote, matchesSnapshotPart } from './forget-request.ts';
import { addEvidence, findClosed, findSame, isExpired } from './note-lifecycle.ts';

const noteOf = (text: string): Note => aNote({ kind: 'decision', state: 'active', text });

it("a candidate expires after 90 days, also an agent's, but not one of the user, a teammate or a pinned one", () => {
  const candidate: Note = { ...noteOf('x'), author: 'claude-code', state: 'candidate', trust: 1 };
  const isOver = (days: number, more: Partial<Note> = {}): boolean =>
    isExpired({ ...candidate, ...more }, 0, Date.parse(candidate.updated) + days * 86_400_000);
  expect([isOver(91), isOver(89)]).toEqual([true, false]);
  const kept: Partial<Note>[] = [
    { trust: 3 },
    { state: 'active' },
    { pinned: true },
    { derivedFrom: [teamOrigin('bob')] },
  ];
  expect(kept.map((more) => isOver(400, more))).toEqual([false, false, false, false]);
});

describe('a statement', () => {
  const limit = (size: string): Note => noteOf(`files for upload are limited to ${size}`);

  it('is not the same as one with another number', () => {
    const known = [limit('10 MB')];
    expect(findSame({ ...limit('10 MB'), id: 'again' }, known)).toBe(known[0]);
    expect(findSame(limit('25 MB'), known)).toBeUndefined();
  });

  it('is the same as one with the same words, whatever its kind, case and punctuation', () => {
    const known = noteOf('Use Postgres for the job queue.');
    const same: Note = { ...noteOf('use postgres, for the job queue!'), kind: 'rule' };
    expect(findSame(same, [known])).toBe(known);
    expect(findSame(same, [{ ...known, state: 'superseded' }])).toBeUndefined();
  });

  it.each([
    ['one word more', 'please use postgres for the job queue'],
    ['another order', 'for the job queue use postgres'],
    ['another form of a word', 'use postgres for the job queues'],
    ['the opposite', 'never use postgres for the job queue'],
  ])('is not the same as one with %s', (_, text) => {
    expect(findSame(noteOf(text), [noteOf('use postgres for the job queue')])).toBeUndefined();
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

describe('a statement that is made again', () => {
  const candidate: Note = { ...noteOf('Use tabs.'), state: 'candidate', trust: 1, derivedFrom: ['one a'] };
  const again = (from: string, more: Partial<Note> = {}): Note => ({
    ...noteOf('use tabs'),
    id: 'again',
    trust: 1,
    derivedFrom: [from],
    ...more,
  });

  it('[note-repeat] adds its evidence, and makes a candidate active only if it needs no review itself', () => {
    const waits = { state: 'candidate' } as const;
    expect(addEvidence(candidate, again('one a', waits))).toBeUndefined();
    expect(addEvidence(candidate, again('two b', waits))).toEqual({ derivedFrom: ['one a', 'two b'] });
    expect(addEvidence(candidate, again('two c'))).toEqual({
      derivedFrom: ['one a', 'two c'],
      state: 'active',
    });
  });

  it("has the user's words from then on if an agent stated it first", () => {
    expect(addEvidence(candidate, again('one b', { trust: 2 }))).toMatchObject({
      text: 'use tabs',
      trust: 2,
      state: 'active',
    });
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
