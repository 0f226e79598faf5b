import type { TeamGraph } from '../../client/generated/types.ts';
import { type GraphKind, type Neighbourhood, pathOf } from './graph-answer.ts';

type TeamNode = TeamGraph['nodes'][number];

/** The neighbourhood of a node in a whole graph, which a team server returns. Neighbours with most edges come first. */
export function around(graph: TeamGraph, node: string, limit: number): Neighbourhood {
  const { nodes, edges } = graph;
  const centre = nodes.find(({ id }) => id === node);
  const tied = new Set(edges.flatMap(({ from, to }) => (from === node ? [to] : to === node ? [from] : [])));
  const own = byDegree(graph).filter(({ id }) => tied.has(id));
  const first = firstOfEach(own, limit);
  const shown = new Set([node, ...first.nodes.map(({ id }) => id)]);
  return {
    ...(centre === undefined ? {} : { centre }),
    ...first,
    edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
    truncated: first.nodes.length < own.length,
    isPartial: graph.truncated,
  };
}

/** Nodes whose name has all the words, those with most edges first. */
export function findIn(graph: TeamGraph, text: string, limit: number): Neighbourhood {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = byDegree(graph).filter((node) =>
    words.every((word) => `${pathOf(node)} ${node.label}`.toLowerCase().includes(word)),
  );
  const first = firstOfEach(found, limit);
  return {
    ...first,
    edges: [],
    truncated: first.nodes.length < found.length,
    isPartial: graph.truncated,
  };
}

function byDegree({ nodes, edges }: TeamGraph): TeamNode[] {
  const degrees = new Map<string, number>();
  for (const { from, to } of edges) for (const id of [from, to]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const degree = ({ id }: TeamNode): number => degrees.get(id) ?? 0;
  return nodes.filter((node) => degree(node) > 0).sort((a, b) => degree(b) - degree(a));
}

function firstOfEach(nodes: TeamNode[], limit: number): Pick<Neighbourhood, 'nodes' | 'totals'> {
  const byKind = Map.groupBy(nodes, ({ kind }) => kind);
  const totals: Partial<Record<GraphKind, number>> = {};
  for (const [kind, own] of byKind) totals[kind] = own.length;
  return { nodes: [...byKind.values()].flatMap((own) => own.slice(0, limit)), totals };
}
