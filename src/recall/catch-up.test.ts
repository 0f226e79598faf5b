import { describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import type { Note } from '../domain/note.ts';
import type { LogRecord } from '../store/events/event-log.ts';
import type { LogIndex } from '../store/store.ts';
import { type CatchUpLimits, catchUp, changedNotes, notesAreIndexed, type Truth } from './catch-up.ts';

const megabyte = 1024 * 1024;
const everything: CatchUpLimits = { maxBytes: Number.MAX_SAFE_INTEGER };

/** An index that keeps what it is given, and counts the chunks that have no vector. */
function memoryIndex({
  progress = {},
  stamps = [],
  unembedded = 0,
}: {
  progress?: Record<string, number>;
  stamps?: [string, string, string][];
  unembedded?: number;
} = {}) {
  const applied: Parameters<LogIndex['applyLog']>[0][] = [];
  const embedded: number[] = [];
  let left = unembedded;
  const index = {
    progress: async () => progress,
    events: async () => new Map(),
    applyLog: async (change: (typeof applied)[number]) => void applied.push(change),
    noteStamps: async () => new Map(stamps.map(([file, stamp, note]) => [file, { file, stamp, note }])),
    unembedded: async (limit: number) =>
      Array.from({ length: Math.min(limit, left) }, (_, row) => ({ row, text: `text ${row}` })),
    storeVectors: async (vectors: { row: number; vector: Float32Array }[]) => {
      embedded.push(vectors.length);
      left -= vectors.length;
      expect(vectors.every(({ row, vector }) => vector[0] === row)).toBe(true);
    },
  };
  return { index: index as unknown as LogIndex, applied, embedded };
}

/** A log of lines of these sizes that this version does not know, so that only their number and size count. */
function truthOf(sizes: number[], files: Record<string, { stamp: string; note?: Note }> = {}): Truth {
  let end = 0;
  const records = sizes.map((size, at): LogRecord => {
    end += size;
    return { file: 'a.jsonl', offset: end - size, end, entry: { kind: 'newer', id: `${at}` } };
  });
  return {
    project: 'p',
    log: { read: () => records, end: () => ({ 'a.jsonl': end }) },
    notes: {
      stamps: () => new Map(Object.entries(files).map(([file, { stamp }]) => [file, stamp])),
      readFile: async (file: string) => files[file]?.note,
    },
    embedder: async () => ({
      embed: async (texts: string[]) => texts.map((text) => Float32Array.of(Number(text.split(' ')[1]))),
    }),
  } as unknown as Truth;
}

describe('indexing a log', () => {
  const run = async (sizes: number[], limits: CatchUpLimits = everything) => {
    const { index, applied } = memoryIndex();
    const steps: [number, number][] = [];
    const done = await catchUp(truthOf(sizes), index, {
      ...limits,
      onProgress: (...step) => steps.push(step),
    });
    return { ...done, steps, ends: applied.map(({ progress }) => progress['a.jsonl']) };
  };
  const small = Array.from({ length: 1_500 }, () => 10);

  it('stores the progress of each batch of a thousand lines, or two megabytes', async () => {
    expect(await run(small)).toEqual({
      isComplete: true,
      records: 1_500,
      steps: [
        [10_000, 15_000],
        [15_000, 15_000],
      ],
      ends: [10_000, 15_000],
    });
    expect((await run(Array.from({ length: 5 }, () => megabyte))).ends).toEqual(
      [2, 4, 5].map((end) => end * megabyte),
    );
  });

  it('applies nothing if there is nothing left', async () => {
    expect(await run([])).toEqual({ isComplete: true, records: 0, steps: [], ends: [] });
    expect((await run(small.slice(0, 1_000))).ends).toEqual([10_000]);
  });

  it('stops between batches if the time or the bytes are over', async () => {
    const stopped = { isComplete: false, records: 1_000, ends: [10_000] };
    expect(await run(small, { ...everything, isOver: () => true })).toMatchObject(stopped);
    expect(await run(small, { maxBytes: 10_000 })).toMatchObject({ ...stopped, steps: [[10_000, 10_000]] });
    expect(await run(small, { maxBytes: 10_001 })).toMatchObject({ isComplete: true });
  });
});

describe('embedding what is indexed', () => {
  const embeddedBy = async (unembedded: number, limits: Partial<CatchUpLimits> = {}) => {
    const { index, embedded } = memoryIndex({ unembedded });
    await catchUp(truthOf([]), index, { ...everything, ...limits });
    return embedded;
  };

  it('takes one segment of the vectors at a time, until none is left or enough are done', async () => {
    expect(await embeddedBy(2_100)).toEqual([1_024, 1_024, 52]);
    expect(await embeddedBy(2_100, { maxEmbedded: 1_025 })).toEqual([1_024, 1_024]);
    expect(await embeddedBy(2_100, { maxEmbedded: 1_024 })).toEqual([1_024]);
    expect(await embeddedBy(2_100, { isOver: () => true })).toEqual([]);
  });

  it('is left out if the model cannot be loaded', async () => {
    const { index, embedded } = memoryIndex({ unembedded: 1 });
    await catchUp(
      { ...truthOf([]), embedder: () => Promise.reject(new Error('no model')) },
      index,
      everything,
    );
    expect(embedded).toEqual([]);
  });
});

describe('notes that a person may have edited', () => {
  const [kept, changed, added] = [aNote(), aNote(), aNote({ derivedFrom: ['e1'], files: ['a.ts'] })];
  const stamps: [string, string, string][] = [
    ['kept.md', '1', kept.id],
    ['changed.md', '1', changed.id],
    ['gone.md', '1', 'gone'],
    ['broken.md', '1', ''],
  ];
  const files = {
    'kept.md': { stamp: '1', note: kept },
    'changed.md': { stamp: '2', note: changed },
    'added.md': { stamp: '1', note: added },
    'broken.md': { stamp: '2' },
  };

  it('are read again if their stamp differs, and dropped if their file is gone', async () => {
    const { index, applied } = memoryIndex({ stamps });
    await catchUp(truthOf([], files), index, everything);
    const [change, ...others] = applied;
    expect(others).toEqual([]);
    expect(new Set(change?.put.map(({ sourceId }) => sourceId))).toEqual(new Set([changed.id, added.id]));
    expect(change?.dropSources.toSorted()).toEqual(['gone', changed.id, changed.id, added.id].toSorted());
    expect(change?.dropNotes).toEqual(['gone.md']);
    expect(change?.notes.map(({ file, note, ties }) => [file, note, ties.derivedFrom])).toEqual([
      ['changed.md', changed.id, []],
      ['added.md', added.id, ['e1']],
      ['broken.md', '', []],
    ]);
  });

  it('are dropped, or read, if that is all there is to do', async () => {
    const applied = async (present: typeof stamps, onDisk: Parameters<typeof truthOf>[1]) => {
      const memory = memoryIndex({ stamps: present });
      await catchUp(truthOf([], onDisk), memory.index, everything);
      return memory.applied.map(({ dropNotes, put }) => [dropNotes.length, put.length]);
    };
    expect(await applied([['gone.md', '1', 'gone']], {})).toEqual([[1, 0]]);
    expect(await applied([], { 'added.md': files['added.md'] })).toEqual([[0, 1]]);
  });

  it('change nothing if no stamp differs', async () => {
    const { index, applied } = memoryIndex({ stamps: stamps.slice(0, 1) });
    await catchUp(truthOf([], { 'kept.md': files['kept.md'] }), index, everything);
    expect(applied).toEqual([]);
    expect((await changedNotes(truthOf([], files), undefined)).read).toHaveLength(4);
  });

  it.each([
    ['are indexed if each file has its stamp', { 'kept.md': files['kept.md'] }, true],
    ['are not if a file changed', { 'kept.md': { stamp: '2' } }, false],
    ['are not if a file was added', files, false],
    ['are not if a file is gone', {}, false],
  ])('%s', async (_, present, expected) => {
    const { index } = memoryIndex({ stamps: stamps.slice(0, 1) });
    expect(await notesAreIndexed(truthOf([], present).notes, index)).toBe(expected);
  });
});
