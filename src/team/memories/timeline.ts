import type { MemoryFilter } from '../../domain/team-memory-view.ts';
import { defaultDepth, momentIn } from '../../recall/timeline.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import type { TokenHash } from '../store/team-store.ts';
import { findMemory } from './find-memory.ts';
import { recallTeam } from './recall.ts';
import type { SearchParts } from './search.ts';

interface TeamTimelineQuery {
  /** The id of a memory, a prefix of one, or a time. */
  anchor?: string | undefined;
  /** A question whose best hit becomes the anchor, if there is no `anchor`. */
  text?: string | undefined;
  before?: number | undefined;
  after?: number | undefined;
  filter: MemoryFilter;
}

/** The memories around the anchor, oldest first, by their last change on the server. */
export async function timelineOfTeam(
  parts: SearchParts,
  token: TokenHash,
  project: string,
  query: TeamTimelineQuery,
) {
  const { text, filter, before = defaultDepth, after = defaultDepth } = query;
  const best =
    text === undefined
      ? undefined
      : await recallTeam(parts, token, project, { text, filter, limit: 1, offset: 0 });
  return parts.store.inProject(token, project, async ({ member, browse }) => {
    checkPermission(member, forReaders);
    const named = await browse.project();
    const anchor = query.anchor ?? best?.hits[0]?.id;
    if (anchor === undefined) return { project: named, anchor: undefined, memories: [] };
    const at = momentIn(anchor);
    // If an anchor can be read as an id or as a time, it is an id, as in a local timeline.
    const isId = (await browse.findByIdPrefix(anchor.toLowerCase())).length > 0;
    const middle = isId || Number.isNaN(at) ? await findMemory(browse, anchor) : at;
    const memories = await browse.around(middle, filter, { before, after });
    return { project: named, anchor: typeof middle === 'number' ? undefined : middle, memories };
  });
}
