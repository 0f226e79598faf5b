import { linkTo } from '../router.ts';
import type { Hit } from '../wire.ts';

/** Links a note to its page and an event to its session. */
export function hitLink({
  source,
  sourceId,
  agentSession,
}: Pick<Hit, 'source' | 'sourceId' | 'agentSession'>): string {
  if (source === 'note') return linkTo('note', sourceId);
  return eventLink(sourceId, agentSession);
}

/** An event without a session, such as a commit, has its own page. */
export const eventLink = (id: string, agentSession: string): string =>
  agentSession === '' ? linkTo('event', id) : linkTo('session', agentSession, { at: id });
