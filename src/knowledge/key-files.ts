import type { KeyFile } from '../domain/knowledge.ts';
import { namedEntries } from './commands.ts';
import { importedBy } from './imports.ts';
import { isSource, nameOf, type ProjectTree } from './project-tree.ts';

const maxEntries = 8;
const maxImported = 8;
const maxChanged = 8;
const minUsers = 3;
const minChanges = 5;
/** Reading all files of a very large repository would take minutes. */
const maxSources = 6_000;

export interface Changes {
  /** How often each path was changed by recent commits. */
  counts: Map<string, number>;
}

/** The files to read first: entry points, files that many others import, and files that are changed often. */
export function keyFilesOf(tree: ProjectTree, changes: Changes): Omit<KeyFile, 'symbols'>[] {
  const sources = tree.paths.filter((path) => isSource(path)).slice(0, maxSources);
  const known = new Set(sources);
  const users = importedBy(tree, sources);
  const reasons = new Map<string, string[]>();
  const add = (path: string, why: string) => reasons.set(path, [...(reasons.get(path) ?? []), why]);
  for (const path of entriesOf(tree, sources)) add(path, 'entry point');
  const used = [...users].filter(([path, own]) => known.has(path) && own.size >= minUsers);
  for (const [path] of top(used, ([, own]) => own.size, maxImported)) add(path, 'used by many files');
  const changed = [...changes.counts].filter(([path, count]) => known.has(path) && count >= minChanges);
  for (const [path] of top(changed, ([, count]) => count, maxChanged)) add(path, 'changed often');
  return [...reasons]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, why]) => ({ path, why: why.join(', ') }));
}

function top<T extends [string, unknown]>(all: T[], weight: (one: T) => number, count: number): T[] {
  return [...all].sort((a, b) => weight(b) - weight(a) || (a[0] < b[0] ? -1 : 1)).slice(0, count);
}

const entryFile =
  /^(?:(?:src|lib|app|cmd|bin|packages\/[^/]+\/src|crates\/[^/]+\/src)\/(?:[^/]+\/)?)?(?:main|index|app|server|cli|mod|lib|__main__|manage|wsgi|asgi|program)\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cc?|cpp|swift)$/i;

/** Entry points that the manifest names or, without any, files with typical names. */
function entriesOf(tree: ProjectTree, sources: string[]): string[] {
  const named = namedEntries(tree).filter((path) => isSource(path));
  if (named.length > 0) return named.slice(0, maxEntries);
  const likely = sources.filter((path) => entryFile.test(path) || /(?:^|\/)main\.(?:go|rs)$/.test(path));
  const depth = (path: string): number => path.split('/').length;
  const rank = (path: string): number =>
    /^(?:main|__main__|lib|program|manage)\./i.test(nameOf(path)) ? 0 : 1;
  return likely
    .sort((a, b) => depth(a) - depth(b) || rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, maxEntries);
}
