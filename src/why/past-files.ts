import { readCheckoutText } from '../base/checkout-file.ts';
import { oncePer } from '../base/once-per.ts';
import type { BlamedLine } from '../git/blame.ts';
import { readObjects } from '../git/objects.ts';
import { createFileHasher, linesIn } from '../text/line-index.ts';

export const maxFileBytes = 8 * 1024 * 1024;

export const parentOf = (commit: string): string => `${commit}^`;

/** Files as of commits. Each is read and hashed once per query. */
export function createFiles(root: string, { disk, now }: { disk(path: string): string[]; now: number }) {
  const objects = new Map<string, string | undefined>();
  const texts = new Map<string, string[]>();
  const linesOf = (name: string): string[] | undefined => {
    const object = objects.get(name);
    if (object === undefined) return undefined;
    const lines = texts.get(name) ?? linesIn(object);
    texts.set(name, lines);
    return lines;
  };
  const hashed = oncePer(createFileHasher());
  const text = (line: BlamedLine): string[] =>
    line.commit === '' ? disk(line.path) : (linesOf(`${line.commit}:${line.path}`) ?? []);
  return {
    async fetch(names: string[]) {
      const missing = names.filter((name) => !objects.has(name));
      const found = await readObjects(root, missing);
      for (const name of missing) objects.set(name, found.get(name));
    },
    text,
    written(line: BlamedLine) {
      const { previous } = line;
      const before = previous && linesOf(`${previous.commit}:${previous.path}`);
      return {
        file: hashed(text(line)),
        place: line.originalLine - 1,
        path: line.path,
        writtenBefore: line.commit === '' ? now : line.at,
        authoredAt: line.commit === '' ? now : writtenAt(objects.get(line.commit)),
        current: hashed(disk(line.path)),
        before:
          previous === undefined || before === undefined
            ? undefined
            : { file: hashed(before), at: writtenAt(objects.get(previous.commit)) },
      };
    },
    hashed(name: string) {
      const lines = linesOf(name);
      return lines === undefined ? undefined : hashed(lines);
    },
    /** The time of the commit before the line's commit; 0 if unknown. */
    parentAt: ({ commit, previous }: BlamedLine) =>
      writtenAt(objects.get(previous?.commit ?? '') ?? objects.get(parentOf(commit))),
    onDisk(path: string) {
      const text = readCheckoutText(root, path, maxFileBytes);
      return text === undefined ? undefined : hashed(linesIn(text));
    },
  };
}

export type Files = ReturnType<typeof createFiles>;

const timeIn = (commit: string, header: RegExp): number => Number(header.exec(commit)?.[1] ?? 0) * 1000;

export const committedAt = (commit = ''): number => timeIn(commit, /^committer .*> (\d+) [+-]\d{4}$/m);

/** When the lines of a commit were written: a rebase, a cherry-pick and an amendment keep the author's time. */
export const writtenAt = (commit = ''): number =>
  Math.min(committedAt(commit), timeIn(commit, /^author .*> (\d+) [+-]\d{4}$/m));
