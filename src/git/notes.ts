import { gitFoldersOf } from './git-folders.ts';
import { readRef } from './head.ts';
import { readObjects } from './objects.ts';

const authorshipRef = 'refs/notes/ai';
/** Git is stopped at this size, so that a few huge notes cost little memory. Commits come first. */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 5_000;

export interface NotedCommit {
  /** The commit object, as git stores it. */
  object: string;
  /** The text of its note in `refs/notes/ai`. */
  note?: string;
}

/** Reads commits and their notes with one git process. */
export async function readNotedCommits(
  root: string,
  hashes: Iterable<string>,
): Promise<Map<string, NotedCommit>> {
  const commits = [...new Set(hashes)];
  const head = notesHead(root);
  const names =
    head === '' ? [] : commits.flatMap((hash) => notePaths(hash).map((path) => `${head}:${path}`));
  const objects = await readObjects(root, [...commits, ...names], { timeoutMs, maxBytes });
  return new Map(
    commits.flatMap((hash): [string, NotedCommit][] => {
      const object = objects.get(hash);
      const note = notePaths(hash)
        .map((path) => objects.get(`${head}:${path}`))
        .find((text) => text !== undefined);
      return object === undefined ? [] : [[hash, { object, ...(note === undefined ? {} : { note }) }]];
    }),
  );
}

/** The commit of the notes; empty if the repository has none. */
function notesHead(root: string): string {
  const folders = gitFoldersOf(root);
  return folders === undefined ? '' : readRef(folders.common, authorshipRef);
}

/** Git spreads many notes over folders; how deep depends on their number. */
const notePaths = (hash: string): string[] => [
  hash,
  `${hash.slice(0, 2)}/${hash.slice(2)}`,
  `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash.slice(4)}`,
];
