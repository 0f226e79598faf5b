import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../base/sqlite.ts';
import { plainDotProducts } from './dot-products.ts';
import { schemaSql } from './schema.ts';
import { RowSet } from './top-vectors.ts';
import { type ChunkVector, createVectors, segmentSize, type Vectors } from './vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-vectors-'));
const opened: DatabaseSync[] = [];
afterAll(() => {
  // Windows removes no file that is open.
  for (const database of opened) if (database.isOpen) database.close();
  rmSync(folder, { recursive: true, force: true });
});

const dims = 32;

/** A vector that depends only on the row. */
function vectorOf(row: number): Float32Array {
  let state = row * 2_654_435_761;
  return Float32Array.from({ length: dims }, () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x6d2b79f5;
    return ((state >>> 8) / 2 ** 24) * 2 - 1;
  });
}

const vectorsOf = (rows: number[]): ChunkVector[] => rows.map((row) => ({ row, vector: vectorOf(row) }));
const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

let count = 0;
function open(path = ':memory:'): { database: DatabaseSync; vectors: Vectors } {
  const database = openDatabase(path, { timeout: 2_000 });
  opened.push(database);
  database.exec(`pragma journal_mode = wal; pragma secure_delete = on; ${schemaSql}`);
  return { database, vectors: createVectors(database) };
}
const ask = (vectors: Vectors, row: number, limit = 5, more = {}) =>
  vectors
    .search({ queries: [vectorOf(row)], limit, wanted: new RowSet([]), ...more })
    .map(({ row: found, scores: [score = 0] }) => ({ row: found, score }));
const segmentsIn = (database: DatabaseSync): number =>
  (database.prepare('select count(*) as n from vector_segment').get() as { n: number }).n;

describe('vectors in the index', () => {
  it('are found by similarity, before and after they fill a segment', () => {
    const { database, vectors } = open();
    vectors.put(vectorsOf(range(1, 100)));
    expect(segmentsIn(database)).toBe(0);
    expect(ask(vectors, 42)[0]?.row).toBe(42);
    vectors.put(vectorsOf(range(101, segmentSize * 2)));
    expect(segmentsIn(database)).toBe(2);
    for (const row of [42, 101, segmentSize, segmentSize * 2 + 100]) {
      const [best, second] = ask(vectors, row);
      expect(best?.row).toBe(row);
      expect(best?.score).toBeGreaterThan(second?.score ?? 0);
    }
  });

  it('are ranked as exact products would rank them', () => {
    const { vectors } = open();
    const rows = range(1, 3_000);
    vectors.put(vectorsOf(rows));
    let found = 0;
    for (const asked of range(5_000, 50)) {
      const query = vectorOf(asked);
      const exact = rows
        .map((row) => ({
          row,
          score: vectorOf(row).reduce((sum, x, at) => sum + x * (query[at] as number), 0),
        }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 10)
        .map(({ row }) => row);
      const hits = new Set(ask(vectors, asked, 10).map(({ row }) => row));
      found += exact.filter((row) => hits.has(row)).length;
    }
    expect(found / 500).toBeGreaterThan(0.97);
  });

  it('[vectors-order-free] give the same results in any order and batching of changes', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(range(1, segmentSize + 300), { minLength: segmentSize + 300 }),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }),
        fc.shuffledSubarray(range(1, segmentSize + 300), { maxLength: 900 }),
        (order, sizes, gone) => {
          const { database, vectors } = open();
          for (let at = 0, turn = 0; at < order.length; turn++) {
            const size = sizes[turn % sizes.length] as number;
            vectors.put(vectorsOf(order.slice(at, at + size)));
            at += size;
          }
          vectors.remove(gone);
          vectors.put(vectorsOf(gone));
          vectors.remove(gone.slice(0, 100));
          const straight = open();
          straight.vectors.put(
            vectorsOf(range(1, segmentSize + 300).filter((row) => !gone.slice(0, 100).includes(row))),
          );
          for (const row of [1, 500, 9_999])
            expect(ask(vectors, row, 20)).toEqual(ask(straight.vectors, row, 20));
          expect([...vectors.all()]).toEqual([...straight.vectors.all()]);
          database.close();
          straight.database.close();
        },
      ),
      { numRuns: 8 },
    );
  });

  it('give the same results with and without SIMD', () => {
    const { database, vectors } = open();
    vectors.put(vectorsOf(range(1, segmentSize + 10)));
    const plain = createVectors(database, plainDotProducts);
    for (const row of [3, 77, 9_999]) expect(ask(plain, row, 50)).toEqual(ask(vectors, row, 50));
  });

  it('are searched among the allowed rows, and scored for wanted rows', () => {
    const { vectors } = open();
    vectors.put(vectorsOf(range(1, 2_000)));
    const allowed = range(10, 20);
    const hits = ask(vectors, 500, 5, { allowed: new RowSet(allowed) });
    expect(hits).toHaveLength(5);
    expect(hits.every(({ row }) => allowed.includes(row))).toBe(true);
    const joined = ask(vectors, 500, 2, { wanted: new RowSet([7, 1_900, 500]) });
    expect(joined.map(({ row }) => row)).toEqual(expect.arrayContaining([500, 7, 1_900]));
    expect(joined).toHaveLength(4);
    expect(ask(vectors, 500, 0, { wanted: new RowSet([7]) }).map(({ row }) => row)).toEqual([7]);
  });

  it('[vectors-forgotten] leave no byte in the file once they are removed', () => {
    const path = join(folder, `${count++}.db`);
    const { database, vectors } = open(path);
    vectors.put(vectorsOf(range(1, segmentSize + 5)));
    const secrets = [5, segmentSize + 3].map((row) => {
      const { numbers } = [...vectors.all()].find((one) => one.row === row) as { numbers: Int8Array };
      return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    });
    database.exec('pragma wal_checkpoint(truncate)');
    expect(secrets.every((secret) => readFileSync(path).includes(secret))).toBe(true);
    vectors.remove([5, segmentSize + 3]);
    expect(ask(vectors, 5, segmentSize * 2).some(({ row }) => row === 5)).toBe(false);
    database.exec('pragma wal_checkpoint(truncate)');
    expect(secrets.some((secret) => readFileSync(path).includes(secret))).toBe(false);
    database.close();
  });

  it('are moved out of a segment when half of it was removed', () => {
    const { database, vectors } = open();
    vectors.put(vectorsOf(range(1, segmentSize)));
    vectors.remove(range(1, segmentSize / 2));
    expect(segmentsIn(database)).toBe(0);
    expect(ask(vectors, segmentSize - 1)[0]?.row).toBe(segmentSize - 1);
    expect([...vectors.all()]).toHaveLength(segmentSize / 2);
  });

  it('near to one query are scored for all queries', () => {
    const { vectors } = open();
    vectors.put(vectorsOf(range(1, 2_000)));
    const queries = [vectorOf(7), vectorOf(1_900), new Float32Array(dims)];
    const hits = vectors.search({ queries, limit: 2, wanted: new RowSet([50]) });
    expect(hits.map(({ row }) => row)).toEqual(expect.arrayContaining([7, 1_900, 50]));
    for (const { row, scores } of hits)
      expect(scores).toEqual([
        ...[7, 1_900].map((asked) => ask(vectors, asked, 2_000).find((hit) => hit.row === row)?.score),
        0,
      ]);
  });

  it('report chunks without one; a chunk that cannot be embedded is not reported again', () => {
    const { database, vectors } = open();
    const missing = () => vectors.missing(10).map(({ row }) => row);
    for (const row of [1, 2, 3])
      database.exec(
        `insert into chunk values (${row}, 'id${row}', 'event', 's', 'prompt', 'user', 3, 'codex', '', '', '', 0, '[]', '[]', 0, 0, '', 1, 'text')`,
      );
    expect(missing()).toEqual([1, 2, 3]);
    vectors.put([...vectorsOf([1]), { row: 2, vector: new Float32Array(dims) }]);
    expect(missing()).toEqual([3]);
    expect(ask(vectors, 1).map(({ row }) => row)).toEqual([1]);
    vectors.remove([2]);
    database.exec('delete from chunk where row = 2');
    expect(missing()).toEqual([3]);
  });

  it('are added and removed with their transaction', () => {
    const { database, vectors } = open();
    vectors.put(vectorsOf(range(1, 1_000)));
    database.exec('begin immediate');
    vectors.put(vectorsOf(range(1_001, 500)));
    vectors.remove([7]);
    expect(segmentsIn(database)).toBe(1);
    database.exec('rollback');
    expect(segmentsIn(database)).toBe(0);
    expect(ask(vectors, 7)[0]?.row).toBe(7);
    expect([...vectors.all()]).toHaveLength(1_000);
  });

  it('are current, even if another connection changed them', () => {
    const path = join(folder, `${count++}.db`);
    const { database, vectors } = open(path);
    const reading = openDatabase(path, { readOnly: true });
    opened.push(reading);
    const reader = createVectors(reading);
    const rows = () => ask(reader, 7, 5_000).map(({ row }) => row).length;
    vectors.put(vectorsOf(range(1, 1_500)));
    expect([rows(), rows()]).toEqual([1_500, 1_500]);
    vectors.remove([7]);
    expect([rows(), ask(vectors, 7, 5_000).length]).toEqual([1_499, 1_499]);
    database.exec('begin immediate');
    vectors.put(vectorsOf([7]));
    expect(ask(vectors, 7, 5_000)).toHaveLength(1_500);
    expect(rows()).toBe(1_499);
    database.exec('rollback');
    expect([rows(), ask(vectors, 7, 5_000).length]).toEqual([1_499, 1_499]);
    database.close();
  });

  it('can be read by one process while another writes', () => {
    const path = join(folder, `${count++}.db`);
    const { database, vectors } = open(path);
    vectors.put(vectorsOf(range(1, 1_000)));
    database.exec('begin immediate');
    vectors.put(vectorsOf(range(1_001, 500)));
    const script = `
      import { openDatabase } from './src/base/sqlite.ts';
      import { createVectors } from './src/store/sqlite/vectors.ts';
      const vectors = createVectors(openDatabase(${JSON.stringify(path)}, { readOnly: true, timeout: 0 }));
      const query = Float32Array.from(${JSON.stringify([...vectorOf(7)])});
      const hits = vectors.search({ queries: [query], limit: 2000, wanted: { has: () => false } });
      console.log(hits.length, hits[0].row);`;
    const reader = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(reader.stdout.trim(), reader.stderr).toBe('1000 7');
    database.exec('commit');
    database.close();
  });
});
