import { join } from 'node:path';
import { readGitFile } from './git-dir.ts';
import { gitFoldersOf } from './git-folders.ts';
import { readRef } from './head.ts';
import { readHistory } from './history.ts';
import { gitIn, resultIn } from './in-repository.ts';
import { type PatchFile, parsePatch } from './patch.ts';

/** What lies between two states of a repository. */
export interface RevisionRange {
  /** As the user wrote it, or with the default branch that a branch is compared with. */
  name: string;
  /** The commit before the change; the empty tree if there is none. */
  base: string;
  /** The last commit of the change; empty for what is staged. */
  head: string;
}

/** Resolves a name such as `HEAD~3`, a branch, a tag or an abbreviated hash; undefined if there is no such commit. */
export async function resolveRevision(root: string, text: string): Promise<string | undefined> {
  const [, name = '', steps = ''] = /^([^~^]+)((?:[~^]\d*)*)$/.exec(text) ?? [];
  // The isolated git directory has no refs.
  const start = name === '@' || name === 'HEAD' ? 'HEAD' : refNamed(root, name)?.hash || hashIn(name);
  if (start === '') return undefined;
  const hash = await gitIn(root, ['rev-parse', '--verify', '--quiet', `${start}${steps}^{commit}`]);
  return hash?.trim() || undefined;
}

const hashIn = (name: string): string => (/^[0-9a-f]{4,64}$/.test(name) ? name : '');

const refFolders = ['', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

function refNamed(root: string, name: string): { hash: string; isBranch: boolean } | undefined {
  const common = gitFoldersOf(root)?.common;
  for (const folder of common === undefined ? [] : refFolders) {
    const hash = readRef(common as string, `${folder}${name}`);
    if (hash !== '') return { hash, isBranch: /^refs\/(?:heads|remotes)\//.test(folder) };
  }
  return undefined;
}

/** The branch that others start from: the one that the remote names, or `main` or `master`. */
export function defaultBranch(root: string): string | undefined {
  const common = gitFoldersOf(root)?.common ?? root;
  const remotes = ['upstream', 'origin'];
  const named = remotes.flatMap((remote) => {
    const head = readGitFile(join(common, 'refs', 'remotes', remote, 'HEAD')) ?? '';
    return /^ref: refs\/remotes\/(.+)$/m.exec(head)?.[1]?.trim() ?? [];
  });
  const usual = [...remotes.map((remote) => `${remote}/`), ''].flatMap((at) => [`${at}main`, `${at}master`]);
  return [...named, ...usual].find((name) => refNamed(root, name) !== undefined);
}

/**
 * `A..B` and `A...B` are what B adds since it left A, a branch is what it adds since it left the default branch, any
 * other commit is what it changed. Undefined if the text names no commit.
 */
export async function findRange(root: string, text: string): Promise<RevisionRange | undefined> {
  const [, from, to] = /^(.*?)\.{2,3}(.*)$/.exec(text) ?? [];
  if (from !== undefined) return rangeBetween(root, from || 'HEAD', to || 'HEAD', text);
  const start = refNamed(root, text)?.isBranch === true ? defaultBranch(root) : undefined;
  const branch = start === undefined ? undefined : await rangeBetween(root, start, text, `${start}..${text}`);
  if (branch !== undefined && branch.base !== branch.head) return branch;
  const head = await resolveRevision(root, text);
  if (head === undefined) return undefined;
  return { name: text, base: (await resolveRevision(root, `${head}^`)) ?? emptyTreeLike(head), head };
}

async function rangeBetween(
  root: string,
  from: string,
  to: string,
  name: string,
): Promise<RevisionRange | undefined> {
  const [start, head] = await Promise.all([resolveRevision(root, from), resolveRevision(root, to)]);
  if (start === undefined || head === undefined) return undefined;
  const base = await gitIn(root, ['merge-base', start, head]);
  return { name, base: base?.trim() || emptyTreeLike(head), head };
}

export const stagedRange = async (root: string): Promise<RevisionRange> => {
  const head = (await resolveRevision(root, 'HEAD')) ?? '';
  return { name: 'staged', base: head || emptyTreeLike(head), head: '' };
};

/** The hash of a tree without files, in the repository's hash function. */
const emptyTreeLike = ({ length }: string): string =>
  length === 64
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const maxPatchBytes = 64 * 1024 * 1024;
const timeoutMs = 60_000;

export async function patchOf(root: string, { base, head }: RevisionRange): Promise<PatchFile[] | undefined> {
  const form = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty', '--unified=0'];
  const ends = head === '' ? ['--cached', base] : [base, head];
  const result = await resultIn(root, ['diff', ...form, '--find-renames', ...ends, '--'], {
    timeoutMs,
    maxBytes: maxPatchBytes,
  });
  return result?.code === 0 ? parsePatch(result.output.toString('utf8')) : undefined;
}

export interface RangeCommit {
  hash: string;
  /** Committer time. */
  at: number;
  author: string;
  subject: string;
  message: string;
}

const maxCommits = 1_000;

export async function commitsOf(root: string, { base, head }: RevisionRange): Promise<RangeCommit[]> {
  const commits: RangeCommit[] = [];
  const known = base === emptyTreeLike(head) ? [] : [base];
  if (head !== '')
    for await (const commit of readHistory(root, { head, known, maxCount: maxCommits })) {
      const { hash, committedAt, authorName: author, message } = commit;
      const subject = message.split('\n', 1)[0] ?? '';
      commits.unshift({ hash, at: Date.parse(committedAt), author, subject, message });
    }
  return commits;
}
