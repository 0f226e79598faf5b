import { readJson, writeJson } from '../../base/files.ts';
import type { ProjectPaths } from '../../base/paths.ts';

/** A run of `backstory learn`: which past sessions a person let a model or an agent read, and for how much. */
export interface LearnRun {
  id: string;
  at: string;
  by: 'model' | 'agent';
  /** Newest first. */
  sessions: string[];
  tokens: number;
  usd: number;
  /** What an agent has read: whole sessions, and digests of the next one. */
  given?: { sessions: number; digests: number };
  undoneAt?: string;
}

export const readRuns = ({ learning }: Pick<ProjectPaths, 'learning'>): LearnRun[] =>
  readJson<{ runs?: LearnRun[] }>(learning)?.runs ?? [];

export function saveRun(paths: Pick<ProjectPaths, 'learning'>, run: LearnRun): void {
  const others = readRuns(paths).filter(({ id }) => id !== run.id);
  writeJson(paths.learning, { v: 1, runs: [...others, run] });
}
