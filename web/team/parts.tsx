import { Icon } from '../parts/icon.tsx';
import { Empty } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { linkTo } from '../router.ts';
import type { MemoryDetails } from './wire.ts';

/** Whatever it was drawn from, it has a page. */
export const memoryLink = ({ id }: { id: string }): string => linkTo('note', id);

export const sources: Record<string, string> = {
  issue: 'Issue',
  comment: 'Comment',
  job: 'Agent session',
  note: 'Note',
  knowledge: 'Codebase',
};

export const sourceName = (source: string): string => sources[source] ?? source;

/** Anybody who can open an issue may have written it. */
export const OutsideBadge = () => (
  <span class="state" title="Anybody may have written this; it is not trusted">
    From outside
  </span>
);

/** Who said it, when, and drawn from what: in one line. */
export const WhoAndWhen = ({ memory }: { memory: MemoryDetails }) => (
  <span class="meta">
    <span class="author">
      <Icon name="person" />
      <bdi>{memory.author?.name ?? 'nobody in particular'}</bdi>
    </span>
    <Age at={memory.updated} />
    {sourceName(memory.source).toLowerCase() !== memory.kind && <span>{sourceName(memory.source)}</span>}
    {memory.trust === 0 && <OutsideBadge />}
    {memory.visibility === 'private' && <span class="state">Only you</span>}
  </span>
);

export const NothingYet = () => (
  <Empty icon="timeline" title="Nothing was said yet">
    <p>
      <code>backstory team push</code> brings notes here; issues, comments and agent sessions come by
      themselves.
    </p>
  </Empty>
);
