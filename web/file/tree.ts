import type { WorkedFile } from '../../src/wire/answers/file-page.ts';

/** A folder with the sums of all files below it. */
export interface Folder extends Omit<WorkedFile, 'path'> {
  /** More than one step of the path, where a folder has nothing but another folder. */
  name: string;
  folders: Folder[];
  files: WorkedFile[];
}

export const treeOf = (files: WorkedFile[]): Folder => folderOf('', files, 0);

/** Makes a folder of the files whose paths begin with the same `depth` steps. */
function folderOf(name: string, all: WorkedFile[], depth: number): Folder {
  const stepOf = ({ path }: WorkedFile): string => path.split('/')[depth] ?? '';
  const isHere = ({ path }: WorkedFile): boolean => path.split('/').length === depth + 1;
  const files = all.filter(isHere).sort((a, b) => (a.path < b.path ? -1 : 1));
  const below = Map.groupBy(
    all.filter((file) => !isHere(file)),
    stepOf,
  );
  const [only, ...others] = below;
  if (only !== undefined && others.length === 0 && files.length === 0 && depth > 0)
    return folderOf(`${name}/${only[0]}`, all, depth + 1);
  const sum = (of: 'lines' | 'agentLines' | 'decisions' | 'failures'): number =>
    all.reduce((total, file) => total + file[of], 0);
  return {
    name,
    folders: [...below]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([step, own]) => folderOf(step, own, depth + 1)),
    files,
    at: Math.max(0, ...all.map(({ at }) => at)),
    lines: sum('lines'),
    agentLines: sum('agentLines'),
    decisions: sum('decisions'),
    failures: sum('failures'),
  };
}
