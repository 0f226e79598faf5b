import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aChunk } from '../../../test/contract/samples.ts';
import { createRandom } from '../../../test/harness/random.ts';
import { systemClock } from '../../base/clock.ts';
import type { IndexAccess, LogIndex } from '../store.ts';
import { createIndexAccess } from './open-index.ts';
import { segmentSize } from './vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const model = { id: 'sample/16', dims: 16 };
/** A vector of length one that depends only on the number. */
function vectorOf(number: number): Float32Array {
  const random = createRandom(number);
  const values = Array.from({ length: model.dims }, () => random.next() - 0.5);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

let count = 0;
/** Two of these simulate two processes: they share only the files. */
const accessTo = (name: string): IndexAccess =>
  createIndexAccess(
    { folder: join(folder, name, 'index'), lock: join(folder, name, 'lock'), project: 'p' },
    systemClock,
  );

async function write(access: IndexAccess, work: (index: LogIndex) => Promise<void>): Promise<void> {
  const writing = access.forWriting();
  if (writing === undefined) throw new Error('somebody else writes');
  await work(writing.index);
  await writing.close();
}

async function add(index: LogIndex, from: number, to: number): Promise<void> {
  const put = Array.from({ length: to - from }, (_, at) =>
    aChunk({ id: `chunk-${from + at}`, sourceId: `source-${from + at}`, text: `number ${from + at}` }),
  );
  await index.apply({ put, dropSources: [] });
  const unembedded = await index.unembedded(model.id, to);
  await index.storeVectors(
    model,
    unembedded.map(({ row, text }) => ({ row, vector: vectorOf(Number(text.split(' ')[1])) })),
  );
}

/** Runs a query for this number; returns the hits and the number of segments read. */
async function ask(access: IndexAccess, number: number): Promise<{ found: string[]; read: number }> {
  const reading = access.forReading();
  const get = StatementSync.prototype.get;
  let read = 0;
  StatementSync.prototype.get = function (this: StatementSync, ...values) {
    if (this.sourceSQL.includes('from vector_segment')) read++;
    return Reflect.apply(get, this, values);
  };
  try {
    const query = { model: model.id, vectors: [vectorOf(number)], filter: {}, limit: 3, wanted: [] };
    const hits = (await reading?.index.nearest(query)) ?? [];
    return { found: hits.map(({ chunk }) => chunk.id), read };
  } finally {
    StatementSync.prototype.get = get;
    await reading?.close();
  }
}

describe('vectors cached between queries', () => {
  let name = '';
  let ours: IndexAccess;
  let theirs: IndexAccess;
  beforeEach(async () => {
    name = String(count++);
    ours = accessTo(name);
    theirs = accessTo(name);
    await write(theirs, (index) => add(index, 0, segmentSize + 10));
  });

  it('are read once', async () => {
    expect(await ask(ours, 7)).toEqual({ found: expect.arrayContaining(['chunk-7']), read: 1 });
    expect(await ask(ours, 8)).toEqual({ found: expect.arrayContaining(['chunk-8']), read: 0 });
  });

  it('are discarded after another process added or removed a chunk', async () => {
    await ask(ours, 7);
    await write(theirs, (index) => add(index, 5_000, 5_001));
    expect((await ask(ours, 5_000)).found[0]).toBe('chunk-5000');
    await write(theirs, (index) => index.apply({ put: [], dropSources: ['source-7', 'source-5000'] }));
    const { found } = await ask(ours, 7);
    expect(found).toHaveLength(3);
    expect(found).not.toContain('chunk-7');
  });

  it('are discarded while another process writes, and after the index was rebuilt', async () => {
    await ask(ours, 7);
    const writing = theirs.forWriting();
    await writing?.index.apply({ put: [], dropSources: ['source-7'] });
    expect((await ask(ours, 7)).found).not.toContain('chunk-7');
    await writing?.close();
    theirs.discard();
    await write(theirs, (index) => add(index, 9_000, 9_000 + segmentSize));
    expect((await ask(ours, 9_001)).found[0]).toBe('chunk-9001');
  });

  it('are kept when the process itself adds to the index', async () => {
    await ask(ours, 7);
    await write(ours, (index) => add(index, 5_000, 5_001));
    expect(await ask(ours, 5_000)).toEqual({ found: expect.arrayContaining(['chunk-5000']), read: 0 });
    await write(ours, (index) => index.apply({ put: [], dropSources: ['source-7'] }));
    const { found, read } = await ask(ours, 7);
    expect(found).not.toContain('chunk-7');
    expect(read).toBe(1);
  });

  it('are not shared by two concurrent queries', async () => {
    await ask(ours, 7);
    const first = ours.forReading();
    await write(ours, (index) => index.apply({ put: [], dropSources: ['source-7'] }));
    const query = { model: model.id, vectors: [vectorOf(7)], filter: {}, limit: 3, wanted: [] };
    expect((await first?.index.nearest(query))?.[0]?.chunk.id).toBe('chunk-7');
    await first?.close();
    expect((await ask(ours, 7)).found).not.toContain('chunk-7');
  });
});
