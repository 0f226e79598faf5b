import { isWholeFile, type Piece } from '../domain/memo.ts';
import { linesHash } from '../text/file-lines.ts';
import type { FileInContext, PieceInContext } from './context-contents.ts';

export type Freshness =
  /** Every line that was seen stands on disk as it was seen, where it was seen. */
  | { status: 'fresh'; pieces: PieceInContext[] }
  /** Some do not; `changed` are those. */
  | { status: 'stale'; pieces: PieceInContext[]; changed: PieceInContext[] }
  /** It was not seen, or is no longer in the context. */
  | { status: 'unknown'; pieces: [] };

/**
 * Whether what an agent session holds of a file is what the disk has now. Pure: `disk` are the file's lines at the
 * moment of the question, undefined when it is gone. Times, sizes and watchers play no part; only content is asked.
 */
export function freshness(
  file: FileInContext | undefined,
  disk: string[] | undefined,
  key: string,
): Freshness {
  if (file === undefined || file.pieces.length === 0) return { status: 'unknown', pieces: [] };
  const { pieces } = file;
  const changed = pieces.filter((piece) => !standsIn(disk, piece, key));
  return changed.length === 0 ? { status: 'fresh', pieces } : { status: 'stale', pieces, changed };
}

export function standsIn(disk: string[] | undefined, piece: Piece, key: string): boolean {
  if (disk === undefined) return false;
  const lines = linesOf(disk, piece);
  return lines !== undefined && linesHash(key, lines) === piece.hash;
}

/** The lines that stand where the piece stood; undefined when there are not as many. */
export function linesOf(disk: string[], piece: Piece): string[] | undefined {
  // A line added to a file that was seen whole is one that was not seen.
  if (isWholeFile(piece)) return disk.length === piece.lines ? disk : undefined;
  const lines = disk.slice(piece.startLine - 1, piece.startLine - 1 + piece.lines);
  return lines.length === piece.lines ? lines : undefined;
}
