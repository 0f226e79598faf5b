import { isWholeFile, type MemoStep, type Piece } from '../domain/memo.ts';

/** A piece of a file that stands in an agent session's context, as far as we were told. */
export interface PieceInContext extends Piece {
  /** When it was last seen or written, and by which event. */
  at: number;
  step: string;
  /** The commit that was checked out then. */
  head: string;
}

/** What one agent session knows of one file. */
export interface FileInContext {
  path: string;
  checkout: string;
  pieces: PieceInContext[];
  /** In all of the session, before compactions too. */
  readCount: number;
  editCount: number;
  /** Milliseconds since 1970; 0 when it was never read. */
  lastReadAt: number;
  /** True when a compaction took what was known of it. */
  isLost: boolean;
}

export interface ContextContents {
  files: Map<string, FileInContext>;
  /** How often the context was emptied after something had come into it. */
  epoch: number;
  /** When it was last emptied; 0 when it never was. */
  emptiedAt: number;
}

/**
 * What an agent session holds after these steps, which are all its own and in their order. Pure. A file is held in
 * pieces: whole when all of it was read or written, else the lines that were seen. Whether they still stand on disk
 * is another question; see freshness.ts. `silentUntil` are the ends of the times when nobody was told anything: a
 * context may have been emptied then, so it counts as emptied.
 */
export function contentsAfter(
  steps: Iterable<MemoStep>,
  subagent = '',
  silentUntil: number[] = [],
): ContextContents {
  const held: ContextContents = { files: new Map(), epoch: 0, emptiedAt: 0 };
  // A compaction is told by the hook, by the session's new start and by the transcript: one of them counts.
  let isEmpty = true;
  const ends = [...silentUntil].sort((a, b) => a - b);
  const emptyUntil = (now: number): void => {
    for (; ends[0] !== undefined && ends[0] < now; isEmpty = true) {
      if (!isEmpty) held.epoch += 1;
      empty(held, ends.shift() as number);
    }
  };
  for (const step of steps) {
    if (step.subagent !== subagent) continue;
    emptyUntil(step.at);
    if (clearsContext(step)) {
      if (!isEmpty) held.epoch += 1;
      empty(held, step.at);
    } else if (step.kind === 'read') see(fileOf(held, step), step);
    else if (step.kind === 'edit') write(fileOf(held, step), step);
    isEmpty = clearsContext(step) || (isEmpty && step.kind === 'session');
  }
  emptyUntil(Number.POSITIVE_INFINITY);
  return held;
}

/** A session that goes on keeps its context; everything else that starts one begins with none. */
export const clearsContext = (step: MemoStep): boolean =>
  step.kind === 'compaction' ||
  (step.kind === 'session' && step.phase === 'start' && step.cause !== 'resume' && step.cause !== 'fork');

function empty(held: ContextContents, at: number): void {
  held.emptiedAt = at;
  for (const file of held.files.values()) {
    if (file.pieces.length > 0) file.isLost = true;
    file.pieces = [];
  }
}

/** In another checkout the same path is another file. */
export const fileKey = (checkout: string, path: string): string => `${checkout}\0${path}`;

function fileOf(
  held: ContextContents,
  { checkout, path }: { checkout: string; path: string },
): FileInContext {
  const key = fileKey(checkout, path);
  let file = held.files.get(key);
  if (file === undefined) {
    file = { path, checkout, pieces: [], readCount: 0, editCount: 0, lastReadAt: 0, isLost: false };
    held.files.set(key, file);
  }
  return file;
}

function see(file: FileInContext, step: MemoStep & { kind: 'read' }): void {
  file.readCount += 1;
  file.lastReadAt = step.at;
  if (step.hash !== '' && step.lines > 0) put(file, step, step);
}

/**
 * Whoever edits a file knows it with the edit in it. What could not be shown to be so is not what its author has in
 * mind any more, even should the disk come to have it again: it stays stale until it is read. The hook that told of it
 * knows nothing of silences, so what is no longer held is not carried on either.
 */
function write(file: FileInContext, step: MemoStep & { kind: 'edit' }): void {
  file.editCount += 1;
  const held = new Set(file.pieces.map(({ hash }) => hash));
  const carried = new Set(step.holds.map(({ was }) => was));
  file.pieces = file.pieces
    .filter(({ hash }) => !carried.has(hash))
    .map((piece) => ({ ...piece, hash: outdated }));
  for (const piece of step.holds) if (piece.was === undefined || held.has(piece.was)) put(file, piece, step);
}

/** No lines have this hash. */
const outdated = 'outdated';

function put(file: FileInContext, piece: Piece, { at, id: step, head }: MemoStep): void {
  const { startLine, lines, total, hash, tokens } = piece;
  const kept = { startLine, lines, hash, tokens, at, step, head, ...(total === undefined ? {} : { total }) };
  file.pieces = [...file.pieces.filter((old) => !covers(kept, old)), kept];
  file.isLost = false;
}

/** What was seen again is known by the newer look alone. */
const covers = (newer: Piece, older: Piece): boolean =>
  isWholeFile(newer) ||
  (!isWholeFile(older) &&
    newer.startLine <= older.startLine &&
    newer.startLine + newer.lines >= older.startLine + older.lines);
