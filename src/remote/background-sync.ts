import { recordFailure } from '../memory/projects/failures.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { membershipOf, tokenFor } from './membership.ts';
import { isUnreachable } from './request-server.ts';
import { quickBounds, type SyncReport, syncNotes } from './sync.ts';
import { readState } from './sync-state.ts';

const retryAfterFailureMs = 60_000;

/** Syncs after a drain, if the project has joined a team. Returns true if local notes have changed. */
export async function syncInBackground(parts: OpenProject): Promise<boolean> {
  const membership = membershipOf(parts.paths, parts.project);
  const token = membership === undefined ? undefined : tokenFor(parts.paths, membership.url);
  if (membership === undefined || token === undefined) return false;
  const { failedAt } = readState(parts.paths.project(parts.project).teamSync);
  // Do not retry an unreachable server at once: a drain runs after every turn of every agent.
  if (failedAt !== undefined && parts.clock.now() - Date.parse(failedAt) < retryAfterFailureMs) return false;
  try {
    return hasLocalChanges(await syncNotes({ parts, membership, token }, quickBounds));
  } catch (error) {
    // An unreachable server is not recorded as a failure, because being offline is normal. `team status` shows it.
    if (!isUnreachable(error)) recordFailure(parts.paths.failures, 'team sync', error, parts.clock);
    return false;
  }
}

export const hasLocalChanges = ({
  pulled,
  forgottenHere,
  conflicts,
  unshared,
  disputes,
  memories,
}: SyncReport): boolean => pulled + forgottenHere + conflicts + unshared + disputes + memories > 0;
