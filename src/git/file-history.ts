import { resultIn } from './in-repository.ts';

/** A commit that changed a file. */
export interface FileCommit {
  hash: string;
  /** Committer time, milliseconds since 1970. */
  at: number;
  author: string;
  subject: string;
  /** The path of the file in this commit. */
  path: string;
  added: number;
  removed: number;
}

/**
 * Returns the commits that changed a file, newest first, also those before a rename. Undefined if git does not end in
 * time, as in a repository with a very long history; empty if there is no commit or no repository.
 */
export async function fileHistory(
  root: string,
  path: string,
  { maxCommits, timeoutMs }: { maxCommits: number; timeoutMs: number },
): Promise<FileCommit[] | undefined> {
  const result = await resultIn(
    root,
    [
      '--literal-pathspecs',
      'log',
      '--no-show-signature',
      '--follow',
      '--format=%x1e%H%x1f%ct%x1f%an%x1f%s%x1f',
      '--numstat',
      '-z',
      '--no-ext-diff',
      '--no-textconv',
      `--max-count=${maxCommits}`,
      'HEAD',
      '--',
      path,
    ],
    { timeoutMs },
  );
  if (result?.code === null) return undefined;
  if (result?.code !== 0) return [];
  return result.output
    .toString('utf8')
    .split('\x1e')
    .slice(1)
    .map((record) => commitOf(record, path));
}

function commitOf(record: string, path: string): FileCommit {
  const [hash = '', seconds, author = '', subject = '', rest = ''] = record.split('\x1f');
  // With a rename, the path is empty and both names follow, each ended by NUL.
  const [, added, removed, name = '', old = '', renamed = ''] =
    /(\d+|-)\t(\d+|-)\t([^\0]*)(?:\0([^\0]*)\0([^\0]*))?/.exec(rest) ?? [];
  return {
    hash,
    at: Number(seconds) * 1000,
    author,
    subject,
    path: name !== '' ? name : renamed !== '' ? renamed : old || path,
    added: Number(added) || 0,
    removed: Number(removed) || 0,
  };
}
