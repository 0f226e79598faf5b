import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { LogIndex } from '../store/store.ts';
import { adjacentTurns, firstSlices, placesOf, scoreAdjacentTurns } from './adjacent-turns.ts';
import type { Source } from './rank.ts';
import { listChunks, nothingUnindexed, statisticsWith } from './unindexed-events.ts';

const message = (sourceId: string, at: number, more: Partial<Chunk> = {}): Chunk =>
  aChunk({ sourceId, at, kind: 'prompt', agentSession: 'one', ...more });
const indexOf = (chunks: Chunk[]): LogIndex =>
  ({
    adjacentMessages: async (place: Chunk) =>
      [-1, 1].flatMap((side) =>
        chunks
          .filter(({ at }) => Math.sign(at - place.at) === side)
          .sort((a, b) => side * (a.at - b.at))
          .slice(0, 1),
      ),
    get: async (ids: string[]) => chunks.filter(({ sourceId }) => ids.includes(sourceId)),
    list: async () => chunks,
  }) as unknown as LogIndex;
const tailOf = (put: Chunk[], drop: string[] = []) => {
  const tail = nothingUnindexed();
  for (const chunk of put) tail.replay.put.set(chunk.sourceId, [chunk]);
  for (const id of drop) tail.replay.drop.add(id);
  return tail;
};

describe('the messages around a match', () => {
  const [a, b, c] = [message('a', 1), message('b', 2), message('c', 3)];
  const links = async (place: Chunk, indexed: Chunk[], put: Chunk[] = [], drop: string[] = []) =>
    (await adjacentTurns([place], { index: indexOf(indexed), tail: tailOf(put, drop) })).map(
      ({ before, after }) => before + after,
    );

  it('are the one before and the one after it, indexed or not', async () => {
    expect(await links(b, [a, b, c])).toEqual(['ab', 'bc']);
    expect(await links(a, [a, b, c])).toEqual(['ab']);
    expect(await links(c, [a, b, c])).toEqual(['bc']);
    expect(await links(b, [a, b], [c])).toEqual(['ab', 'bc']);
    expect(await links(b, [], [a, b, c])).toEqual(['ab', 'bc']);
    expect(await adjacentTurns([b], { index: undefined, tail: tailOf([]) })).toEqual([]);
  });

  it('are not forgotten ones, of another session, or what was not said', async () => {
    expect(await links(b, [a, b, c], [], ['a'])).toEqual(['bc']);
    expect(await links(b, [b], [message('d', 3, { agentSession: 'two' })])).toEqual([]);
    expect(await links(b, [b], [message('d', 3, { kind: 'edit' })])).toEqual([]);
    expect(await links(b, [b], [message('d', 2), message('aa', 2)])).toEqual(['aab', 'bd']);
  });

  it('are looked up once for each message or statement of a session', () => {
    const chunks = [
      a,
      { ...a, id: 'x' },
      message('d', 1, { kind: 'decision' }),
      message('r', 1, { kind: 'rule' }),
      message('n', 1, { agentSession: '' }),
      message('e', 1, { kind: 'edit' }),
      message('w', 1, { kind: 'answer' }),
    ];
    expect(placesOf(chunks).map(({ sourceId }) => sourceId)).toEqual(['a', 'd', 'r', 'w']);
  });

  it('are shown by their first chunk', async () => {
    const second = { ...a, id: 'second' };
    const found = await firstSlices(['a', 'c', 'e'], {
      index: indexOf([a, second, message('e', 4, { kind: 'edit' })]),
      tail: tailOf([c]),
    });
    expect(found).toEqual([a, c]);
    expect(await firstSlices(['c'], { index: undefined, tail: tailOf([c]) })).toEqual([c]);
  });
});

describe('what a match lends to the messages around it', () => {
  const source = (id: string, score: number, origin: Chunk['origin']): Source =>
    ({ id, score, why: {}, best: { chunk: aChunk({ origin }) } }) as unknown as Source;
  const scores = (...all: Source[]) => {
    const sources = new Map(all.map((one) => [one.id, one]));
    const pairs = all.slice(1).map((after, at) => ({ before: (all[at] as Source).id, after: after.id }));
    scoreAdjacentTurns(sources, [...pairs, { before: 'x', after: all[0]?.id ?? '' }]);
    return all.map(({ score, why }) => [score, why.neighbours]);
  };

  it('is a share of its own score: to its answer, its prompt, and the next prompt', () => {
    expect(scores(source('p', 10, 'user'), source('a', 0, 'assistant'))).toEqual([
      [10, undefined],
      [1, 1],
    ]);
    expect(scores(source('p', 0, 'user'), source('a', 10, 'assistant'))).toEqual([
      [2.5, 2.5],
      [10, undefined],
    ]);
    expect(scores(source('a', 10, 'assistant'), source('p', 0, 'user'))).toEqual([
      [10, undefined],
      [1.5, 1.5],
    ]);
    expect(scores(source('a', 0, 'assistant'), source('p', 10, 'user'))).toEqual([
      [0, undefined],
      [10, undefined],
    ]);
  });

  it('is added up, is nothing between messages of one side, and is not lent on', () => {
    const [prompt, answer, next] = scores(
      source('p', 10, 'user'),
      source('a', 10, 'assistant'),
      source('n', 10, 'user'),
    );
    expect([prompt, answer, next]).toEqual([
      [12.5, 2.5],
      [11, 1],
      [11.5, 1.5],
    ]);
    expect(scores(source('a', 10, 'assistant'), source('b', 1, 'assistant'))[1]).toEqual([1, undefined]);
    expect(scores(source('p', 10, 'user'), source('q', 1, 'user'))[1]).toEqual([1, undefined]);
  });
});

describe('lists and statistics', () => {
  const [a, b, c] = [
    message('a', 1, { text: 'zebra kiwi' }),
    message('b', 2, { text: 'zebra' }),
    message('c', 3, { text: 'apple melon grape zebra' }),
  ];

  it('hold indexed and unindexed chunks in order, and no forgotten ones', async () => {
    const list = async (limit: number, order?: 'oldest') =>
      (await listChunks({ index: indexOf([a, b]), tail: tailOf([c]) }, {}, limit, order)).map(
        ({ sourceId }) => sourceId,
      );
    expect([await list(9), await list(2), await list(9, 'oldest')]).toEqual([
      ['c', 'b', 'a'],
      ['c', 'b'],
      ['a', 'b', 'c'],
    ]);
    const gone = await listChunks({ index: indexOf([a, b]), tail: tailOf([c], ['a']) }, { until: 2 }, 9);
    expect(gone).toEqual([b]);
    expect(await listChunks({ index: undefined, tail: tailOf([c]) }, {}, 9)).toEqual([c]);
  });

  it('count the terms of both', () => {
    const indexed = { chunks: 2, averageTerms: 4, frequency: new Map([['zebra', 2]]) };
    const both = statisticsWith(tailOf([a, c]), ['zebra', 'kiwi', 'none'], indexed);
    expect(both).toEqual({
      chunks: 4,
      averageTerms: (2 * 4 + 2 + 4) / 4,
      frequency: new Map([
        ['zebra', 4],
        ['kiwi', 1],
      ]),
    });
    expect(statisticsWith(nothingUnindexed(), ['zebra'], indexed)).toBe(indexed);
    expect(statisticsWith(nothingUnindexed(), ['zebra'], undefined)).toEqual({
      chunks: 0,
      averageTerms: 0,
      frequency: new Map(),
    });
    expect(statisticsWith(tailOf([b]), ['zebra'], undefined)).toEqual({
      chunks: 1,
      averageTerms: 1,
      frequency: new Map([['zebra', 1]]),
    });
    expect(indexed.frequency.get('zebra')).toBe(2);
  });
});
