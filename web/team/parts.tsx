import type { ComponentChildren } from 'preact';
import type { MemoryDetails, TeamTimeline } from '../../src/wire/answers/team.ts';
import { KindBadge } from '../parts/badges.tsx';
import { Icon } from '../parts/icon.tsx';
import { MemoryLine } from '../parts/memory-text.tsx';
import { Empty } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';
import { linkTo } from '../router.ts';

export const memoryLink = ({ id }: { id: string }): string => linkTo('note', id);

export const sources: Record<string, string> = {
  issue: 'Issue',
  comment: 'Comment',
  job: 'Agent session',
  note: 'Note',
  knowledge: 'Codebase',
};

export const sourceName = (source: string): string => sources[source] ?? source;

/** Marks text that anybody who can open an issue may have written. */
export const OutsideBadge = () => (
  <span class="state" title="Written outside the team, so it is not trusted">
    From outside
  </span>
);

/** Author, date and source of a memory in one line. */
export const Provenance = ({ memory }: { memory: MemoryDetails }) => (
  <span class="meta">
    <span class="author">
      <Icon name="person" />
      <bdi>{memory.author?.name ?? 'Unknown'}</bdi>
    </span>
    <Age at={memory.updated} />
    {sourceName(memory.source).toLowerCase() !== memory.kind && <span>{sourceName(memory.source)}</span>}
    {memory.trust === 0 && <OutsideBadge />}
    {memory.visibility === 'private' && <span class="state">Only you</span>}
  </span>
);

interface MemoryRowProps {
  of: TeamTimeline['items'][number];
  isChosen?: boolean;
  children?: ComponentChildren;
}

/** A memory in a list, with its beginning. */
export const MemoryRow = ({ of: { id, text, memory }, isChosen = false, children }: MemoryRowProps) => (
  <li class="hit" data-row data-chosen={isChosen || undefined}>
    <p class="hit-head">
      <KindBadge kind={memory.kind} />
      <Provenance memory={memory} />
    </p>
    <a class="hit-text" href={linkTo('note', id)}>
      <MemoryLine text={text.slice(0, 600)} />
    </a>
    {children}
  </li>
);

export const NothingYet = () => (
  <Empty icon="timeline" title="No memories yet">
    <p>
      Run <code>backstory team push</code> to add notes. Issues, comments and agent sessions are added
      automatically.
    </p>
  </Empty>
);
