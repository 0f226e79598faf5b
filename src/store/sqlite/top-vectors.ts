/** Row number that marks a removed vector in a segment. */
export const removed = 0;

export interface VectorHit {
  row: number;
  /** Cosine similarity, if the model's vectors are normalized. */
  score: number;
}

/** A bit set of rows, so that checking a million rows is cheap next to comparing their vectors. */
export class RowSet {
  readonly #bits: Uint8Array;
  readonly #isExcept: boolean;

  /** With `isExcept`, the set of all other rows. */
  constructor(rows: number[], isExcept = false) {
    this.#isExcept = isExcept;
    let highest = 0;
    for (const row of rows) if (row > highest) highest = row;
    this.#bits = new Uint8Array((highest >>> 3) + 1);
    for (const row of rows) this.#bits[row >>> 3] = (this.#bits[row >>> 3] as number) | (1 << (row & 7));
  }

  has(row: number): boolean {
    return (((this.#bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0) !== this.#isExcept;
  }
}

/** Collects the best rows. Equal scores are ordered by row, so the order of insertion does not matter. */
export class BestRows {
  readonly #limit: number;
  readonly #allowed: RowSet | undefined;
  readonly #wanted: RowSet;
  readonly #extra: VectorHit[] = [];
  #best: VectorHit[] = [];
  #threshold: number;

  constructor(limit: number, allowed: RowSet | undefined, wanted: RowSet) {
    this.#limit = limit;
    this.#threshold = limit > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    this.#allowed = allowed;
    this.#wanted = wanted;
  }

  /** Adds the rows of a whole segment at once, because a function call per row would cost more than the scan. */
  offer(rows: Int32Array, sums: Int32Array, scales: Float32Array, queryScale: number): void {
    const wanted = this.#wanted;
    let threshold = this.#threshold;
    for (let at = 0; at < rows.length; at++) {
      const score = (sums[at] as number) * (scales[at] as number) * queryScale;
      const row = rows[at] as number;
      if (row === removed) continue;
      if (wanted.has(row)) this.#extra.push({ row, score });
      if (score < threshold || this.#allowed?.has(row) === false) continue;
      this.#best.push({ row, score });
      // Sorts only now and then, because most rows never get here.
      if (this.#best.length >= this.#limit * 2 + 64) {
        this.#cut();
        threshold = this.#threshold;
      }
    }
  }

  #cut(): void {
    this.#best = this.#best.sort(byScore).slice(0, this.#limit);
    const last = this.#best.at(-1);
    if (last !== undefined && this.#best.length === this.#limit) this.#threshold = last.score;
  }

  hits(): VectorHit[] {
    this.#cut();
    const known = new Set(this.#best.map(({ row }) => row));
    return [...this.#best, ...this.#extra.filter(({ row }) => !known.has(row))].sort(byScore);
  }
}

const byScore = (a: VectorHit, b: VectorHit): number => b.score - a.score || a.row - b.row;
