import { changedFiles } from '../git/changed-files.ts';
import { readObjects } from '../git/objects.ts';
import { filesTouchedBy, type TouchedFile } from '../git/path-history.ts';
import type { CurrentCode } from './current-code.ts';
import { SourceText } from './source-text.ts';

/** What git tells of files for one question, each thing asked once. */
export interface Versions {
  /** Reads files as commits have them, by `commit:path`, all by one process. */
  fetch(names: string[]): Promise<void>;
  get(name: string): SourceText | undefined;
  /** What a commit touched, or what differs from the last one. */
  touchedBy(commit: string): Promise<TouchedFile[]>;
}

export const uncommitted = 'uncommitted';

export function createVersions(now: CurrentCode): Versions {
  const { root } = now.code;
  const texts = new Map<string, SourceText | undefined>();
  const touched = new Map<string, Promise<TouchedFile[]>>();
  const look = async (commit: string): Promise<TouchedFile[]> => {
    if (commit !== uncommitted) return filesTouchedBy(root, commit, now.left);
    const paths = (await changedFiles(root, now.left)) ?? [];
    return paths.map((path) => ({ path, previousPath: undefined }));
  };
  return {
    async fetch(names) {
      const missing = names.filter((name) => !texts.has(name));
      const found = await readObjects(root, missing, now.left);
      for (const name of missing) {
        const text = found.get(name);
        texts.set(name, text === undefined ? undefined : new SourceText(text));
      }
    },
    get: (name) => texts.get(name),
    touchedBy(commit) {
      const known = touched.get(commit) ?? look(commit);
      touched.set(commit, known);
      return known;
    },
  };
}
