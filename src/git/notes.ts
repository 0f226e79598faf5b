import { devNull } from 'node:os';
import { join } from 'node:path';
import { git } from './git.ts';
import { readGitFile } from './git-dir.ts';
import { gitFoldersOf } from './git-folders.ts';
import { isCommitHash, readRef } from './head.ts';
import { gitIn } from './in-repository.ts';
import { createIsolatedGitDir } from './isolated-git-dir.ts';
import { readObjects } from './objects.ts';
import { type Repository, repositoryAt, settingOf } from './repository.ts';

const authorshipRef = 'refs/notes/ai';
/** Git is stopped at this size, so that a few huge notes cost little memory. Commits come first. */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 5_000;
const listTimeoutMs = 60_000;

export interface NotedCommit {
  /** The commit object, as git stores it. */
  object: string;
  note?: string;
}

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

/**
 * Adds or replaces notes in `refs/notes/ai`, in one commit. Returns what git said if it failed, also because another
 * program changed the ref at the same time; nothing of its work is lost.
 */
export async function writeNotes(
  root: string,
  notes: Map<string, string>,
  { message, now }: { message: string; now: number },
): Promise<string | undefined> {
  const repository = repositoryAt(root);
  if (repository === undefined) return `${root} is not a git repository`;
  const before = notesHead(root);
  const gitDir = createIsolatedGitDir(root, repository, false);
  try {
    const { environment } = gitDir;
    const input = importStream(notes, { before, by: identityOf(repository), at: now, message });
    const made = await git({
      args: ['fast-import', '--quiet'],
      cwd: root,
      environment,
      input,
      timeoutMs: listTimeoutMs,
    });
    const after = readGitFile(join(gitDir.folder, authorshipRef))?.trim() ?? '';
    if (made.code !== 0 || !isCommitHash(after)) return made.message || 'git fast-import made no notes';
    // Only this command sees the repository's configuration, of which it can run nothing but hooks.
    const args = ['-c', `core.hooksPath=${devNull}`, 'update-ref', '-m', message, authorshipRef, after];
    const updated = await git({
      args: [...args, before || '0'.repeat(after.length)],
      cwd: root,
      environment: { GIT_DIR: repository.commonDir },
      timeoutMs: listTimeoutMs,
    });
    return updated.code === 0 ? undefined : updated.message;
  } finally {
    gitDir.remove();
  }
}

function importStream(
  notes: Map<string, string>,
  { before, by, at, message }: { before: string; by: string; at: number; message: string },
): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  return [
    `commit ${authorshipRef}\n`,
    `committer ${by} ${Math.floor(at / 1000)} +0000\n`,
    data(message),
    before === '' ? '' : `from ${before}\n`,
    ...[...notes].map(([commit, text]) => `N inline ${commit}\n${data(text)}`),
  ].join('');
}

function identityOf(repository: Repository): string {
  const [name = '', mail = ''] = ['user.name', 'user.email'].map((key) =>
    settingOf(repository, key).replace(/[<>\n\r\0]/g, ''),
  );
  return `${name || 'Backstory'} <${mail}>`;
}
