import { readJson, writeJson } from '../../base/files.ts';
import type { ProjectPaths } from '../../base/paths.ts';
import { stepsOf } from '../../memo/steps.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { PreludeLine } from './prelude-file.ts';

/**
 * Which notes the prelude told, since when: ids only, so that nothing forgotten stays. With the starts of sessions it
 * says what each of them was told. Losing the file loses only this view.
 */
interface ToldFile {
  v: 1;
  /** Oldest first. */
  renderings: { at: number; notes: string[] }[];
}

const maxRenderings = 500;

const readTold = (path: string): ToldFile['renderings'] => {
  const file = readJson<ToldFile>(path);
  return file?.v === 1 ? file.renderings : [];
};

export function recordTold(
  { toldLines }: Pick<ProjectPaths, 'toldLines'>,
  at: number,
  lines: PreludeLine[],
): void {
  const notes = lines.flatMap(({ note }) => note ?? []);
  const before = readTold(toldLines);
  if (before.at(-1)?.notes.join() === notes.join()) return;
  const renderings = [...before, { at, notes }].slice(-maxRenderings);
  writeJson(toldLines, { v: 1, renderings } satisfies ToldFile);
}

/** A session that started with a prelude, and the notes that this told. */
export interface ToldSession {
  agentSession: string;
  agent: string;
  at: number;
  notes: string[];
}

/** The sessions that were told something at their start, newest first. */
export async function toldSessions(parts: OpenProject): Promise<ToldSession[]> {
  const renderings = readTold(parts.paths.project(parts.project).toldLines);
  const { steps } = await stepsOf(parts, {
    kinds: ['session'],
    since: renderings[0]?.at ?? parts.clock.now(),
  });
  return steps
    .flatMap((step) => {
      const isTold = step.kind === 'session' && step.phase === 'start' && step.preludeTokens > 0;
      const shown = isTold ? renderings.findLast(({ at }) => at <= step.at) : undefined;
      return shown === undefined
        ? []
        : [{ agentSession: step.agentSession, agent: step.agent, at: step.at, notes: shown.notes }];
    })
    .reverse();
}
