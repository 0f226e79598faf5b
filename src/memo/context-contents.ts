import { isWholeFile, type MemoStep, type Piece } from '../domain/memo.ts';
import { linesHash } from '../text/file-lines.ts';

/** Lines of a file that are in an agent session's context, according to its events. */
export interface PieceInContext extends Piece {
  /** The time and the event id of the last read or edit. */
  at: number;
  step: string;
  head: string;
}

export interface FileInContext {
  path: string;
  checkout: string;
  pieces: PieceInContext[];
  /** How often the agent read the file in the whole session, including before compactions. */
  readCount: number;
  editCount: number;
  lastReadAt: number;
  isLost: boolean;
}

export interface ContextContents {
  files: Map<string, FileInContext>;
  epoch: number;
  /** When the context was last cleared; 0 if never. */
  emptiedAt: number;
}

/**
 * Computes what is in an agent session's context after these steps, which must be its own and in order. Pure. A file is
 * kept as pieces: the whole file if all of it was read or written, else the lines that were seen. `freshness` compares
 * them with the disk. `captureGapEnds` are the ends of the periods in which capture was off. The context may have been
 * cleared in such a period, so it counts as cleared.
 */
export function contentsAfter(
  steps: Iterable<MemoStep>,
  subagent = '',
  captureGapEnds: number[] = [],
): ContextContents {
  const contents: ContextContents = { files: new Map(), epoch: 0, emptiedAt: 0 };
  // A compaction is reported three times: by the hook, by the start of the new context and by the transcript. It
  // counts once, because the context is already empty the second time.
  let isEmpty = true;
  const ends = [...captureGapEnds].sort((a, b) => a - b);
  const clearUntil = (now: number): void => {
    for (; ends[0] !== undefined && ends[0] < now; isEmpty = true) {
      if (!isEmpty) contents.epoch += 1;
      clear(contents, ends.shift() as number);
    }
  };
  for (const step of steps) {
    if (step.subagent !== subagent) continue;
    clearUntil(step.at);
    if (clearsContext(step)) {
      if (!isEmpty) contents.epoch += 1;
      clear(contents, step.at);
    } else if (step.kind === 'read') addRead(fileOf(contents, step), step);
    else if (step.kind === 'edit') addEdit(fileOf(contents, step), step);
    else if (step.kind === 'served') addTold(contents, step);
    isEmpty = clearsContext(step) || (isEmpty && step.kind === 'session');
  }
  clearUntil(Number.POSITIVE_INFINITY);
  return contents;
}

/** A resumed or forked session keeps its context. Any other start begins with an empty one. */
export const clearsContext = (step: MemoStep): boolean =>
  step.kind === 'compaction' ||
  (step.kind === 'session' && step.phase === 'start' && step.cause !== 'resume' && step.cause !== 'fork');

function clear(contents: ContextContents, at: number): void {
  contents.emptiedAt = at;
  for (const file of contents.files.values()) {
    if (file.pieces.length > 0) file.isLost = true;
    file.pieces = [];
  }
}

/** Includes the checkout, because the same path is a different file in another checkout. */
export const fileKey = (checkout: string, path: string): string => `${checkout}\0${path}`;

function fileOf(
  contents: ContextContents,
  { checkout, path }: { checkout: string; path: string },
): FileInContext {
  const key = fileKey(checkout, path);
  const empty = { path, checkout, pieces: [], readCount: 0, editCount: 0, lastReadAt: 0, isLost: false };
  const file = contents.files.get(key) ?? empty;
  contents.files.set(key, file);
  return file;
}

function addRead(file: FileInContext, step: MemoStep & { kind: 'read' }): void {
  file.readCount += 1;
  file.lastReadAt = step.at;
  if (step.hash !== '' && step.lines > 0) addPiece(file, step, step);
}

/** Lines that an answer contained, or that a client without hooks was told to read; it is assumed to have done so. */
function addTold(contents: ContextContents, step: MemoStep & { kind: 'served' }): void {
  for (const { path, told } of step.body.memo ?? []) {
    if (told === undefined) continue;
    const file = fileOf(contents, { checkout: step.checkout, path });
    file.readCount += 1;
    file.lastReadAt = step.at;
    addPiece(file, told, step);
  }
}

/**
 * Applies an agent's own edit: the agent then knows the parts of the file listed in `holds`. All other pieces become
 * outdated until they are read again, even if the file on disk returns to the old text. The hook that reported the
 * edit does not know about periods without capture, so a piece that is no longer in the context is not carried over.
 */
function addEdit(file: FileInContext, step: MemoStep & { kind: 'edit' }): void {
  file.editCount += 1;
  // Nobody knows which pieces a command left as they were; the comparison with the disk tells.
  if (step.isByCommand) return;
  const known = new Set(file.pieces.map(({ hash }) => hash));
  const carried = new Set(step.holds.map(({ was }) => was));
  file.pieces = file.pieces
    .filter(({ hash }) => !carried.has(hash))
    .map((piece) => ({ ...piece, hash: outdated }));
  for (const piece of step.holds)
    if (piece.was === undefined || known.has(piece.was)) addPiece(file, piece, step);
}

/** Stands in for the hash of an outdated piece. It never equals the hash of any lines. */
export const outdated = 'outdated';

function addPiece(file: FileInContext, piece: Piece, { at, id: step, head }: MemoStep): void {
  const { startLine, lines, total, hash, tokens } = piece;
  const kept = { startLine, lines, hash, tokens, at, step, head, ...(total === undefined ? {} : { total }) };
  file.pieces = [...file.pieces.filter((old) => !covers(kept, old)), kept];
  file.isLost = false;
}

const covers = (newer: Piece, older: Piece): boolean =>
  isWholeFile(newer) ||
  (!isWholeFile(older) &&
    newer.startLine <= older.startLine &&
    newer.startLine + newer.lines >= older.startLine + older.lines);

/**
 * Compares the pieces of a file in an agent's context with the disk. Pure: `disk` are the file's lines now, undefined
 * if it is gone. Only content counts, not modification times, sizes or watchers. Without pieces, the agent did not read
 * the file, or a compaction removed it from the context.
 */
export function freshness(file: FileInContext | undefined, disk: string[] | undefined, key: string) {
  const pieces = file?.pieces ?? [];
  const changed = pieces.filter((piece) => !isPieceIn(disk, piece, key));
  const status = pieces.length === 0 ? 'unknown' : changed.length === 0 ? 'fresh' : 'stale';
  return { status, pieces, changed } as const;
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
