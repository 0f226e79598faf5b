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
