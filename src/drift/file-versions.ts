import { changedFiles } from '../git/changed-files.ts';
import { readObjects } from '../git/objects.ts';
import { filesTouchedBy, type TouchedFile } from '../git/path-history.ts';
import type { CurrentCode } from './current-code.ts';
import { SourceText } from './source-text.ts';

/** Versions of files from git, cached for one query. */
export interface Versions {
  /** Reads files as of commits, named `commit:path`, with one git process. */
  fetch(names: string[]): Promise<void>;
  get(name: string): SourceText | undefined;
  /** The files that a commit changed or, for `uncommitted`, the files that differ from HEAD. */
  touchedBy(commit: string): Promise<TouchedFile[]>;
}

export const uncommitted = 'uncommitted';

export function createVersions(now: CurrentCode): Versions {
  const { root } = now.code;
  const texts = new Map<string, SourceText | undefined>();
  const touched = new Map<string, Promise<TouchedFile[]>>();
  const readTouched = async (commit: string): Promise<TouchedFile[]> => {
    if (commit !== uncommitted) return filesTouchedBy(root, commit, now.remainingMs);
    const paths = (await changedFiles(root, now.remainingMs)) ?? [];
    return paths.map((path) => ({ path, previousPath: undefined }));
  };
  return {
    async fetch(names) {
      const missing = names.filter((name) => !texts.has(name));
      const found = await readObjects(root, missing, now.remainingMs);
      for (const name of missing) {
        const text = found.get(name);
        texts.set(name, text === undefined ? undefined : new SourceText(text));
      }
    },
    get: (name) => texts.get(name),
    touchedBy(commit) {
      const known = touched.get(commit) ?? readTouched(commit);
      touched.set(commit, known);
      return known;
    },
  };
}
