import { streamIn } from './in-repository.ts';

export interface Commit {
  hash: string;
  /** When it was written, ISO-8601; an amended, rebased or cherry-picked commit keeps it. */
  at: string;
  committedAt: string;
  authorName: string;
  authorEmail: string;
  message: string;
  files: string[];
}

export interface HistoryRange {
  /** Commits reachable from here are known already. */
  known: string[];
  since?: string;
  maxCount?: number;
}

const recordMark = '\x1e';
const fieldMark = '\x1f';
const format = `${recordMark}%H${fieldMark}%aI${fieldMark}%cI${fieldMark}%an${fieldMark}%ae${fieldMark}%B${fieldMark}`;

/**
 * The commits that lead to HEAD, newest first, as they come: a long history never stands in memory.
 */
export async function* readHistory(root: string, range: HistoryRange): AsyncGenerator<Commit> {
  const args = [
    'log',
    'HEAD',
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
  const decoder = new TextDecoder();
  let held = '';
  try {
    for await (const piece of log.pieces) {
      const records = (held + decoder.decode(piece, { stream: true })).split(recordMark);
      held = records.pop() ?? '';
      for (const text of records) yield* parse(text);
    }
    yield* parse(held);
  } finally {
    log.stop();
    await log.ended;
  }
}

function* parse(text: string): Generator<Commit> {
  const [hash, at, committedAt, authorName, authorEmail, message, names] = text.split(fieldMark);
  if (hash === undefined || !/^[0-9a-f]{40,64}$/.test(hash) || at === undefined) return;
  yield {
    hash,
    at,
    committedAt: committedAt ?? at,
    authorName: authorName ?? '',
    authorEmail: authorEmail ?? '',
    message: (message ?? '').trim(),
    files: (names ?? '').split('\n').filter((name) => name !== ''),
  };
}
