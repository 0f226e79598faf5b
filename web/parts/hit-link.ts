import type { ShownHit } from '../api.ts';
import { linkTo } from '../router.ts';

/**
 * Links a note to its page and an event to its session. A team's issue or job is shown like an event, and so is a
 * teammate's note that was not synced yet: only the server has it.
 */
export function hitLink({
  source,
  sourceId,
  agentSession,
  team,
}: Pick<ShownHit, 'source' | 'sourceId' | 'agentSession' | 'team'>): string {
  if (team !== undefined && (team.source !== 'note' || team.isOnServer === true))
    return linkTo('event', sourceId);
  if (source === 'note') return linkTo('note', sourceId);
  return eventLink(sourceId, agentSession);
}

/** An event without a session, such as a commit, has its own page. */
export const eventLink = (id: string, agentSession: string): string =>
  agentSession === '' ? linkTo('event', id) : linkTo('session', agentSession, { at: id });
