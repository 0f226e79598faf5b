import { isProgram } from '../code/languages.ts';
import { kindOfPath, tierOf } from '../code/path-kind.ts';
import { readInside } from '../store/repo/repo-folder.ts';

/** The files of a checkout as they are told to what reads them: their paths, and the text of one. */
export interface ProjectTree {
  /** Relative, `/` between names, sorted; what git ignores is not among them. */
  paths: readonly string[];
  has(path: string): boolean;
  /** Empty where there is no such file, or none that is plain text of a sensible size. */
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

const shown = /(?:^|\/)_?(?:examples?|samples?|demos?)\//;

/** Written here to be run: no tests, documents or examples, nothing generated and nothing of others. */
export const isSource = (path: string): boolean =>
  isProgram(path) && tierOf(kindOfPath(path)) === 0 && !shown.test(path);
