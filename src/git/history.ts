import { linesOf } from '../base/lines.ts';
import { streamIn } from './in-repository.ts';

export interface Commit {
  hash: string;
  /** Author date, ISO-8601; an amended, rebased or cherry-picked commit keeps it. */
  at: string;
  committedAt: string;
  authorName: string;
  message: string;
  files: string[];
}

export interface HistoryRange {
  head?: string;
  /** Commits that are already known. They and the commits reachable from them are skipped. */
  known: string[];
  since?: string;
  maxCount?: number;
}

const recordMark = '\x1e';
const fieldMark = '\x1f';
const format = `${recordMark}%H${fieldMark}%aI${fieldMark}%cI${fieldMark}%an${fieldMark}%B${fieldMark}`;

/** Yields commits, newest first, as a stream, so that a long history is never in memory as a whole. */
export async function* readHistory(root: string, range: HistoryRange): AsyncGenerator<Commit> {
  const args = [
    'log',
    range.head ?? 'HEAD',
    ...range.known.map((hash) => `^${hash}`),
    `--format=${format}`,
    '--name-only',
    '--no-ext-diff',
    '--no-renames',
    ...(range.since === undefined ? [] : [`--since=${range.since}`]),
    ...(range.maxCount === undefined ? [] : [`--max-count=${range.maxCount}`]),
    '--',
  ];
  const log = streamIn(root, args);
  if (log === undefined) return;
  try {
    for await (const record of linesOf(log.pieces, recordMark)) yield* parse(record);
  } finally {
    log.stop();
    await log.ended;
  }
}

function* parse(text: string): Generator<Commit> {
  const [hash, at, committedAt, authorName, message, names] = text.split(fieldMark);
  if (hash === undefined || !/^[0-9a-f]{40,64}$/.test(hash) || at === undefined) return;
  yield {
    hash,
    at,
    committedAt: committedAt ?? at,
    authorName: authorName ?? '',
    message: (message ?? '').trim(),
    files: (names ?? '').split('\n').filter((name) => name !== ''),
  };
}
