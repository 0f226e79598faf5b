import { isoTime } from '../base/clock.ts';
import { recordFailure } from '../memory/projects/failures.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { isAway } from './ask-server.ts';
import { membershipOf, tokenFor } from './membership.ts';
import { type SyncBounds, type SyncReport, syncNotes } from './sync.ts';
import { readState, writeState } from './sync-state.ts';

/** Nobody waits for a drain, and still it must end. */
const bounds: SyncBounds = { timeoutMs: 5_000, maxRounds: 20 };
const restMs = 60_000;

/** After a drain, where somebody has joined a team; true when notes here have changed. */
export async function syncInBackground(parts: OpenProject): Promise<boolean> {
  const membership = membershipOf(parts.paths, parts.project);
  const token = membership === undefined ? undefined : tokenFor(parts.paths, membership.url);
  if (membership === undefined || token === undefined) return false;
  const { failedAt } = readState(parts.paths.project(parts.project).teamSync);
  // A server that is away is left in peace for a while; every turn of every agent ends with a drain.
  if (failedAt !== undefined && parts.clock.now() - Date.parse(failedAt) < restMs) return false;
  try {
    return hasChangedHere(await syncNotes({ parts, membership, token }, bounds));
  } catch (error) {
    // Being offline is no failure; `team status` tells of it all the same.
    if (!isAway(error)) recordFailure(parts.paths.failures, 'team sync', error, parts.clock);
    return false;
  }
}

const tryKnowledgeAgainMs = 10 * 60_000;

/**
 * Whether this machine should now bring the knowledge of the project's files: somebody of the team wants it, and its
 * user has brought it before. Saying yes is written down, so that it is not tried again with every turn.
 */
export function takesUpWish({
  paths,
  project,
  clock,
}: Pick<OpenProject, 'paths' | 'project' | 'clock'>): boolean {
  if (membershipOf(paths, project)?.bringsKnowledge !== true) return false;
  const path = paths.project(project).teamSync;
  const state = readState(path);
  const triedAt = Date.parse(state.triedKnowledgeAt ?? '') || 0;
  if (state.wantsKnowledge !== true || clock.now() - triedAt < tryKnowledgeAgainMs) return false;
  writeState(path, { ...state, triedKnowledgeAt: isoTime(clock.now()) });
  return true;
}

export const hasChangedHere = ({ pulled, forgottenHere, conflicts, unshared }: SyncReport): boolean =>
  pulled + forgottenHere + conflicts + unshared > 0;
