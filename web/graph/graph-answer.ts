import type { Graph, TeamGraph } from '../../client/generated/types.ts';

/** A node of a local project, which has symbols, or of a team, which has issues and concepts. */
export type GraphNode = Graph['nodes'][number] | TeamGraph['nodes'][number];
export type GraphKind = GraphNode['kind'];
export type GraphEdge = Graph['edges'][number] | TeamGraph['edges'][number];

/** One node with everything that is connected to it. */
export interface Neighbourhood {
  /** Absent if nothing is known about the node. */
  centre?: GraphNode | undefined;
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Number of neighbours of each kind, with those that were left out. */
  totals: Partial<Record<GraphKind, number | undefined>>;
  /** True if neighbours were left out because of the limit. */
  truncated: boolean;
  /** Set if only the newest memories of a team were looked at. */
  isPartial?: boolean;
}

/** The file of a node; empty if it has none. */
export const pathOf = (node: GraphNode): string => ('path' in node ? node.path : '');

/** The id of the note that a node is; empty if it is none. */
export const noteOf = (node: GraphNode): string => ('note' in node ? node.note : '');
