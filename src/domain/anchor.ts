/**
 * A piece of code that a memory refers to. It comes from an edit that wrote the code, a read that showed it, or a
 * commit that contained it. Only hashes of the code are kept, never its text.
 */
export interface Anchor {
  /** Path relative to the working tree, as it was when the anchor was recorded. */
  path: string;
  /** First line, from 1; 0 if unknown. */
  start: number;
  /** Hashes of the lines. If this device cannot check them, the lines are read from `commit`. */
  lines: AnchorLines;
  /** The commit that contained the code, or HEAD when it was written; empty if unknown. */
  commit: string;
  branch: string;
  at: number;
  /** The enclosing function, class or other symbol, if it was determined. */
  symbol?: string;
}

export type AnchorLines =
  /** The `lineHash` of each line. */
  | { kind: 'hashes'; hashes: string[]; replaced?: Replaced }
  /** `count` lines with one hash over all of them, keyed by this device; empty if another device recorded it. */
  | { kind: 'span'; count: number; hash: string };

/** The lines that an edit removed, and their first line number in the file before the edit. */
export interface Replaced {
  start: number;
  hashes: string[];
}

export type DriftState =
  /** Every line of the anchored code still exists, in the same file and order. */
  | 'current'
  /** The anchored code exists in another file, or elsewhere in the same file. */
  | 'moved'
  /** Some lines of the anchored code exist, or other code replaced them. */
  | 'changed'
  | 'gone'
  /** The anchored code was written on another branch, and was never on the current one. */
  | 'elsewhere'
  /** The memory refers to no code. */
  | 'unanchored'
  /** There was no time for the check, or nothing to compare with. */
  | 'unchecked';

/** The state of the code that a memory refers to. */
export interface Drift {
  state: DriftState;
  /** The current place of the code, or its last known one. */
  path?: string;
  from?: number;
  to?: number;
  symbol?: string;
  /** The file that contained the code when the anchor was recorded, if it has moved since. */
  was?: string;
  /** The commit that changed or removed the code, or `uncommitted`; absent if unknown. */
  by?: string;
  /** The branch on which the code was written, if the state is `elsewhere`. */
  branch?: string;
  /** How many lines of the code still exist; `of` is how many there were when the anchor was recorded. */
  keptLines: number;
  of: number;
}
