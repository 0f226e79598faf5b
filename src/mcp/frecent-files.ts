import type { FrecentFile } from '../domain/snapshot.ts';

export type FrecentFiles = ReturnType<typeof createFrecentFiles>;

/**
 * Files of the work session that the agent resumed, which `find_files` and `context_pack` rank higher. In memory only,
 * because the server lives as long as the agent that resumed the work.
 */
export function createFrecentFiles() {
  const scores = new Map<string, number>();
  return {
    /** Remembers the files of a resumed work session; returns how many there are. */
    add(files: FrecentFile[]): number {
      for (const { path, score } of files) scores.set(path, Math.max(score, scores.get(path) ?? 0));
      return files.length;
    },
    addedTo(frecency: Map<string, number>): Map<string, number> {
      const summed = new Map(frecency);
      for (const [path, score] of scores) summed.set(path, score + (summed.get(path) ?? 0));
      return summed;
    },
  };
}
