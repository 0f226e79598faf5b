import { linkTo } from '../router.ts';
import type { Hit } from '../wire.ts';

/** A note has a page of its own; what was said or done is shown where it happened. */
export function hitLink({
  source,
  sourceId,
  agentSession,
}: Pick<Hit, 'source' | 'sourceId' | 'agentSession'>): string {
  if (source === 'note') return linkTo('note', sourceId);
  return eventLink(sourceId, agentSession);
}

/** A commit belongs to no session, and is shown by itself. */
export const eventLink = (id: string, agentSession: string): string =>
  agentSession === '' ? linkTo('event', id) : linkTo('session', agentSession, { at: id });
