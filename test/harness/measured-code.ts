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

/**
 * A hash of the tracked files under these paths without their unit tests. A stored result with another hash is older
 * than the code that it measured. Unlike a commit, it needs no history and also sees changes that are not committed.
 */
export function hashCode(paths: string[]): string {
  const hash = createHash('sha256');
  for (const path of trackedFiles(paths).sort())
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/**
 * What an evaluation measures: the product, its own folder, and what that imports of `bench` and `test`. Throws if a path
 * has no files, because a change to what moved elsewhere would not count.
 */
export function measuredPaths({ file, measures }: Pick<Evaluation, 'file' | 'measures'>): string[] {
  const unknown = measures.filter((path) => !path.startsWith(':!') && trackedFiles([path]).length === 0);
  if (unknown.length > 0) throw new Error(`${file} measures ${unknown.join(', ')}, which has no files`);
  const folder = relative('.', dirname(file));
  const own = new Set(trackedFiles([folder]).filter((path) => path.endsWith('.ts')));
  for (const path of own) for (const imported of importsOf(path)) own.add(imported);
  return [...measures, folder, ...[...own].filter((path) => dirname(path) !== folder).sort()];
}

const importsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)]
    .map(([, to = '']) => join(dirname(path), to))
    // A text that is written to a file can look like an import.
    .filter((to) => /^(?:bench|test)\b/.test(to) && existsSync(to));

const trackedFiles = (paths: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--', ...paths], { encoding: 'utf8' })
    .split('\0')
    .filter((name) => name !== '' && !/\.test\.tsx?$/.test(name) && existsSync(name));
