import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '../../base/errors.ts';
import { type DotProducts, dotProducts, lanes } from './dot-products.ts';
import { type Quantised, toQuery, toStored } from './quantise.ts';
import { BestRows, type RowSet, removed, type VectorHit } from './vector-hits.ts';
import { KeptVectors, noModel, type Segment } from './vector-memory.ts';

/**
 * The vectors of one index, a byte per number, in segments that are read and compared whole. New ones wait as
 * single rows until they fill a segment, so that adding a turn writes a kilobyte and not a megabyte. Everything
 * works inside the caller's transaction if there is one: a chunk and its vector come and go together.
 * Which vector lies in which segment depends on the order of arrival; what a search answers does not.
 */
export const vectorTables = `
create table vector_model (id integer primary key, name text not null unique, dims integer not null);
create table vector_segment (
  id integer primary key, model integer not null, chunks blob not null, scales blob not null, numbers blob not null
);
create index vector_segment_model on vector_segment (model);
create table vector (chunk integer primary key, model integer not null, segment integer);
create table vector_waiting (
  chunk integer primary key, model integer not null, scale real not null, numbers blob not null
);
`;

export interface ChunkVector {
  /** The row of the chunk, which is also what a hit names. */
  row: number;
  vector: Float32Array;
}

export interface VectorSearch {
  model: string;
  query: Float32Array;
  limit: number;
  /** Only these rows; all of them when left out. */
  allowed?: RowSet;
  /** Rows whose score is wanted even if it is not among the best, for joining with other ways to find them. */
  wanted?: RowSet;
}

export interface Vectors {
  /** Replaces what these rows had, of whatever model. A vector of zeros is remembered as "cannot be judged". */
  put(model: { id: string; dims: number }, vectors: ChunkVector[]): void;
  remove(rows: number[]): void;
  /** The best, and the wanted; best first, equal scores by row. */
  search(search: VectorSearch): VectorHit[];
  /** Chunks that have nothing of this model yet, oldest first; they are to be put in this order. */
  missing(model: string, limit: number): { row: number; text: string }[];
  /** Takes out what other models left. */
  keepOnly(model: string): void;
  /** Every stored vector, by row: for telling whether two indexes hold the same. */
  all(): Generator<{ row: number; model: string; scale: number; numbers: Int8Array }>;
}

/** Large enough that a scan is one long run of the kernel, small enough that taking one vector out is cheap. */
export const segmentSize = 1_024;

interface Stored extends Quantised<Int8Array> {
  row: number;
}

interface SegmentRow {
  id: number;
  model: number;
  chunks: Uint8Array;
  scales: Uint8Array;
  numbers: Uint8Array;
}

interface VectorsOptions {
  multiply?: DotProducts;
  /** What an earlier connection read of the very same rows. */
  kept?: KeptVectors;
  /** The connection cannot write, so what a transaction shows cannot be undone. */
  isReader?: boolean;
}

/** One for each connection: what it keeps of earlier reading is checked against what other connections wrote. */
export function createVectors(
  database: DatabaseSync,
  { multiply = dotProducts(), kept = new KeptVectors(), isReader = false }: VectorsOptions = {},
): Vectors {
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };

  let seenVersion: number | undefined;

  /** Nests in the caller's transaction, and is one where there is none. */
  const whole = <Result>(work: () => Result): Result => {
    database.exec('savepoint vectors');
    try {
      const result = work();
      database.exec('release vectors');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('rollback to vectors; release vectors');
      throw error;
    }
  };

  const modelRow = (name: string): { id: number; dims: number } | undefined =>
    sql('select id, dims from vector_model where name = ?').get(name) as
      | { id: number; dims: number }
      | undefined;

  const modelFor = (name: string, dims: number): number => {
    sql('insert into vector_model (name, dims) values (?, ?) on conflict do nothing').run(name, dims);
    const model = modelRow(name);
    if (model?.dims === dims) return model.id;
    throw wrongDims(name, model?.dims ?? 0, dims);
  };

  const waiting = (model: number): Stored[] => {
    const rows = sql('select chunk, scale, numbers from vector_waiting where model = ? order by chunk').all(
      model,
    ) as unknown as { chunk: number; scale: number; numbers: Uint8Array }[];
    return rows.map(({ chunk, scale, numbers }) => ({ row: chunk, scale, numbers: signed(numbers) }));
  };

  const countWaiting = (model: number): number =>
    (sql('select count(*) as n from vector_waiting where model = ?').get(model) as { n: number }).n;

  /** Without a segment it waits for one, or it cannot be judged and has no numbers at all. */
  const place = (row: number, model: number, segment: number | bigint | null): void => {
    sql('insert or replace into vector values (?, ?, ?)').run(row, model, segment);
  };

  const wait = (model: number, { row, scale, numbers }: Stored): void => {
    place(row, model, null);
    sql('insert or replace into vector_waiting values (?, ?, ?, ?)').run(row, model, scale, bytesOf(numbers));
  };

  /** Full segments of what waits and what comes; the rest waits on. */
  const add = (model: number, coming: Stored[]): void => {
    kept.waiting = undefined;
    if (countWaiting(model) + coming.length < segmentSize) {
      for (const stored of coming) wait(model, stored);
      return;
    }
    const ready = [...waiting(model), ...coming];
    sql('delete from vector_waiting where model = ?').run(model);
    const full = ready.length - (ready.length % segmentSize);
    for (let start = 0; start < full; start += segmentSize) {
      const part = ready.slice(start, start + segmentSize);
      const segment = sql(
        'insert into vector_segment (model, chunks, scales, numbers) values (?, ?, ?, ?)',
      ).run(model, ...blobsOf(part)).lastInsertRowid;
      for (const { row } of part) place(row, model, segment);
    }
    for (const stored of ready.slice(full)) wait(model, stored);
  };

  const remove = (rows: number[]): void => {
    kept.waiting = undefined;
    const bySegment = new Map<number, Set<number>>();
    for (const row of rows) {
      const found = sql('delete from vector where chunk = ? returning segment').get(row) as
        | { segment: number | null }
        | undefined;
      const segment = found?.segment ?? undefined;
      if (segment === undefined) sql('delete from vector_waiting where chunk = ?').run(row);
      else bySegment.set(segment, (bySegment.get(segment) ?? new Set()).add(row));
    }
    for (const [segment, gone] of bySegment) takeOut(segment, gone);
  };

  /** The numbers go too, not only the name: a vector tells something of the text that was forgotten. */
  const takeOut = (id: number, gone: Set<number>): void => {
    kept.drop(id);
    const row = readSegment(id);
    const segment = segmentOf(row);
    const dims = segment.numbers.length / segment.chunks.length;
    segment.chunks.forEach((chunk, at) => {
      if (!gone.has(chunk)) return;
      segment.chunks[at] = removed;
      segment.scales[at] = 0;
      segment.numbers.fill(0, at * dims, (at + 1) * dims);
    });
    const left = [...vectorsOf(segment)];
    if (left.length > segment.chunks.length / 2) {
      sql('update vector_segment set chunks = ?, scales = ?, numbers = ? where id = ?').run(
        bytesOf(segment.chunks),
        bytesOf(segment.scales),
        bytesOf(segment.numbers),
        id,
      );
      return;
    }
    sql('delete from vector_segment where id = ?').run(id);
    add(row.model, left);
  };

  const readSegment = (id: number): SegmentRow =>
    sql('select * from vector_segment where id = ?').get(id) as unknown as SegmentRow;

  const segments = (model: number): IterableIterator<SegmentRow> =>
    sql('select * from vector_segment where model = ? order by id').iterate(
      model,
    ) as unknown as IterableIterator<SegmentRow>;

  /** Every vector of a model: full segments, then those that wait. */
  const visit = (model: number, mayKeep: boolean, work: (segment: Segment) => void): void => {
    // Says whether another connection has committed; our own changes drop what they touch themselves.
    const { version } = sql('select data_version as version from pragma_data_version').get() as {
      version: number;
    };
    if (kept.model !== model || (seenVersion ?? version) !== version) kept.clear(model);
    seenVersion = version;
    const ids = sql('select id from vector_segment where model = ? order by id').all(model) as {
      id: number;
    }[];
    for (const { id } of ids) {
      const known = kept.segments.get(id);
      const segment = known ?? segmentOf(readSegment(id));
      work(segment);
      if (known === undefined && mayKeep) kept.add(id, segment);
    }
    const rest = kept.waiting ?? joined(waiting(model));
    if (rest.chunks.length > 0) work(rest);
    if (mayKeep) kept.waiting = rest;
  };

  return {
    put: (model, vectors) =>
      whole(() => {
        const id = modelFor(model.id, model.dims);
        const { last } = sql('select max(chunk) as last from vector').get() as { last: number | null };
        // Mostly they are all new, and looking for each of them costs as much as putting it.
        remove(vectors.flatMap(({ row }) => (row <= (last ?? 0) ? [row] : [])));
        const coming: Stored[] = [];
        for (const { row, vector } of vectors) {
          if (vector.length !== model.dims) throw wrongDims(model.id, model.dims, vector.length);
          const stored = toStored(vector);
          if (stored === undefined) place(row, id, null);
          else coming.push({ row, ...stored });
        }
        add(id, coming);
      }),

    remove: (rows) => whole(() => remove(rows)),

    search: ({ model: name, query, limit, allowed, wanted }) => {
      // What a transaction has written may yet be undone.
      const mayKeep = isReader || !database.isTransaction;
      // One snapshot for both kinds of rows: a writer may turn one into the other meanwhile.
      return whole(() => {
        const model = modelRow(name);
        const asked = toQuery(query);
        if (model === undefined || asked === undefined) return [];
        if (model.dims !== query.length) throw wrongDims(name, model.dims, query.length);
        const best = new BestRows(limit, allowed, wanted);
        visit(model.id, mayKeep, ({ chunks, scales, numbers }) => {
          best.offer(chunks, multiply(asked.numbers, numbers, chunks.length), scales, asked.scale);
        });
        return best.hits();
      });
    },

    missing: (name, limit) => {
      const model = modelRow(name)?.id;
      // Rows only grow and are judged in order, so nothing is missing below the last that was.
      const last =
        model === undefined
          ? 0
          : (sql('select max(chunk) as row from vector where model = ?').get(model) as { row: number | null })
              .row;
      const rows = sql('select row, text from chunk where row > ? order by row limit ?').all(
        last ?? 0,
        limit,
      );
      return rows as { row: number; text: string }[];
    },

    keepOnly: (name) =>
      whole(() => {
        kept.clear(noModel);
        const keep = modelRow(name)?.id ?? -1;
        for (const table of ['vector', 'vector_waiting', 'vector_segment'])
          sql(`delete from ${table} where model <> ?`).run(keep);
        sql('delete from vector_model where id <> ?').run(keep);
      }),

    *all() {
      const found: { row: number; model: string; scale: number; numbers: Int8Array }[] = [];
      for (const { id, name } of sql('select id, name from vector_model').all() as unknown as {
        id: number;
        name: string;
      }[]) {
        const stored = [...waiting(id)];
        for (const row of segments(id)) stored.push(...vectorsOf(segmentOf(row)));
        for (const one of stored) found.push({ ...one, model: name });
      }
      yield* found.sort((a, b) => a.row - b.row);
    },
  };
}

const wrongDims = (model: string, expected: number, given: number): AppError =>
  new AppError('INVALID_ARGUMENT', `${model} has ${expected} dimensions, not ${given}`, {
    hint: 'backstory reindex',
  });

const bytesOf = (numbers: Int8Array | Int32Array | Float32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

const signed = (bytes: Uint8Array): Int8Array =>
  new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function segmentOf({ chunks, scales, numbers }: SegmentRow): Segment {
  return {
    chunks: new Int32Array(chunks.buffer, chunks.byteOffset, chunks.byteLength / 4),
    scales: new Float32Array(scales.buffer, scales.byteOffset, scales.byteLength / 4),
    numbers: signed(numbers),
  };
}

function joined(vectors: Stored[]): Segment {
  const dims = vectors[0]?.numbers.length ?? lanes;
  const numbers = new Int8Array(vectors.length * dims);
  vectors.forEach((vector, at) => {
    numbers.set(vector.numbers, at * dims);
  });
  return {
    chunks: Int32Array.from(vectors, ({ row }) => row),
    scales: Float32Array.from(vectors, ({ scale }) => scale),
    numbers,
  };
}

function blobsOf(vectors: Stored[]): [Uint8Array, Uint8Array, Uint8Array] {
  const { chunks, scales, numbers } = joined(vectors);
  return [bytesOf(chunks), bytesOf(scales), bytesOf(numbers)];
}

function* vectorsOf({ chunks, scales, numbers }: Segment): Generator<Stored> {
  const dims = numbers.length / chunks.length;
  for (let at = 0; at < chunks.length; at++) {
    const row = chunks[at] as number;
    if (row !== removed)
      yield { row, scale: scales[at] as number, numbers: numbers.slice(at * dims, (at + 1) * dims) };
  }
}
