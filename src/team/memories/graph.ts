import type { ShownMemory } from '../../domain/shown-memory.ts';
import { harmlessLine } from '../../text/fence.ts';
import type { MemoryLink } from '../store/team-browse.ts';

/**
 * What a team knows as a graph: its memories, and the files, issues and concepts that they speak of. By the names of
 * the graph of one's own project, and like it nothing but what is stored.
 */
export interface TeamGraph {
  nodes: TeamGraphNode[];
  edges: { from: string; to: string; kind: 'about' | 'mentions' }[];
  /** True when there was more. */
  truncated: boolean;
}

export type TeamGraphNode =
  | {
      id: string;
      kind: 'note' | 'decision';
      label: string;
      note: string;
      noteKind: string;
      source: string;
      trust: number;
      author: string | null;
      updated: string;
    }
  | { id: string; kind: 'file'; label: string; path: string }
  | { id: string; kind: 'issue' | 'concept'; label: string };

/** Of so many nodes, this part may be memories; the rest is for what ties them together. */
export const memoriesOf = (maxNodes: number): number => Math.ceil(maxNodes * 0.7);

const maxLabelLength = 120;

export function graphOfTeam(
  memories: ShownMemory[],
  links: MemoryLink[],
  { maxNodes, hasMore }: { maxNodes: number; hasMore: boolean },
): TeamGraph {
  const sharing = new Map<string, { link: MemoryLink; count: number }>();
  for (const link of links) {
    const id = targetId(link);
    sharing.set(id, { link, count: (sharing.get(id)?.count ?? 0) + 1 });
  }
  // What most speak of comes first: it holds the picture together.
  const targets = [...sharing].sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1));
  const shown = targets.slice(0, Math.max(0, maxNodes - memories.length));
  const known = new Set(shown.map(([id]) => id));
  return {
    nodes: [...memories.map(memoryNode), ...shown.map(([id, { link }]) => targetNode(id, link))],
    edges: links
      .filter((link) => known.has(targetId(link)))
      .map((link) => ({
        from: memoryId(link.memory),
        to: targetId(link),
        kind: link.relation === 'file' ? 'about' : 'mentions',
      })),
    truncated: hasMore || shown.length < targets.length,
  };
}

const memoryId = (id: string): string => `note:${id}`;
const targetId = ({ relation, target }: MemoryLink): string => `${relation}:${target}`;

const memoryNode = (memory: ShownMemory): TeamGraphNode => ({
  id: memoryId(memory.documentId),
  kind: memory.kind === 'decision' || memory.kind === 'convention' ? 'decision' : 'note',
  label: harmlessLine(memory.text, maxLabelLength),
  note: memory.documentId,
  noteKind: memory.kind,
  source: memory.source,
  trust: memory.trust,
  author: memory.author?.name ?? null,
  updated: memory.updated,
});

const targetNode = (id: string, { relation, target }: MemoryLink): TeamGraphNode =>
  relation === 'file'
    ? { id, kind: 'file', label: target.slice(target.lastIndexOf('/') + 1), path: target }
    : { id, kind: relation === 'issue' ? 'issue' : 'concept', label: target };
