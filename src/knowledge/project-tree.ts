import { isProgram } from '../code/languages.ts';
import { kindOfPath, tierOf } from '../code/path-kind.ts';
import { readInside } from '../store/repo/repo-folder.ts';

/** The files of a checkout: their paths and texts. */
export interface ProjectTree {
  /** Relative to the root, with `/` as separator, sorted, without files that git ignores. */
  paths: readonly string[];
  has(path: string): boolean;
  /** The text of a file; empty if it is missing, not a regular file, or too large. */
  read(path: string): string;
}

export function createProjectTree(root: string, paths: string[]): ProjectTree {
  const own = paths.filter((path) => !path.startsWith('.backstory/')).sort();
  const known = new Set(own);
  return {
    paths: own,
    has: (path) => known.has(path),
    read: (path) => (known.has(path) ? (readInside(root, path) ?? '') : ''),
  };
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const examples = /(?:^|\/)_?(?:examples?|samples?|demos?)\//;

/** Source code of the project itself: no tests, documents, examples, generated or vendored files. */
export const isSource = (path: string): boolean =>
  isProgram(path) && tierOf(kindOfPath(path)) === 0 && !examples.test(path);
