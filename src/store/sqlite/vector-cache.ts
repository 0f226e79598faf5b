/** A block of vectors: chunk rows, a scale each, and the numbers of all vectors in sequence. */
export interface Segment {
  chunks: Int32Array;
  scales: Float32Array;
  numbers: Int8Array;
}

/** Size limit of the cache. Reading vectors costs several times as much as comparing them. */
const maxBytes = 32 * 1024 * 1024;

export const noModel = -1;

/** A cache of the vectors of one model, for one state of an index. */
export class VectorCache {
  model = noModel;
  readonly segments = new Map<number, Segment>();
  /** Vectors that are stored as single rows, because they do not fill a segment yet. */
  waiting: Segment | undefined;
  #bytes = 0;

  add(id: number, segment: Segment): void {
    if (this.#bytes + segment.numbers.byteLength > maxBytes) return;
    this.#bytes += segment.numbers.byteLength;
    this.segments.set(id, segment);
  }

  drop(id: number): void {
    this.#bytes -= this.segments.get(id)?.numbers.byteLength ?? 0;
    this.segments.delete(id);
  }

  clear(model: number): void {
    this.model = model;
    this.segments.clear();
    this.waiting = undefined;
    this.#bytes = 0;
  }
}

/**
 * Keeps the vectors that a process has read, from one query to the next. The cache is valid for one seal: a
 * writer breaks the seal first and leaves a new one, so an index with the same seal has the same rows. `take`
 * gives exclusive use, because two queries can run at once.
 */
export class SealedVectorCache {
  #seal: string | undefined;
  #kept: VectorCache | undefined;

  take(seal: string | undefined): VectorCache {
    const cache = seal !== undefined && seal === this.#seal ? this.#kept : undefined;
    this.#kept = undefined;
    return cache ?? new VectorCache();
  }

  putBack(seal: string | undefined, cache: VectorCache): void {
    if (seal === undefined) return;
    this.#seal = seal;
    this.#kept = cache;
  }
}
