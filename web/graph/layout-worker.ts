/** Computes the layout in a worker within a time limit, so that the page stays responsive. */

import { UndirectedGraph } from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import type { LayoutRequest, LayoutStep } from './layout.ts';

const roundsPerStep = 8;
const maxRounds = 400;

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const graph = new UndirectedGraph();
  for (let at = 0; at < data.places.length / 2; at++)
    graph.addNode(at, { x: data.places[at * 2], y: data.places[at * 2 + 1] });
  for (let at = 0; at < data.edges.length; at += 2) graph.mergeEdge(data.edges[at], data.edges[at + 1]);
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    barnesHutOptimize: graph.order > 500,
    gravity: 0.05,
    scalingRatio: 4,
    linLogMode: true,
  };
  const until = performance.now() + data.maxMs;
  for (let rounds = 0; ; rounds += roundsPerStep) {
    const isDone = rounds >= maxRounds || performance.now() > until;
    if (!isDone) forceAtlas2.assign(graph, { iterations: roundsPerStep, settings });
    const step: LayoutStep = { places: placesOf(graph), isDone };
    self.postMessage(step, { transfer: [step.places.buffer] });
    if (isDone) return;
  }
};

function placesOf(graph: UndirectedGraph): Float32Array {
  const places = new Float32Array(graph.order * 2);
  graph.forEachNode((node, { x, y }) => places.set([x, y], Number(node) * 2));
  return places;
}
