import { linkTo } from '../router.ts';
import type { Hit } from '../wire.ts';

/** A note has a page of its own; what was said or done is shown where it happened. */
export function hitLink({
  source,
  sourceId,
  agentSession,
}: Pick<Hit, 'source' | 'sourceId' | 'agentSession'>): string {
  if (source === 'note') return linkTo('note', sourceId);
  return agentSession === '' ? linkTo('timeline') : linkTo('session', agentSession, { at: sourceId });
}
