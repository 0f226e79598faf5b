import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type DotProducts, dotProducts, lanes } from './dot-products.ts';
import { type Quantised, toQuery, toStored } from './quantise.ts';
import { BestRows, RowSet, removed } from './top-vectors.ts';

/**
 * Stores the vectors of one index, one byte per number, in segments that are read and compared as a whole. New vectors
 * are stored as single rows until they fill a segment, so that adding a turn writes a kilobyte instead of a megabyte.
 * All operations join the caller's transaction if there is one, so that a chunk and its vector are added and removed
 * together. The segment of a vector depends on the order of insertion; search results do not.
 */
export const vectorTables = `
create table vector_segment (
  id integer primary key, chunks blob not null, scales blob not null, numbers blob not null
);
create table vector (chunk integer primary key, segment integer);
create table vector_waiting (chunk integer primary key, scale real not null, numbers blob not null);
`;

export interface ChunkVector {
  row: number;
  vector: Float32Array;
}

interface VectorSearch {
  queries: Float32Array[];
  limit: number;
  allowed?: RowSet | undefined;
  /** Rows to score even if they are not among the best, to combine them with other retrieval methods. */
  wanted: RowSet;
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
  chunks: Uint8Array;
  scales: Uint8Array;
  numbers: Uint8Array;
}

/** A block of vectors: chunk rows, a scale each, and the numbers of all vectors in sequence. */
interface Segment {
  chunks: Int32Array;
  scales: Float32Array;
  numbers: Int8Array;
}

export function createVectors(database: DatabaseSync, given?: DotProducts) {
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };

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

  const waiting = (): StoredVector[] => {
    const rows = sql('select chunk, scale, numbers from vector_waiting order by chunk').all() as unknown as {
      chunk: number;
      scale: number;
      numbers: Uint8Array;
    }[];
    return rows.map(({ chunk, scale, numbers }) => ({ row: chunk, scale, numbers: signed(numbers) }));
  };

  const countWaiting = (): number =>
    (sql('select count(*) as n from vector_waiting').get() as { n: number }).n;

  /** A null segment means that the vector waits for one, or that the chunk cannot be embedded. */
  const setSegment = (row: number, segment: number | bigint | null): void => {
    sql('insert or replace into vector values (?, ?)').run(row, segment);
  };

  const addWaiting = ({ row, scale, numbers }: StoredVector): void => {
    setSegment(row, null);
    sql('insert or replace into vector_waiting values (?, ?, ?)').run(row, scale, bytesOf(numbers));
  };

  /** Writes full segments from waiting and new vectors; the rest keeps waiting. */
  const add = (added: StoredVector[]): void => {
    if (countWaiting() + added.length < segmentSize) {
      for (const stored of added) addWaiting(stored);
      return;
    }
    const ready = [...waiting(), ...added];
    sql('delete from vector_waiting').run();
    const full = ready.length - (ready.length % segmentSize);
    for (let start = 0; start < full; start += segmentSize) {
      const part = ready.slice(start, start + segmentSize);
      const { chunks, scales, numbers } = toSegment(part);
      const segment = sql('insert into vector_segment (chunks, scales, numbers) values (?, ?, ?)').run(
        ...[chunks, scales, numbers].map(bytesOf),
      ).lastInsertRowid;
      for (const { row } of part) setSegment(row, segment);
    }
    for (const stored of ready.slice(full)) addWaiting(stored);
  };

  const remove = (rows: number[]): void => {
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
    const segment = segmentOf(sql('select * from vector_segment where id = ?').get(id));
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
    add(left);
  };

  /** Every vector: full segments, then the waiting ones. */
  function* segments(): Generator<Segment> {
    for (const row of sql('select * from vector_segment order by id').iterate()) yield segmentOf(row);
    const rest = toSegment(waiting());
    if (rest.chunks.length > 0) yield rest;
  }

  return {
    /** Stores vectors. They replace those of the same rows. A vector of zeros marks a chunk that cannot be embedded. */
    put: (vectors: ChunkVector[]) =>
      atomically(() => {
        const { last } = sql('select max(chunk) as last from vector').get() as { last: number | null };
        // Usually all rows are new. Removing old vectors only for rows up to the last known one saves looking up each
        // row, which costs as much as adding it.
        remove(vectors.flatMap(({ row }) => (row <= (last ?? 0) ? [row] : [])));
        const added: StoredVector[] = [];
        for (const { row, vector } of vectors) {
          const stored = toStored(vector);
          if (stored === undefined) setSegment(row, null);
          else added.push({ row, ...stored });
        }
        add(added);
      }),

    remove: (rows: number[]) => atomically(() => remove(rows)),

    /**
     * Returns the best rows for each query and the wanted rows, best first, with the score for every query. The vectors
     * are read once or, for several queries, twice: what is near to one query is compared with the others too.
     */
    search: ({ queries, limit, allowed, wanted }: VectorSearch) => {
      const quantised = queries.map(toQuery);
      const multiply = given ?? dotProducts();
      const scoresOf = (most: number, also: RowSet): Map<number, number>[] => {
        const best = queries.map(() => new BestRows(most, allowed, also));
        for (const { chunks, scales, numbers } of segments())
          for (const [at, query] of quantised.entries())
            if (query !== undefined)
              best[at]?.offer(chunks, multiply(query.numbers, numbers, chunks.length), scales, query.scale);
        return best.map((one) => new Map(one.hits().map(({ row, score }) => [row, score])));
      };
      // Segments and waiting rows are read in one snapshot, because a writer may turn one into the other.
      return atomically(() => {
        const first = scoresOf(limit, wanted);
        const rows = [...new Set(first.flatMap((own) => [...own.keys()]))];
        const scores = queries.length === 1 ? first : scoresOf(0, new RowSet(rows));
        return rows.map((row) => ({ row, scores: scores.map((own) => own.get(row) ?? 0) }));
      });
    },

    /** Returns chunks without a vector, oldest first. Vectors must be stored in this order. */
    missing: (limit: number) =>
      // Rows only grow and are embedded in order, so every row up to the last embedded one has a vector.
      sql(
        `select row, case topic when '' then text else topic || char(10) || text end as text
         from chunk where row > (select coalesce(max(chunk), 0) from vector) order by row limit ?`,
      ).all(limit) as { row: number; text: string }[],

    /** Returns every stored vector, sorted by row, to compare two indexes. */
    all: () => [...segments()].flatMap((segment) => [...vectorsOf(segment)]).sort((a, b) => a.row - b.row),
  };
}

export type Vectors = ReturnType<typeof createVectors>;

const bytesOf = (numbers: Int8Array | Int32Array | Float32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

const signed = (bytes: Uint8Array): Int8Array =>
  new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function segmentOf(row: unknown): Segment {
  const { chunks, scales, numbers } = row as SegmentRow;
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

function* vectorsOf({ chunks, scales, numbers }: Segment): Generator<StoredVector> {
  const dims = numbers.length / chunks.length;
  for (let at = 0; at < chunks.length; at++) {
    const row = chunks[at] as number;
    if (row !== removed)
      yield { row, scale: scales[at] as number, numbers: numbers.slice(at * dims, (at + 1) * dims) };
  }
}
