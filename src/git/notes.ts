import { gitFoldersOf } from './git-folders.ts';
import { isCommitHash, readRef } from './head.ts';
import { gitIn } from './in-repository.ts';
import { readObjects } from './objects.ts';

export const authorshipRef = 'refs/notes/ai';
/** Git is stopped at this size, so that a few huge notes cost little memory. Commits come first. */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 5_000;
const listTimeoutMs = 60_000;

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
export function notesHead(root: string): string {
  const folders = gitFoldersOf(root);
  return folders === undefined ? '' : readRef(folders.common, authorshipRef);
}

const maxListed = 10_000;

/** All commits with a note, and their notes, also commits that no branch contains. */
export async function readAllNotes(root: string): Promise<Map<string, string>> {
  const head = notesHead(root);
  const list = head === '' ? undefined : await gitIn(root, ['ls-tree', '-r', head], timeoutMs);
  const entries = (list ?? '').split('\n').flatMap((line): [string, string][] => {
    const [, blob, path] = /^100644 blob ([0-9a-f]+)\t([0-9a-f/]+)$/.exec(line) ?? [];
    return blob === undefined || path === undefined ? [] : [[path.replaceAll('/', ''), blob]];
  });
  const listed = entries.slice(0, maxListed);
  const texts = await readObjects(
    root,
    listed.map(([, blob]) => blob),
    { timeoutMs: listTimeoutMs, maxBytes },
  );
  return new Map(
    listed.flatMap(([commit, blob]): [string, string][] => {
      const text = texts.get(blob);
      return text === undefined || !isCommitHash(commit) ? [] : [[commit, text]];
    }),
  );
}

/** Git spreads many notes over folders; how deep depends on their number. */
const notePaths = (hash: string): string[] => [
  hash,
  `${hash.slice(0, 2)}/${hash.slice(2)}`,
  `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash.slice(4)}`,
];
