import { describe, expect, it } from 'vitest';
import { aChunk, aNote } from '../../test/contract/samples.ts';
import { promptEvent } from '../../test/support/sample-event.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { LogIndex } from '../store/store.ts';
import {
  isGone,
  listChunks,
  nothingUnindexed,
  readUnindexed,
  readUnindexedLog,
  statisticsWith,
  type UnindexedEvents,
} from './unindexed-events.ts';

const events = [promptEvent('first'), promptEvent('second'), promptEvent('third')];
/** A log of three lines of ten bytes. */
const log = {
  read: (from: Record<string, number>) =>
    events
      .map((event, at) => ({
        file: 'a',
        offset: at * 10,
        end: at * 10 + 10,
        entry: { kind: 'event', event },
      }))
      .filter(({ offset }) => offset >= (from.a ?? 0)),
} as never;
const indexAt = (progress: number, more: object = {}) =>
  ({
    progress: async () => ({ a: progress }),
    events: async () => new Map(),
    ...more,
  }) as unknown as LogIndex;

const tailOf = (...chunks: Chunk[]): UnindexedEvents => {
  const tail = nothingUnindexed();
  for (const chunk of chunks) tail.replay.put.set(chunk.sourceId, [chunk]);
  return tail;
};

describe('the events that are not indexed', () => {
  it.each([
    [undefined, 30, ['first', 'second', 'third'], false],
    [undefined, 29, ['first', 'second'], true],
    [undefined, 9, [], true],
    [10, 20, ['second', 'third'], false],
    [30, 0, [], false],
  ])('are read from %s, at most %i bytes', async (progress, maxBytes, texts, isCut) => {
    const index = progress === undefined ? undefined : indexAt(progress);
    const tail = await readUnindexedLog(log, index, maxBytes);
    expect([...tail.replay.put.values()].flat().map(({ text }) => text)).toEqual(texts);
    expect([tail.isCut, tail.isEmpty]).toEqual([isCut, texts.length === 0 && !isCut]);
  });

  const notesOf = (
    present: Record<string, ReturnType<typeof aNote>>,
    everywhere: ReturnType<typeof aNote>[] = [],
  ) =>
    ({
      stamps: () => new Map(Object.keys(present).map((file) => [file, '2'])),
      readFile: async (file: string) => present[file],
      listEverywhere: async () => everywhere,
    }) as never;
  const stamps = new Map([['a.md', { file: 'a.md', stamp: '1', note: 'old' }]]);
  const index = indexAt(30, { noteStamps: async () => stamps });

  it('include notes whose files changed, in place of their old version, and the notes for every project', async () => {
    const [changed, everywhere] = [
      aNote({ text: 'Deploy on Fridays.', title: '' }),
      aNote({ text: 'Be brief.', title: '' }),
    ];
    const truth = { log, project: 'p', notes: notesOf({ 'a.md': changed }, [everywhere]) };
    const tail = await readUnindexed(truth, index, 0);
    expect([...tail.replay.put.values()].flat().map(({ text }) => text)).toEqual([
      'Deploy on Fridays.',
      'Be brief.',
    ]);
    expect(tail.replay.drop).toEqual(new Set(['old', changed.id]));
    expect(new Set(tail.notes.keys())).toEqual(new Set([changed.id, everywhere.id]));
    expect(tail.isEmpty).toBe(false);
    const both = await readUnindexed(truth, indexAt(20, { noteStamps: async () => stamps }), 99);
    expect(both.isEmpty).toBe(false);
  });

  const without = (progress: number) => indexAt(progress, { noteStamps: async () => new Map() });
  const read = (progress: number, maxBytes: number, everywhere: ReturnType<typeof aNote>[] = []) =>
    readUnindexed({ log, project: 'p', notes: notesOf({}, everywhere) }, without(progress), maxBytes);

  it('are none if only the notes for every project are left, which no index has', async () => {
    expect(await read(30, 0, [aNote()])).toMatchObject({ isEmpty: true, isCut: false });
    expect(await read(20, 0)).toMatchObject({ isEmpty: false, isCut: true });
    expect(await read(20, 99)).toMatchObject({ isEmpty: false, isCut: false });
    expect(nothingUnindexed()).toMatchObject({ isEmpty: true, isCut: false });
  });

  it('have every slice of a long note', async () => {
    const long = aNote({ text: 'A rule of many words. '.repeat(200) });
    expect((await read(30, 0, [long])).replay.put.get(long.id)?.length).toBeGreaterThan(1);
  });
});

describe('a list of chunks', () => {
  const at = (time: number, id: string) => aChunk({ id, sourceId: id, at: time });
  const indexed = [at(1, 'a'), at(3, 'c'), at(3, 'd')];
  const tail = tailOf(at(2, 'b'), at(4, 'd'));
  tail.replay.drop.add('a');
  const idsOf = async (limit: number, order?: 'oldest') =>
    (
      await listChunks(
        { index: { list: async () => indexed } as unknown as LogIndex, tail },
        {},
        limit,
        order,
      )
    ).map(({ id, at }) => `${id}${at}`);

  it('has the newest version of each, in the order that is asked for, up to the limit', async () => {
    expect(await idsOf(9)).toEqual(['d4', 'c3', 'b2']);
    expect(await idsOf(2)).toEqual(['d4', 'c3']);
    expect(await idsOf(9, 'oldest')).toEqual(['b2', 'c3', 'd4']);
    expect(['a', 'd', 'c'].map((sourceId) => isGone(tail, { sourceId }))).toEqual([true, true, false]);
  });

  it('has a fixed order of chunks of the same time', async () => {
    const same = tailOf(at(1, 'y'), at(1, 'x'), at(1, 'z'));
    const idsIn = async (order?: 'oldest') =>
      (await listChunks({ index: undefined, tail: same }, {}, 9, order)).map(({ id }) => id).join('');
    expect([await idsIn(), await idsIn('oldest')]).toEqual(['xyz', 'zyx']);
  });
});

describe('the statistics of the index and the newest events', () => {
  const base = {
    chunks: 3,
    averageTerms: 2,
    frequency: new Map([
      ['heron', 2],
      ['crane', 1],
    ]),
  };

  it('count each chunk once for a term, and its words', () => {
    const tail = tailOf(aChunk({ text: 'heron heron lake' }), aChunk({ text: 'lake' }));
    expect(statisticsWith(tail, ['heron', 'lake', 'crane'], base)).toEqual({
      chunks: 5,
      averageTerms: (3 * 2 + 3 + 1) / 5,
      frequency: new Map([
        ['heron', 3],
        ['crane', 1],
        ['lake', 2],
      ]),
    });
    expect(base.frequency.get('heron')).toBe(2);
    const parts = statisticsWith(tailOf(aChunk({ text: 'retryQueue' })), ['retryqueue', 'queue'], undefined);
    expect(parts).toMatchObject({ averageTerms: 3, frequency: new Map([['queue', 1]]) });
  });

  it('are those of the index if nothing is new, and work without an index', () => {
    expect(statisticsWith(nothingUnindexed(), ['heron'], base)).toBe(base);
    expect(statisticsWith(tailOf(aChunk({ text: 'heron' })), ['heron'], undefined)).toEqual({
      chunks: 1,
      averageTerms: 1,
      frequency: new Map([['heron', 1]]),
    });
  });
});
