import { AppError } from '../base/errors.ts';

/**
 * Turns text into embedding vectors. There is one file per provider: the built-in model needs no set-up, the others
 * must be configured by the user. The contract suite in test/contract/embedders.ts runs against all of them.
 */
export interface Embedder {
  /** Identifies the model and its exact weights. Vectors with different ids are never compared. */
  readonly id: string;
  readonly dims: number;
  /**
   * Returns one vector of unit length for each text, in order, or a zero vector for a text that the model cannot
   * embed. The same text always has the same vector, whatever else is in the batch.
   */
  embed(texts: string[]): Promise<Float32Array[]>;
  /** The vectors of single words, if the model has such. */
  readonly words?: WordVectors;
}

export interface WordVectors {
  /** Numbers of the words and word pieces of a text, in order. */
  entriesOf(text: string): number[];
  /** Cosine similarity of two words or word pieces. */
  similarity(entry: number, other: number): number;
}

/** Loads or connects to the model lazily. Throws if that fails. */
export type EmbedderSource = () => Promise<Embedder>;

/** Normalises in place. A zero vector stays unchanged. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const number of vector) sum += number * number;
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / length;
  return vector;
}

/** Validates the vectors of an external provider and normalises them. Throws BACKEND_FAILURE if they are invalid. */
export function checkVectors(
  rows: unknown,
  expected: { count: number; dims: number | undefined; from: string; hint: string },
): Float32Array[] {
  const { count, from, hint } = expected;
  const invalid = (what: string): AppError => new AppError('BACKEND_FAILURE', `${from} ${what}`, { hint });
  if (!Array.isArray(rows)) throw invalid('returned no embeddings');
  if (rows.length !== count) throw invalid(`returned ${rows.length} embeddings for ${count} texts`);
  const dims = expected.dims ?? (rows[0] as unknown[] | undefined)?.length ?? 0;
  return rows.map((row: unknown) => {
    if (!Array.isArray(row) || row.length === 0 || !row.every(Number.isFinite))
      throw invalid('returned an embedding that is not a list of numbers');
    if (row.length !== dims) throw invalid(`returned ${row.length} dimensions, but this model has ${dims}`);
    return toUnitLength(Float32Array.from(row as number[]));
  });
}

/** Calls `work` sequentially with at most `size` texts each, and concatenates the results. */
export async function inBatches<Result>(
  texts: string[],
  size: number,
  work: (batch: string[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < texts.length; start += size)
    results.push(...(await work(texts.slice(start, start + size))));
  return results;
}
