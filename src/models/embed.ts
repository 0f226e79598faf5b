export interface Embedder {
  /** Identifies the model and its exact weights. Vectors with different ids are never compared. */
  readonly id: string;
  readonly dims: number;
  /**
   * Returns one vector of unit length for each text, in order, or a zero vector for a text that the model cannot
   * embed. The same text always has the same vector, whatever else is in the batch.
   */
  embed(texts: string[]): Promise<Float32Array[]>;
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
