import { readObjects } from '../git/objects.ts';
import { filesTouchedBy, type TouchedFile } from '../git/path-history.ts';
import { changedFiles } from '../git/uncommitted-changes.ts';
import type { CurrentCode } from './current-code.ts';
import { SourceText } from './source-text.ts';

export const uncommitted = 'uncommitted';

/** Versions of files from git, cached for one query. */
export function createVersions(now: CurrentCode) {
  const { root } = now.code;
  const texts = new Map<string, SourceText | undefined>();
  const touched = new Map<string, Promise<TouchedFile[]>>();
  const readTouched = async (commit: string): Promise<TouchedFile[]> => {
    if (commit !== uncommitted) return filesTouchedBy(root, commit, now.remainingMs);
    const paths = (await changedFiles(root, now.remainingMs)) ?? [];
    return paths.map((path) => ({ path, previousPath: undefined }));
  };
  return {
    /** Reads files as of commits, named `commit:path`, with one git process. */
    async fetch(names: string[]) {
      const missing = names.filter((name) => !texts.has(name));
      const found = await readObjects(root, missing, { timeoutMs: now.remainingMs });
      for (const name of missing) {
        const text = found.get(name);
        texts.set(name, text === undefined ? undefined : new SourceText(text));
      }
    },
    get: (name: string) => texts.get(name),
    /** The files that a commit changed or, for `uncommitted`, the files that differ from HEAD. */
    touchedBy(commit: string) {
      const known = touched.get(commit) ?? readTouched(commit);
      touched.set(commit, known);
      return known;
    },
  };
}

export type Versions = ReturnType<typeof createVersions>;
