import { createHash } from 'node:crypto';
import { structuredPatch } from 'diff';
import { findCheckoutFile, readCheckoutFile } from '../../base/checkout-file.ts';
import type { Clock } from '../../base/clock.ts';
import { appendDurably, readJson, removeIfThere, writeJson } from '../../base/files.ts';
import { matchesGlob } from '../../base/glob.ts';
import { lineHash } from '../../base/hash.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { EditHunk } from '../../domain/event.ts';
import { readObjects } from '../../git/objects.ts';
import { reflogCommits } from '../../git/reflog-commits.ts';
import { headOf, looseObjectTime } from '../../git/repository.ts';
import { changedFiles, commitsSince, filesBetween } from '../../git/uncommitted-changes.ts';
import { linesIn } from '../../text/line-index.ts';
import type { CaptureContext } from './capture.ts';

/**
 * No agent reports which lines a shell command wrote. So the uncommitted files are compared after each command with
 * what they were at the last comparison. The drain decides who wrote a change: command-edits.ts.
 */
export interface Comparison {
  checkout: string;
  root: string;
  commands: EndedCommand[];
  changes: ChangedFile[];
}

/** A command with the id of its event. The start is known if the agent says how long it took. */
export interface EndedCommand {
  id: string;
  from?: number;
  until: number;
}

export interface ChangedFile {
  path: string;
  at: number;
  /** The times of the two comparisons. */
  since: number;
  seen: number;
  created: boolean;
  hunks: EditHunk[];
}

/** `lines` are hashes, one per line; absent if the file is not text, or too large. */
interface FileStates {
  at: number;
  head: string;
  files: Record<string, { size: number; mtimeMs: number; lines?: string }>;
}

export type Compared = Pick<CaptureContext, 'project' | 'checkout' | 'root' | 'exclude'>;

interface CompareParts {
  paths: HomePaths;
  userHome: string;
  clock: Clock;
}

/** More and larger files are generated; of the others one comparison reads this much. */
const limits = { files: 3_000, fileBytes: 2 ** 20, bytes: 2 ** 24, commits: 20, diffMs: 2_000 };
const commitSlackMs = 1_000;
const sha256Length = 64;

export async function compareFiles(place: Compared, commands: EndedCommand[], parts: CompareParts) {
  const { project, checkout, root } = place;
  const { fileStates, comparisons } = parts.paths.project(project);
  const path = fileStates(checkout);
  const before = readJson<FileStates>(path);
  const at = parts.clock.now();
  const head = headOf(root);
  const changed = await changedFiles(root);
  if (head === undefined || changed === undefined || changed.length > limits.files)
    return removeIfThere(path);
  const committed = before === undefined ? [] : await committedFiles(root, before, head);
  const { states, written } = readFiles(place, parts.userHome, [...changed, ...(committed ?? [])], before);
  const files = Object.fromEntries(changed.map((name) => [name, states.get(name)]));
  writeJson(path, { at, head, files });
  // What commits of others brought was not written by a command.
  const isKnown = before !== undefined && committed !== undefined;
  const changes = isKnown ? await changesSince(before, written, root, at) : [];
  const seen: Comparison = { checkout, root, commands, changes };
  if (commands.length + changes.length > 0) appendDurably(comparisons, `${JSON.stringify(seen)}\n`);
}

/** The files of commits that were made here since; undefined if HEAD moved otherwise. */
async function committedFiles(root: string, before: FileStates, head: string): Promise<string[] | undefined> {
  if (before.head === head) return [];
  const commits = await commitsSince(root, before.head, limits.commits);
  const made = await reflogCommits(root);
  const isOwn = commits.every(({ hash }) => (made.get(hash) ?? 0) >= before.at - commitSlackMs);
  const isMoved = commits.length === 0 || commits.length === limits.commits || !isOwn;
  return isMoved ? undefined : filesBetween(root, before.head, head);
}

/** A file whose size or time changed. One that is gone has no lines; they may be in another file now. */
interface WrittenFile {
  path: string;
  at: number;
  bytes: Buffer;
  lines: string;
}

/** Reads the files that were written since the comparison before, and the state of all that may be compared. */
export function readFiles(
  { root, exclude }: Compared,
  userHome: string,
  paths: string[],
  before?: FileStates,
  maxBytes = limits.bytes,
) {
  const isExcluded = (name: string): boolean => exclude.some((glob) => matchesGlob(name, glob, userHome));
  const states = new Map<string, FileStates['files'][string]>();
  const written: WrittenFile[] = [];
  let left = maxBytes;
  for (const path of new Set([...paths, ...Object.keys(before?.files ?? {})])) {
    const found = findCheckoutFile(root, path);
    if (found === undefined) written.push({ path, at: 0, bytes: Buffer.from(''), lines: '' });
    // A link has the lines of another file.
    if (found?.relativePath !== path || isEnv.test(path) || isExcluded(path) || isExcluded(found.path))
      continue;
    const { size, mtimeMs } = found.stamp;
    const known = before?.files[path];
    const isSame = known?.size === size && known.mtimeMs === mtimeMs;
    const file = isSame ? undefined : readCheckoutFile(root, path, Math.min(limits.fileBytes, left));
    const bytes = file?.kind === 'file' && !file.bytes.includes(0) ? file.bytes : undefined;
    states.set(path, isSame ? known : { size, mtimeMs });
    if (bytes === undefined) continue;
    const lines = hashesOf(bytes.toString('utf8'));
    states.set(path, { size, mtimeMs, lines });
    left -= bytes.length;
    written.push({ path, at: mtimeMs, bytes, lines });
  }
  return { states, written };
}

export const hashesOf = (text: string): string => `${linesIn(text).map(lineHash).join('\n')}\n`;

const isEnv = /(?:^|\/)\.env[^/]*$/;

async function changesSince(
  before: FileStates,
  written: WrittenFile[],
  root: string,
  seen: number,
): Promise<ChangedFile[]> {
  const { head, at: since } = before;
  const nameOf = (path: string): string => `${head}:${path}`;
  const added = written.filter(({ path }) => before.files[path] === undefined);
  const committed = await readObjects(
    root,
    added.map(({ path }) => nameOf(path)),
  );
  // Git already had what `git stash pop` and `git restore` bring back, and what was copied or renamed: in a pack, or as
  // a loose object older than the file. A stash may have stored what a person saved since the last comparison.
  const idOf = ({ bytes }: WrittenFile): string => blobId(bytes, head);
  const stored = await readObjects(root, written.map(idOf));
  const isOld = (id: string, at: number): boolean =>
    stored.has(id) && (looseObjectTime(root, id) ?? 0) < Math.max(since, at);
  const fresh = written.filter((file) => !isOld(idOf(file), file.at));
  return changesBetween(before, fresh, (path) => committed.get(nameOf(path)), seen);
}

/** The id that a file has in a repository with this commit. */
export const blobId = (bytes: Buffer, commit: string): string =>
  createHash(commit.length === sha256Length ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');

/** The changes of these files since a comparison. A file that it did not know was as committed, or did not exist. */
export function changesBetween(
  { at: since, files }: Pick<FileStates, 'at' | 'files'>,
  written: Omit<WrittenFile, 'bytes'>[],
  committed: (path: string) => string | undefined,
  seen: number,
): ChangedFile[] {
  const linesBefore = (path: string): string | undefined => {
    const known = files[path];
    if (known !== undefined) return known.lines;
    const text = committed(path);
    return text === undefined ? '' : hashesOf(text);
  };
  const changes = written.flatMap(({ path, at, lines }): ChangedFile[] => {
    const old = linesBefore(path);
    if (old === undefined) return [];
    return [{ path, at, since, seen, created: old === '', hunks: hunksBetween(old, lines) }];
  });
  // A line that left another file at the same time was moved.
  const left = new Map(
    changes.flatMap(({ path, hunks }) => hunks.flatMap((hunk) => hunk.removed.map((hash) => [hash, path]))),
  );
  return changes
    .map((change) => {
      const isMoved = (hash: string): boolean => (left.get(hash) ?? change.path) !== change.path;
      return { ...change, hunks: withoutAdded(change.hunks, isMoved) };
    })
    .filter(({ at, hunks }) => at !== 0 && hunks.length > 0);
}

/** If the diff takes too long, the whole file counts as written anew. */
function hunksBetween(old: string, now: string): EditHunk[] {
  const patch = structuredPatch('', '', old, now, '', '', { context: 0, timeout: limits.diffMs });
  const signed = (lines: string[], sign: string) =>
    lines.flatMap((line) => (line[0] === sign ? [line.slice(1)] : []));
  return (
    patch?.hunks.map(({ oldStart, newStart, lines }) => ({
      ...{ oldStart, newStart, added: signed(lines, '+'), removed: signed(lines, '-') },
    })) ?? [{ oldStart: 1, newStart: 1, added: now.split('\n'), removed: old.split('\n') }]
  );
}

export const withoutAdded = (hunks: EditHunk[], isLeftOut: (hash: string) => boolean): EditHunk[] =>
  hunks
    .map((hunk) => ({ ...hunk, added: hunk.added.filter((hash) => !isLeftOut(hash)) }))
    .filter(({ added }, at) => added.length > 0 || hunks[at]?.added.length === 0);
