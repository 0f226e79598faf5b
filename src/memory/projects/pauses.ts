import { join } from 'node:path';
import { readJson, writeJson } from '../../base/files.ts';
import type { HomePaths } from '../../base/paths.ts';

/**
 * When capture was switched off or paused. Hooks write nothing then; but the agent's own transcript goes on, and
 * is read later. What it holds from such a time was said in the belief that nobody listens, and is passed over.
 */
export interface Silence {
  /** Milliseconds since 1970. */
  from: number;
  /** Infinity, kept as null, while it lasts. */
  until: number | null;
}

const everywhere = (paths: HomePaths): string => join(paths.home, 'silences.json');
const inProject = (paths: HomePaths, project: string): string =>
  join(paths.project(project).folder, 'silences.json');
const fileOf = (paths: HomePaths, project?: string): string =>
  project === undefined ? everywhere(paths) : inProject(paths, project);

export function beginSilence(paths: HomePaths, from: number, until: number | null, project?: string): void {
  const file = fileOf(paths, project);
  writeJson(file, [...(readJson<Silence[]>(file) ?? []), { from, until }]);
}

export function endSilence(paths: HomePaths, now: number, project?: string): void {
  const file = fileOf(paths, project);
  const known = readJson<Silence[]>(file);
  if (known === undefined) return;
  writeJson(
    file,
    known.map((silence) =>
      (silence.until ?? Number.POSITIVE_INFINITY) > now ? { ...silence, until: now } : silence,
    ),
  );
}

export function silencesOf(paths: HomePaths, project: string): Silence[] {
  return [everywhere(paths), inProject(paths, project)].flatMap((file) => readJson<Silence[]>(file) ?? []);
}

export const isSilent = (at: number, silences: Silence[]): boolean =>
  silences.some(({ from, until }) => at >= from && at <= (until ?? Number.POSITIVE_INFINITY));
