import type { Note } from '../../domain/note.ts';
import type { EventRow } from '../../store/store.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { readRuns } from './learning-runs.ts';

/** What was recorded after `models use`, and the past sessions that the user confirmed with `learn`. */
export interface Consent {
  since: number;
  covers(event: Pick<EventRow, 'agentSession' | 'at'>): boolean;
}

/** For what is only measured here, or read by an agent that can recall every note. */
export const everything: Consent = { since: 0, covers: () => true };

export function consentOf({ modelCalls, paths, project }: OpenProject): Consent {
  const since = modelCalls?.since ?? Number.POSITIVE_INFINITY;
  const runs = readRuns(paths.project(project)).filter(
    ({ by, undoneAt }) => by === 'model' && undoneAt === undefined,
  );
  const learned = new Set(runs.flatMap(({ sessions }) => sessions));
  return { since, covers: ({ agentSession, at }) => at > since || learned.has(agentSession) };
}

/**
 * A note is covered if all of its sources are. It may be older than all sources that it has now: then nobody knows where
 * the rest of it comes from.
 */
export function coversNote(
  { since, covers }: Consent,
  { created, derivedFrom }: Note,
  sources: ReadonlyMap<string, EventRow>,
): boolean {
  const known = derivedFrom.flatMap((id) => sources.get(id) ?? []);
  const isOldest = Date.parse(created) > since || known.some(({ at }) => at <= since);
  return isOldest && known.length === derivedFrom.length && known.every(covers);
}
