/**
 * A piece of code that something in memory concerns, as tools told it: an edit that wrote it, a read that showed it, a
 * commit that brought it. It is known by hashes; no text of it is kept.
 */
export interface Anchor {
  /** Relative to the working tree, as it was called then. */
  path: string;
  /** Where it began, from 1; 0 where that is not known. */
  start: number;
  /** Which lines they are; unknown ones are told by the commit they stood in. */
  lines: AnchorLines;
  /** The commit it stood in or was written on; empty where nobody knows. */
  commit: string;
  branch: string;
  /** When it was so, milliseconds since 1970. */
  at: number;
  /** What it is a part of, where that was asked when it was tied. */
  symbol?: string;
}

export type AnchorLines =
  /** `lineHash` of each. */
  | { kind: 'hashes'; hashes: string[]; replaced?: Replaced }
  /** So many lines, with one hash over all of them under this device's key; empty where it is another device's. */
  | { kind: 'span'; count: number; hash: string };

/** The lines that an edit took out to put its own there, and where they stood in the file before it. */
export interface Replaced {
  start: number;
  hashes: string[];
}

export type DriftState =
  /** Every line of it stands, in its file and in order. */
  | 'current'
  /** It stands, in another file or at another place of its own. */
  | 'moved'
  /** Some of it does, or something else stands in its place. */
  | 'changed'
  | 'gone'
  /** It stands on the branch it was written on, and was never here. */
  | 'elsewhere'
  /** Nothing ties it to code. */
  | 'unanchored'
  /** There was no time to look, or nothing to compare with. */
  | 'unchecked';

/** What has become of the code that something concerns. */
export interface Drift {
  state: DriftState;
  /** Where it stands, or where it stood. */
  path?: string;
  from?: number;
  to?: number;
  symbol?: string;
  /** Its file before it moved. */
  was?: string;
  /** The commit that changed or removed it; `uncommitted` where none did yet; absent where that is not known. */
  by?: string;
  /** Where it stands instead. */
  branch?: string;
  /** Of so many lines, these stand. */
  keptLines: number;
  of: number;
}
