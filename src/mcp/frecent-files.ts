import type { FrecentFile } from '../domain/snapshot.ts';

/** Files of the work session that the agent resumed. `find_files` and `context_pack` rank them higher. */
export interface FrecentFiles {
  /** Remembers the files of a resumed work session; returns how many there are. */
  add(files: FrecentFile[]): number;
  /** Returns the frecency of this checkout with the scores of resumed work added. */
  addedTo(frecency: Map<string, number>): Map<string, number>;
}

/** In memory only, because the server lives as long as the agent that resumed the work. */
export function createFrecentFiles(): FrecentFiles {
  const scores = new Map<string, number>();
  return {
    add(files) {
      for (const { path, score } of files) scores.set(path, Math.max(score, scores.get(path) ?? 0));
      return files.length;
    },
    addedTo(frecency) {
      const summed = new Map(frecency);
      for (const [path, score] of scores) summed.set(path, score + (summed.get(path) ?? 0));
      return summed;
    },
  };
}
