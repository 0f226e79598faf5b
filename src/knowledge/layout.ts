import type { KnownPart } from '../domain/knowledge.ts';
import { folderOf, isSource, type ProjectTree } from './project-tree.ts';

const maxFolders = 16;
const maxNames = 8;
const maxDepth = 10;

/** The title of the part that `knowledge build` writes; the parts with other titles are the user's. */
export const foldersTitle = 'Folders';

/** Where the sources are: each folder with the names in it. */
export function foldersOf(tree: ProjectTree): KnownPart[] {
  const lines = sourceFolders(tree).map((folder) => `${folder}/: ${namesIn(tree, folder)}`);
  return lines.length === 0 ? [] : [{ title: foldersTitle, text: lines.join('\n'), source: '' }];
}

/** The source folders of the first level. A folder with most of the sources is replaced by its subfolders. */
function sourceFolders(tree: ProjectTree): string[] {
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

function namesIn(tree: ProjectTree, folder: string): string {
  const names = tree.paths
    .filter((path) => path.startsWith(`${folder}/`) && isSource(path))
    .map((path) => path.slice(folder.length + 1).split('/')[0] as string);
  const distinct = [...new Set(names)];
  return `${distinct.slice(0, maxNames).join(', ')}${distinct.length > maxNames ? ' …' : ''}`;
}
