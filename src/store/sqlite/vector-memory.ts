/** So many vectors as they are compared: rows of chunks, a scale each, and the numbers one after another. */
export interface Segment {
  chunks: Int32Array;
  scales: Float32Array;
  numbers: Int8Array;
}

/** Up to this size a process keeps what it has read: reading costs several times what comparing does. */
const maxBytes = 32 * 1024 * 1024;

export const noModel = -1;

/** Vectors of one model in one state of an index. */
export class KeptVectors {
  model = noModel;
  readonly segments = new Map<number, Segment>();
  /** Those that fill no segment yet. */
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
 * What a process has read of an index's vectors, from one question to the next. It belongs to the seal under
 * which it was read: whoever writes breaks the seal first and leaves another one, so an index under the same
 * seal holds the same rows. Whoever takes it has it alone, for two questions may be under way at once.
 */
export class VectorMemory {
  #seal: string | undefined;
  #kept: KeptVectors | undefined;

  take(seal: string | undefined): KeptVectors {
    const kept = seal !== undefined && seal === this.#seal ? this.#kept : undefined;
    this.#kept = undefined;
    return kept ?? new KeptVectors();
  }

  giveBack(seal: string | undefined, kept: KeptVectors): void {
    if (seal === undefined) return;
    this.#seal = seal;
    this.#kept = kept;
  }
}
