import { isWholeFile, type Piece } from '../domain/memo.ts';
import { linesHash } from '../text/file-lines.ts';
import type { FileInContext, PieceInContext } from './context-contents.ts';

export type Freshness =
  /** All lines in the context are unchanged and in place on disk. */
  | { status: 'fresh'; pieces: PieceInContext[] }
  /** The agent read the pieces, but those in `changed` no longer match the file. */
  | { status: 'stale'; pieces: PieceInContext[]; changed: PieceInContext[] }
  /** The agent did not read the file, or a compaction removed it from the context. */
  | { status: 'unknown'; pieces: [] };

/**
 * Compares the pieces of a file in an agent's context with the disk. Pure: `disk` are the file's lines now, undefined
 * if it is gone. Only content counts, not modification times, sizes or watchers.
 */
export function freshness(
  file: FileInContext | undefined,
  disk: string[] | undefined,
  key: string,
): Freshness {
  if (file === undefined || file.pieces.length === 0) return { status: 'unknown', pieces: [] };
  const { pieces } = file;
  const changed = pieces.filter((piece) => !isPieceIn(disk, piece, key));
  return changed.length === 0 ? { status: 'fresh', pieces } : { status: 'stale', pieces, changed };
}

/** Returns whether the file on disk still has the lines that the agent read, in the same place. */
export function isPieceIn(disk: string[] | undefined, piece: Piece, key: string): boolean {
  if (disk === undefined) return false;
  const lines = linesOf(disk, piece);
  return lines !== undefined && linesHash(key, lines) === piece.hash;
}

/** The lines at the position of the piece; undefined if the file has fewer. */
export function linesOf(disk: string[], piece: Piece): string[] | undefined {
  // If the whole file was read, an added line means that the file has changed.
  if (isWholeFile(piece)) return disk.length === piece.lines ? disk : undefined;
  const lines = disk.slice(piece.startLine - 1, piece.startLine - 1 + piece.lines);
  return lines.length === piece.lines ? lines : undefined;
}
