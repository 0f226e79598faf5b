import { join } from 'node:path';
import { readJson, writeJson } from '../../base/files.ts';
import type { HomePaths } from '../../base/paths.ts';

/**
 * A period in which capture was off or paused. Hooks write nothing then, but the agent continues its own transcript,
 * which Backstory reads later. Records of such a period are skipped, because the user expected them not to be captured.
 */
export interface Pause {
  from: number;
  /** End of the pause; null while it lasts. */
  until: number | null;
}

/** Without a project, the file with the pauses of all. */
const fileOf = (paths: HomePaths, project?: string): string =>
  join(project === undefined ? paths.home : paths.project(project).folder, 'pauses.json');

export function beginPause(paths: HomePaths, from: number, until: number | null, project?: string): void {
  const file = fileOf(paths, project);
  writeJson(file, [...(readJson<Pause[]>(file) ?? []), { from, until }]);
}

export function endPause(paths: HomePaths, now: number, project?: string): void {
  const file = fileOf(paths, project);
  const known = readJson<Pause[]>(file);
  if (known === undefined) return;
  writeJson(
    file,
    known.map((pause) =>
      (pause.until ?? Number.POSITIVE_INFINITY) > now ? { ...pause, until: now } : pause,
    ),
  );
}

export const pausesOf = (paths: HomePaths, project: string): Pause[] =>
  [fileOf(paths), fileOf(paths, project)].flatMap((file) => readJson<Pause[]>(file) ?? []);

export const isPausedAt = (at: number, pauses: Pause[]): boolean =>
  pauses.some(({ from, until }) => at >= from && at <= (until ?? Number.POSITIVE_INFINITY));
