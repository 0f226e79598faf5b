import { AppError } from '../base/errors.ts';

/**
 * What turns text into vectors, as the rest of the product sees it. One file per provider; the built-in model
 * needs nothing, the others only run where the user has set them up. The suite in test/contract/embedders.ts
 * runs against every one of them.
 */
export interface Embedder {
  /** Names the model and its exact weights. Vectors of different ids are never compared. */
  readonly id: string;
  readonly dims: number;
  /**
   * One vector of length one for each text, in order; a vector of zeros for a text the model cannot judge.
   * The same text gives the same vector, whatever stands beside it.
   */
  embed(texts: string[]): Promise<Float32Array[]>;
}

/** Loads or reaches the model when it is first needed, and only then; throws when that fails. */
export type EmbedderSource = () => Promise<Embedder>;

/** In place. A vector of zeros stays one. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const number of vector) sum += number * number;
  if (sum === 0) return vector;
  const length = Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / length;
  return vector;
}

/** What came from outside, as vectors of length one, or a refusal that says what is wrong with it. */
export function checkVectors(
  rows: unknown,
  expected: { count: number; dims?: number; from: string; hint: string },
): Float32Array[] {
  const { count, from, hint } = expected;
  const refuse = (what: string): AppError => new AppError('BACKEND_FAILURE', `${from} ${what}`, { hint });
  if (!Array.isArray(rows)) throw refuse('answered without embeddings');
  if (rows.length !== count) throw refuse(`answered ${rows.length} embeddings for ${count} texts`);
  const dims = expected.dims ?? (rows[0] as unknown[] | undefined)?.length ?? 0;
  return rows.map((row: unknown) => {
    if (!Array.isArray(row) || row.length === 0 || !row.every(Number.isFinite))
      throw refuse('answered an embedding that is not a list of numbers');
    if (row.length !== dims) throw refuse(`answered ${row.length} dimensions, but this model has ${dims}`);
    return toUnitLength(Float32Array.from(row as number[]));
  });
}

/** Calls `work` with at most `size` texts at a time, one call after the other, and joins what they give. */
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
