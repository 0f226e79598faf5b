import type { BlamedLine } from './blame.ts';

/** A file in the output of `git diff --unified=0`. */
export interface PatchFile {
  /** The path after the change; empty if the file was deleted. */
  path: string;
  /** The path before it; empty if the file is new. */
  oldPath: string;
  hunks: PatchHunk[];
}

export interface PatchHunk {
  start: number;
  added: string[];
  removed: string[];
}

/** The lines that a change from `base` to `commit` adds to a file, as blaming `commit` would name them. */
export const linesAdded = (
  { path, oldPath, hunks }: PatchFile,
  { commit, base, at }: { commit: string; base: string | undefined; at: number },
): BlamedLine[] => {
  const previous = oldPath === '' || base === undefined ? undefined : { commit: base, path: oldPath };
  const common = { commit, path, previous, author: '', at, summary: '' };
  return hunks.flatMap(({ start, added }) =>
    added.map((text, index) => ({ ...common, text, line: start + index, originalLine: start + index })),
  );
};

/** Reads a patch without context lines. Files whose lines git does not show, such as binary ones, have no hunks. */
export function parsePatch(patch: string): PatchFile[] {
  const files: PatchFile[] = [];
  let hunk: PatchHunk | undefined;
  for (const raw of patch.split('\n')) {
    if (raw.startsWith('diff --')) {
      hunk = undefined;
      files.push({ path: '', oldPath: '', hunks: [] });
    }
    const file = files.at(-1);
    if (file === undefined) continue;
    const line = raw.replace(/\r$/, '');
    if (line.startsWith('@@ ')) {
      const [, start = ''] = /\+(\d+)/.exec(line) ?? [];
      hunk = { start: Number(start), added: [], removed: [] };
      file.hunks.push(hunk);
    } else if (hunk === undefined) {
      if (line.startsWith('+++ ')) file.path = nameIn(line.slice(4), 'b/');
      if (line.startsWith('--- ')) file.oldPath = nameIn(line.slice(4), 'a/');
    } else if (line.startsWith('+')) hunk.added.push(line.slice(1));
    else if (line.startsWith('-')) hunk.removed.push(line.slice(1));
  }
  return files.filter(({ path, oldPath }) => path !== '' || oldPath !== '');
}

/** Git appends a tab to a name that contains a space, and uses /dev/null for a file that does not exist. */
const nameIn = (text: string, prefix: string): string => {
  const name = text.replace(/\t$/, '');
  return name.startsWith(prefix) ? name.slice(prefix.length) : '';
};
