import type { GraphAnswer, GraphNode } from '../wire.ts';

/** The graph to draw. Nodes are sorted by degree, highest first, and edges are pairs of their indices. */
export interface Connected {
  nodes: GraphNode[];
  edges: [number, number][];
  /** Indices of the neighbours of each node. */
  neighbours: number[][];
  /** Number of unconnected notes, which are not drawn. */
  alone: number;
}

export function connect({ nodes, edges }: GraphAnswer): Connected {
  const degrees = new Map<string, number>();
  for (const { from, to } of edges) for (const id of [from, to]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const degree = ({ id }: GraphNode): number => degrees.get(id) ?? 0;
  const tied = nodes.filter((node) => degree(node) > 0).sort((a, b) => degree(b) - degree(a));
  const places = new Map(tied.map(({ id }, at) => [id, at]));
  const neighbours: number[][] = tied.map(() => []);
  const pairs = edges.flatMap(({ from, to }): [number, number][] => {
    const [one, other] = [places.get(from), places.get(to)];
    if (one === undefined || other === undefined || one === other) return [];
    neighbours[one]?.push(other);
    neighbours[other]?.push(one);
    return [[one, other]];
  });
  return { nodes: tied, edges: pairs, neighbours, alone: nodes.length - tied.length };
}
