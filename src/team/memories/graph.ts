import type { ShownMemory } from '../../domain/team-memory-view.ts';
import { harmlessLine } from '../../text/fence.ts';
import type { MemoryLink } from '../store/team-browse.ts';

/**
 * A team's memories as a graph, with the files, issues and concepts that they mention. Node and edge kinds are named as
 * in the graph of a local project, and everything in it is stored data.
 */
export interface TeamGraph {
  nodes: TeamGraphNode[];
  edges: { from: string; to: string; kind: 'about' | 'mentions' }[];
  /** Whether nodes were left out of the graph, because there were too many. */
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

/** How many of the nodes may be memories. The rest is for the files, issues and concepts that connect them. */
export const maxMemoryNodes = (maxNodes: number): number => Math.ceil(maxNodes * 0.7);

const maxLabelLength = 120;

export function graphOfTeam(
  memories: ShownMemory[],
  links: MemoryLink[],
  { maxNodes, hasMore }: { maxNodes: number; hasMore: boolean },
): TeamGraph {
  const mentions = new Map<string, { link: MemoryLink; count: number }>();
  for (const link of links) {
    const id = targetId(link);
    mentions.set(id, { link, count: (mentions.get(id)?.count ?? 0) + 1 });
  }
  // Files, issues and concepts with the most mentions come first, because these connect the most memories.
  const targets = [...mentions].sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1));
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
