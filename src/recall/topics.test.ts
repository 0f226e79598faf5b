import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Search } from './gather.ts';
import type { Ranked } from './rank.ts';
import { topicsFirst } from './topics.ts';
import { nothingUnindexed } from './unindexed-events.ts';

const ranked = (id: string, score: number, chunk: Partial<Chunk> = {}): Ranked => ({
  chunk: aChunk({ id, sourceId: id, ...chunk }),
  score,
  why: {},
  coverage: 0,
});
const statement = (id: string, score: number, chunk: Partial<Chunk> = {}) =>
  ranked(id, score, { source: 'note', kind: 'decision', topic: 'mail gateway', ...chunk });
const past = (id: string, at: number) => statement(id, 1, { concepts: ['superseded'], at });
/** For each hit its id, score and earlier statements. `derivedFrom` has the events from which a note was made. */
const ordered = async (hits: Ranked[], derivedFrom: Record<string, string[]> = {}) => {
  const noteTies = async (ids: string[]) =>
    new Map(ids.map((id) => [id, { note: id, derivedFrom: derivedFrom[id] ?? [] }]));
  const found = await topicsFirst(hits, {
    index: { noteTies },
    tail: nothingUnindexed(),
  } as unknown as Search);
  return found.map(({ chunk, score, earlier }) => [chunk.id, score, earlier?.map(({ id }) => id)]);
};

describe('the statement of a topic', () => {
  it('stands with its past, newest first, which has no hits of its own', async () => {
    const hits = [statement('now', 3), past('b', 2), ranked('other', 1), past('c', 3), past('a', 1)];
    expect(await ordered(hits)).toEqual([
      ['now', 3, ['c', 'b', 'a']],
      ['other', 1, undefined],
    ]);
  });

  it('stands before what it was made from, with the better score, once', async () => {
    const hits = [ranked('said', 3), ranked('again', 2), statement('now', 1)];
    expect(await ordered(hits, { now: ['said', 'again'] })).toEqual([
      ['now', 3, undefined],
      ['said', 3, undefined],
      ['again', 2, undefined],
    ]);
  });

  it('stays where it is if it comes first, and without what it was made from', async () => {
    expect(await ordered([statement('now', 3), ranked('said', 2)], { now: ['said'] })).toEqual([
      ['now', 3, undefined],
      ['said', 2, undefined],
    ]);
  });

  it('is one of a note that has a topic and holds', async () => {
    const { topic: _, ...plain } = statement('plain', 1).chunk;
    const hits = [ranked('said', 3), { ...statement('plain', 1), chunk: plain as Chunk }, past('b', 2)];
    expect((await ordered(hits, { plain: ['said'], b: ['said'] })).map(([id]) => id)).toEqual([
      'said',
      'plain',
      'b',
    ]);
  });

  it('needs nothing of the index if no hit is one', async () => {
    const hits = [ranked('said', 3), past('b', 2)];
    expect(await topicsFirst(hits, { index: {}, tail: nothingUnindexed() } as unknown as Search)).toEqual(
      hits,
    );
  });
});
