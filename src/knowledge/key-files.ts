import type { KeyFile } from '../domain/knowledge.ts';
import { namedEntries } from './commands.ts';
import { isSource, nameOf, type ProjectTree } from './project-tree.ts';

const maxEntries = 8;
const maxChanged = 8;
const minChanges = 5;

export interface Changes {
  /** How often each path was changed by recent commits. */
  counts: Map<string, number>;
}

/** The files to read first: entry points, and files that are changed often. */
export function keyFilesOf(tree: ProjectTree, changes: Changes): Omit<KeyFile, 'symbols'>[] {
  const sources = tree.paths.filter((path) => isSource(path));
  const known = new Set(sources);
  const reasons = new Map<string, string[]>();
  const add = (path: string, why: string) => reasons.set(path, [...(reasons.get(path) ?? []), why]);
  for (const path of entriesOf(tree, sources)) add(path, 'entry point');
  const changed = [...changes.counts].filter(([path, count]) => known.has(path) && count >= minChanges);
  changed.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  for (const [path] of changed.slice(0, maxChanged)) add(path, 'changed often');
  return [...reasons]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, why]) => ({ path, why: why.join(', ') }));
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
