import type { FrecentFile } from '../domain/snapshot.ts';

/** Files that the resumed work is about; `find_files` and `context_pack` put them before their like. */
export interface FrecentFiles {
  /** How many are favoured because of this. */
  add(files: FrecentFile[]): number;
  /** On top of how much every file here is worked with anyway. */
  over(frecency: Map<string, number>): Map<string, number>;
}

/** For as long as the server lives, which is as long as the agent that resumed. */
export function createFrecentFiles(): FrecentFiles {
  const scores = new Map<string, number>();
  return {
    add(files) {
      for (const { path, score } of files) scores.set(path, Math.max(score, scores.get(path) ?? 0));
      return files.length;
    },
    over(frecency) {
      const summed = new Map(frecency);
      for (const [path, score] of scores) summed.set(path, score + (summed.get(path) ?? 0));
      return summed;
    },
  };
}
