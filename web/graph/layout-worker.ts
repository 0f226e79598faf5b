import { UndirectedGraph } from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import { firstPlace, type LayoutStep, type LayoutWish } from './layout.ts';

/** Finds places for the nodes in a thread of its own, for so long and no longer; the page stays quick meanwhile. */
const roundsPerStep = 8;
const mostRounds = 400;

self.onmessage = ({ data }: MessageEvent<LayoutWish>) => {
  const graph = new UndirectedGraph();
  for (let at = 0; at < data.nodes; at++) graph.addNode(at, firstPlace(at));
  for (let at = 0; at < data.edges.length; at += 2) graph.mergeEdge(data.edges[at], data.edges[at + 1]);
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    barnesHutOptimize: data.nodes > 500,
    gravity: 1.2,
    linLogMode: true,
    adjustSizes: false,
  };
  const until = performance.now() + data.maxMs;
  for (let rounds = 0; ; rounds += roundsPerStep) {
    const isDone = rounds >= mostRounds || performance.now() > until;
    if (!isDone) forceAtlas2.assign(graph, { iterations: roundsPerStep, settings });
    const step: LayoutStep = { positions: positionsOf(graph), isDone };
    self.postMessage(step, { transfer: [step.positions.buffer] });
    if (isDone) return;
  }
};

function positionsOf(graph: UndirectedGraph): Float32Array {
  const positions = new Float32Array(graph.order * 2);
  graph.forEachNode((node, { x, y }) => positions.set([x, y], Number(node) * 2));
  return positions;
}
