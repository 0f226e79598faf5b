import { namedEntries } from './commands.ts';
import { folderOf, isSource, nameOf, type ProjectTree } from './project-tree.ts';

const maxFolders = 16;
const maxEntries = 8;
const maxDepth = 10;

/** The source folders of the first level. A folder with most of the sources is replaced by its subfolders. */
export function sourceFolders(tree: ProjectTree): string[] {
  const sources = tree.paths.filter((path) => isSource(path));
  const below = (folder: string): Map<string, number> => {
    const counts = new Map<string, number>();
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const path of sources) {
      const rest = path.startsWith(prefix) ? path.slice(prefix.length) : '';
      const at = rest.indexOf('/');
      if (at > 0) counts.set(prefix + rest.slice(0, at), (counts.get(prefix + rest.slice(0, at)) ?? 0) + 1);
    }
    return counts;
  };
  const expand = (folder: string, count: number, depth: number): string[] => {
    const inner = [...below(folder)].filter(([, own]) => own >= 2);
    const own = sources.filter((path) => folderOf(path) === folder).length;
    const isOnlyParent = own === 0 && inner.length === 1;
    const isDominant = depth < 4 && count > sources.length * 0.4 && inner.length > 0;
    if (depth > maxDepth || (!isOnlyParent && !isDominant)) return [folder];
    const itself = own >= 3 ? [folder] : [];
    return [...itself, ...inner.sort(byPath).flatMap(([path, size]) => expand(path, size, depth + 1))];
  };
  const first = [...below('')].filter(([, count]) => count >= 2).sort(byPath);
  const all = first.flatMap(([path, count]) => expand(path, count, 1));
  const size = (folder: string): number => sources.filter((path) => path.startsWith(`${folder}/`)).length;
  const largest = new Set(
    [...all].sort((a, b) => size(b) - size(a) || (a < b ? -1 : 1)).slice(0, maxFolders),
  );
  return all.filter((folder) => largest.has(folder));
}

const byPath = ([a]: [string, number], [b]: [string, number]): number => (a < b ? -1 : 1);

const entryFile =
  /^(?:(?:src|lib|app|cmd|bin|packages\/[^/]+\/src|crates\/[^/]+\/src)\/(?:[^/]+\/)?)?(?:main|index|app|server|cli|mod|lib|__main__|manage|wsgi|asgi|program)\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cc?|cpp|swift)$/i;

/** Entry points that the manifest names or, without any, files with typical names. */
export function entryPoints(tree: ProjectTree): string[] {
  const named = namedEntries(tree).filter((path) => isSource(path));
  if (named.length > 0) return named.slice(0, maxEntries);
  const likely = tree.paths.filter(
    (path) => isSource(path) && (entryFile.test(path) || /(?:^|\/)main\.(?:go|rs)$/.test(path)),
  );
  const depth = (path: string): number => path.split('/').length;
  const rank = (path: string): number =>
    /^(?:main|__main__|lib|program|manage)\./i.test(nameOf(path)) ? 0 : 1;
  return likely
    .sort((a, b) => depth(a) - depth(b) || rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, maxEntries);
}
