import { describe, expect, it } from 'vitest';
import type { TeamGraph } from '../../client/generated/types.ts';
import { around, findIn } from './around.ts';

const memory = (note: string, kind: 'note' | 'decision', label: string) => ({
  id: `note:${note}`,
  kind,
  label,
  note,
  noteKind: kind,
  source: 'note',
  trust: 2,
  author: null,
  updated: '2026-11-01T00:00:00.000Z',
});

const graph: TeamGraph = {
  nodes: [
    memory('1', 'note', 'Retry jobs'),
    memory('2', 'decision', 'Use Postgres'),
    memory('3', 'note', 'Alone'),
    { id: 'file:src/queue.ts', kind: 'file', label: 'queue.ts', path: 'src/queue.ts' },
    { id: 'concept:retries', kind: 'concept', label: 'retries' },
  ],
  edges: [
    { from: 'note:1', to: 'file:src/queue.ts', kind: 'about' },
    { from: 'note:2', to: 'file:src/queue.ts', kind: 'about' },
    { from: 'note:1', to: 'concept:retries', kind: 'mentions' },
  ],
  truncated: false,
};

describe('the neighbourhood of a node', () => {
  it('has its neighbours, and no others', () => {
    const { centre, nodes, edges, truncated } = around(graph, 'file:src/queue.ts', 10);
    expect(centre?.label).toBe('queue.ts');
    expect(nodes.map(({ id }) => id)).toEqual(['note:1', 'note:2']);
    expect(edges).toHaveLength(2);
    expect(truncated).toBe(false);
  });

  it('says how many neighbours a limit left out', () => {
    const crowd = Array.from({ length: 5 }, (_, at) => ({
      node: memory(`c${at}`, 'note', `${at}`),
      edge: { from: `note:c${at}`, to: 'concept:retries', kind: 'mentions' as const },
    }));
    const large = {
      ...graph,
      nodes: [...graph.nodes, ...crowd.map(({ node }) => node)],
      edges: [...graph.edges, ...crowd.map(({ edge }) => edge)],
    };
    const found = around(large, 'concept:retries', 2);
    expect(found.nodes).toHaveLength(2);
    expect(found.totals).toEqual({ note: 6 });
    expect(found.truncated).toBe(true);
  });

  it('finds connected nodes by words of their name', () => {
    expect(findIn(graph, 'SRC queue', 10).nodes.map(({ id }) => id)).toEqual(['file:src/queue.ts']);
    expect(findIn(graph, 'alone', 10).nodes).toEqual([]);
    expect(around(graph, 'file:nowhere', 10).centre).toBeUndefined();
  });
});
