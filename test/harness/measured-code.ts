import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Evaluation } from './evaluation.ts';

/** What a hook runs from its start until its event is on disk. */
export const hookToLog = [
  'src/cmd/hook.ts',
  'src/cmd/hook-cache.ts',
  'src/cmd/start-drain.ts',
  'src/hooks/run-hook.ts',
  'src/agents/claude-code/hook.ts',
  'src/agents/observe.ts',
  'src/memory/capture/capture.ts',
  'src/memory/capture/lost-writes.ts',
  'src/memory/projects',
  'src/store/events',
  'src/base/files.ts',
  'src/base/lines.ts',
];

/** What brings the log into the index, and rebuilds it. */
export const logToIndex = [
  'src/cmd/drain.ts',
  'src/memory/drain.ts',
  'src/memory/capture/event-writer.ts',
  'src/recall/catch-up.ts',
  'src/recall/chunks.ts',
  'src/recall/replay-log.ts',
  'src/recall/unindexed-events.ts',
  'src/recall/with-index.ts',
  'src/store/index-fault.ts',
  'src/store/sqlite',
  'src/base/sqlite.ts',
];

/** What decides which statements become notes, and which of them new sessions are told. */
export const statementRules = [
  'src/distil',
  'src/memory/notes',
  'src/memory/prelude/may-show-note.ts',
  'src/memory/prelude/prelude-notes.ts',
  'src/memory/sessions/session-exchanges.ts',
  'src/mcp/remember.ts',
  'src/recall/possible-changes.ts',
  'src/text',
];

/** What any check depends on: other packages, or another build, may break anything. */
const always = ['package-lock.json', 'scripts/build*.ts', 'scripts/entry-points.ts', 'scripts/pack.ts'];

/** Unit tests run every time, so a change of one of them proves nothing new elsewhere. */
const isUnitTest = (path: string): boolean => /^(?:src|web|client)\/.*\.test\.tsx?$/.test(path);

const trackedFiles = (paths: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--', ...paths], { encoding: 'utf8' })
    .split('\0')
    .filter((name) => name !== '' && !isUnitTest(name) && existsSync(name));

export const measuredFiles = (paths: string[]): string[] => trackedFiles([...always, ...paths]).sort();

/**
 * A hash of the tracked files under these paths without unit tests. A stored result with another hash is older than the
 * code that it measured. Unlike a commit, it needs no history and also sees changes that are not committed.
 */
export function hashCode(
  paths: string[],
  read: (path: string) => Uint8Array = (path) => readFileSync(path),
): string {
  const hash = createHash('sha256');
  for (const path of measuredFiles(paths)) hash.update(`${path}\0`).update(read(path)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/**
 * What an evaluation measures: the product, its own folder, and what that imports of `bench` and `test`. Throws if a path
 * has no files, because a change to what moved elsewhere would not count.
 */
export function measuredPaths({ file, measures }: Pick<Evaluation, 'file' | 'measures'>): string[] {
  const folder = relative('.', dirname(file));
  return [...known(measures, file), folder, ...checkFiles(trackedFiles([folder]))];
}

/** These paths, as git takes them. Throws if one has no files. */
export function known(paths: string[], owner: string): string[] {
  const files = trackedFiles(paths);
  const isThere = (path: string): boolean =>
    /^:!|\*/.test(path) || files.some((name) => name === path || name.startsWith(`${path}/`));
  const unknown = paths.filter((path) => !isThere(path));
  if (unknown.length > 0) throw new Error(`${owner} measures ${unknown.join(', ')}, which has no files`);
  return paths;
}

/**
 * These files of a check, and those of bench and test that they import. What they import of the product is not among
 * them, because a check names the folders whose promises it measures.
 */
export function checkFiles(entries: string[]): string[] {
  const found = new Set(entries.filter((path) => path.endsWith('.ts')));
  for (const path of found) for (const imported of importsOf(path)) found.add(imported);
  return [...found].sort();
}

/** Lists of what checks measure. What a change of them means for a check shows in its files. */
const lists = ['test/groups.ts', 'test/harness/measured-code.ts'];

const importsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/\b(?:from |import\()'(\.[^']+)'/g)]
    .map(([, to = '']) => join(dirname(path), to))
    // A text that is written to a file can look like an import.
    .filter((to) => /^(?:bench|test)\b/.test(to) && !lists.includes(to) && existsSync(to));
