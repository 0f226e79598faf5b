import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '../../base/errors.ts';
import { type DotProducts, dotProducts, lanes } from './dot-products.ts';
import { type Quantised, toQuery, toStored } from './quantise.ts';
import { BestRows, type RowSet, removed } from './top-vectors.ts';
import { noModel, type Segment, VectorCache } from './vector-cache.ts';

/**
 * Stores the vectors of one index, one byte per number, in segments that are read and compared as a whole. New
 * vectors are stored as single rows until they fill a segment, so that adding a turn (one prompt and its answer)
 * writes a kilobyte instead of a megabyte. All operations join the caller's transaction if there is one, so that a
 * chunk and its vector are added and removed together. The segment of a vector depends on the order of insertion;
 * search results do not.
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
  /** The row of the chunk; hits refer to it. */
  row: number;
  vector: Float32Array;
}

export interface VectorSearch {
  model: string;
  query: Float32Array;
  limit: number;
  /** Searches only these rows; all if omitted. */
  allowed?: RowSet;
  /**
   * Rows to score even if they are not among the best, so that the caller can combine them with other
   * retrieval methods.
   */
  wanted?: RowSet;
}

/**
 * Number of vectors in a segment: large enough for an efficient scan, small enough that removing one vector is cheap.
 */
export const segmentSize = 1_024;

interface StoredVector extends Quantised<Int8Array> {
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
  /** Vectors that an earlier connection read in the same state of the index. */
  cache?: VectorCache;
  /** The connection is read-only, so what its transaction sees cannot be rolled back. */
  isReader?: boolean;
}

/** Create one per connection: before using its cache, it checks whether another connection has committed a change. */
export function createVectors(
  database: DatabaseSync,
  { multiply = dotProducts(), cache = new VectorCache(), isReader = false }: VectorsOptions = {},
) {
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };

  let seenVersion: number | undefined;

  /** Nests in the caller's transaction, or starts one. */
  const atomically = <Result>(work: () => Result): Result => {
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

  const waiting = (model: number): StoredVector[] => {
    const rows = sql('select chunk, scale, numbers from vector_waiting where model = ? order by chunk').all(
      model,
    ) as unknown as { chunk: number; scale: number; numbers: Uint8Array }[];
    return rows.map(({ chunk, scale, numbers }) => ({ row: chunk, scale, numbers: signed(numbers) }));
  };

  const countWaiting = (model: number): number =>
    (sql('select count(*) as n from vector_waiting where model = ?').get(model) as { n: number }).n;

  /** A null segment means that the vector waits for one, or that the chunk cannot be embedded. */
  const setSegment = (row: number, model: number, segment: number | bigint | null): void => {
    sql('insert or replace into vector values (?, ?, ?)').run(row, model, segment);
  };

  const addWaiting = (model: number, { row, scale, numbers }: StoredVector): void => {
    setSegment(row, model, null);
    sql('insert or replace into vector_waiting values (?, ?, ?, ?)').run(row, model, scale, bytesOf(numbers));
  };

  /** Writes full segments from waiting and new vectors; the rest keeps waiting. */
  const add = (model: number, added: StoredVector[]): void => {
    cache.waiting = undefined;
    if (countWaiting(model) + added.length < segmentSize) {
      for (const stored of added) addWaiting(model, stored);
      return;
    }
    const ready = [...waiting(model), ...added];
    sql('delete from vector_waiting where model = ?').run(model);
    const full = ready.length - (ready.length % segmentSize);
    for (let start = 0; start < full; start += segmentSize) {
      const part = ready.slice(start, start + segmentSize);
      const segment = sql(
        'insert into vector_segment (model, chunks, scales, numbers) values (?, ?, ?, ?)',
      ).run(model, ...blobsOf(part)).lastInsertRowid;
      for (const { row } of part) setSegment(row, model, segment);
    }
    for (const stored of ready.slice(full)) addWaiting(model, stored);
  };

  const remove = (rows: number[]): void => {
    cache.waiting = undefined;
    const bySegment = new Map<number, Set<number>>();
    for (const row of rows) {
      const found = sql('delete from vector where chunk = ? returning segment').get(row) as
        | { segment: number | null }
        | undefined;
      const segment = found?.segment ?? undefined;
      if (segment === undefined) sql('delete from vector_waiting where chunk = ?').run(row);
      else bySegment.set(segment, (bySegment.get(segment) ?? new Set()).add(row));
    }
    for (const [segment, removedRows] of bySegment) removeFromSegment(segment, removedRows);
  };

  /** Erases the numbers too, because a vector reveals something about the forgotten text. */
  const removeFromSegment = (id: number, removedRows: Set<number>): void => {
    cache.drop(id);
    const row = readSegment(id);
    const segment = segmentOf(row);
    const dims = segment.numbers.length / segment.chunks.length;
    segment.chunks.forEach((chunk, at) => {
      if (!removedRows.has(chunk)) return;
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

  /** Visits every vector of a model: full segments, then the waiting ones. */
  const visit = (model: number, mayCache: boolean, work: (segment: Segment) => void): void => {
    // Changes when another connection commits. Our own changes invalidate the cache themselves.
    const { version } = sql('select data_version as version from pragma_data_version').get() as {
      version: number;
    };
    if (cache.model !== model || (seenVersion ?? version) !== version) cache.clear(model);
    seenVersion = version;
    const ids = sql('select id from vector_segment where model = ? order by id').all(model) as {
      id: number;
    }[];
    for (const { id } of ids) {
      const known = cache.segments.get(id);
      const segment = known ?? segmentOf(readSegment(id));
      work(segment);
      if (known === undefined && mayCache) cache.add(id, segment);
    }
    const rest = cache.waiting ?? toSegment(waiting(model));
    if (rest.chunks.length > 0) work(rest);
    if (mayCache) cache.waiting = rest;
  };

  return {
    /**
     * Stores vectors. They replace all vectors of these rows, including those of other models. A vector of zeros marks
     * a chunk that cannot be embedded.
     */
    put: (model: { id: string; dims: number }, vectors: ChunkVector[]) =>
      atomically(() => {
        const id = modelFor(model.id, model.dims);
        const { last } = sql('select max(chunk) as last from vector').get() as { last: number | null };
        // Usually all rows are new. Removing old vectors only for rows up to the last known one saves looking up each
        // row, which costs as much as adding it.
        remove(vectors.flatMap(({ row }) => (row <= (last ?? 0) ? [row] : [])));
        const added: StoredVector[] = [];
        for (const { row, vector } of vectors) {
          if (vector.length !== model.dims) throw wrongDims(model.id, model.dims, vector.length);
          const stored = toStored(vector);
          if (stored === undefined) setSegment(row, id, null);
          else added.push({ row, ...stored });
        }
        add(id, added);
      }),

    remove: (rows: number[]) => atomically(() => remove(rows)),

    /** Returns the best and the wanted rows, best first; equal scores by row. */
    search: ({ model: name, query, limit, allowed, wanted }: VectorSearch) => {
      // Rows written by an open transaction may be rolled back, so do not cache them.
      const mayCache = isReader || !database.isTransaction;
      // Read segments and waiting rows in one snapshot, because a writer may turn one into the other.
      return atomically(() => {
        const model = modelRow(name);
        const quantisedQuery = toQuery(query);
        if (model === undefined || quantisedQuery === undefined) return [];
        if (model.dims !== query.length) throw wrongDims(name, model.dims, query.length);
        const best = new BestRows(limit, allowed, wanted);
        visit(model.id, mayCache, ({ chunks, scales, numbers }) => {
          best.offer(
            chunks,
            multiply(quantisedQuery.numbers, numbers, chunks.length),
            scales,
            quantisedQuery.scale,
          );
        });
        return best.hits();
      });
    },

    /** Returns chunks without a vector of this model, oldest first. Vectors must be stored in this order. */
    missing: (name: string, limit: number) => {
      const model = modelRow(name)?.id;
      // Rows only grow and are embedded in order, so every row up to the last embedded one has a vector.
      const last =
        model === undefined
          ? 0
          : (sql('select max(chunk) as row from vector where model = ?').get(model) as { row: number | null })
              .row;
      const rows = sql(
        `select row, case topic when '' then text else topic || char(10) || text end as text
         from chunk where row > ? order by row limit ?`,
      ).all(last ?? 0, limit);
      return rows as { row: number; text: string }[];
    },

    /** Removes the vectors of other models. */
    keepOnly: (name: string) =>
      atomically(() => {
        cache.clear(noModel);
        const keep = modelRow(name)?.id ?? -1;
        for (const table of ['vector', 'vector_waiting', 'vector_segment'])
          sql(`delete from ${table} where model <> ?`).run(keep);
        sql('delete from vector_model where id <> ?').run(keep);
      }),

    /** Yields every stored vector, sorted by row, to compare two indexes. */
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

export type Vectors = ReturnType<typeof createVectors>;

const wrongDims = (model: string, expected: number, given: number): AppError =>
  new AppError('INVALID_ARGUMENT', `${model} has ${expected} dimensions, not ${given}`, {
    hint: 'backstory doctor --reindex',
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

function toSegment(vectors: StoredVector[]): Segment {
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

function blobsOf(vectors: StoredVector[]): [Uint8Array, Uint8Array, Uint8Array] {
  const { chunks, scales, numbers } = toSegment(vectors);
  return [bytesOf(chunks), bytesOf(scales), bytesOf(numbers)];
}

function* vectorsOf({ chunks, scales, numbers }: Segment): Generator<StoredVector> {
  const dims = numbers.length / chunks.length;
  for (let at = 0; at < chunks.length; at++) {
    const row = chunks[at] as number;
    if (row !== removed)
      yield { row, scale: scales[at] as number, numbers: numbers.slice(at * dims, (at + 1) * dims) };
  }
}
