import { UndirectedGraph } from 'graphology';
import Sigma from 'sigma';
import type { GraphKind } from '../wire.ts';
import type { Connected } from './connected.ts';
import { firstPlaces } from './first-places.ts';
import type { LayoutRequest, LayoutStep } from './layout.ts';

/** The WebGL drawing of the graph. Every node that can be clicked is also in a list. */
export interface Drawing {
  choose(node: number | undefined): void;
  show(kinds: ReadonlySet<GraphKind>): void;
  paint(isDark: boolean): void;
  close(): void;
}

interface DrawOptions {
  place: HTMLElement;
  connected: Connected;
  isDark: boolean;
  onChoose(node: number | undefined): void;
  onSettled(): void;
}

export const colours: Record<GraphKind, { light: string; dark: string }> = {
  decision: { light: '#4a3fd1', dark: '#a5a0ff' },
  note: { light: '#0f766e', dark: '#5fd0c4' },
  file: { light: '#8a8f99', dark: '#7d838e' },
  symbol: { light: '#b45309', dark: '#f0b35c' },
  issue: { light: '#1d5fa8', dark: '#86bdf5' },
  concept: { light: '#b45309', dark: '#f0b35c' },
};

/** Time limit of the layout animation. */
const layoutMs = 3_000;

export function draw({ place, connected, isDark, onChoose, onSettled }: DrawOptions): Drawing {
  const graph = new UndirectedGraph();
  let dark = isDark;
  const scale = scaleFor(place, connected.nodes.length);
  const places = firstPlaces(connected);
  for (const [at, { label, kind }] of connected.nodes.entries())
    graph.addNode(at, { x: places[at * 2], y: places[at * 2 + 1], label, kind, size: 2 });
  for (const [from, to] of connected.edges) graph.mergeEdge(from, to);
  graph.updateEachNodeAttributes((node, own) => ({
    ...own,
    size: scale * (1.5 + Math.min(8, Math.sqrt(graph.degree(node)))),
  }));

  let chosen: string | undefined;
  let pointed: string | undefined;
  let shown: ReadonlySet<GraphKind> = new Set(connected.nodes.map(({ kind }) => kind));
  const ink = () => (dark ? '#e8e8ec' : '#1c1c21');
  const faint = () => (dark ? '#25272d' : '#ececea');

  const sigma = new Sigma(graph, place, {
    labelFont: getComputedStyle(document.body).fontFamily,
    labelSize: 12,
    labelDensity: 0.35,
    labelRenderedSizeThreshold: 7 * Math.max(scale, 0.64),
    hideEdgesOnMove: connected.edges.length > 20_000,
    defaultEdgeColor: faint(),
    stagePadding: 30,
    // Accept a container without a size, which it may have while the page is opened or closed.
    allowInvalidContainer: true,
    minCameraRatio: 0.02,
    maxCameraRatio: 3,
    zIndex: true,
    labelColor: { color: ink() },
    // Draws the label of a node under the pointer. The default draws a white box in every theme.
    defaultDrawNodeHover: (context, { x, y, size, label }, settings) => {
      if (!label) return;
      context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
      const width = context.measureText(label).width;
      context.fillStyle = dark ? '#1b1d21' : '#ffffff';
      context.strokeStyle = dark ? '#3a3d45' : '#d9d9d5';
      context.beginPath();
      context.roundRect(x + size + 2, y - 11, width + 14, 22, 5);
      context.fill();
      context.stroke();
      context.fillStyle = ink();
      context.fillText(label, x + size + 9, y + 4);
    },
    nodeReducer: (node, own) => {
      const kind = own.kind as GraphKind;
      const focus = pointed ?? chosen;
      const isNear = focus === undefined || node === focus || graph.areNeighbors(node, focus);
      return {
        ...own,
        hidden: !shown.has(kind),
        color: isNear ? colours[kind][dark ? 'dark' : 'light'] : faint(),
        label: isNear ? own.label : '',
        forceLabel: focus !== undefined && isNear && (node === focus || graph.degree(focus) < 25),
        highlighted: node === chosen,
        zIndex: isNear ? 1 : 0,
      };
    },
    edgeReducer: (edge, own) => {
      const focus = pointed ?? chosen;
      const isNear = focus !== undefined && graph.extremities(edge).includes(focus);
      return {
        ...own,
        hidden: focus !== undefined && !isNear,
        color: isNear ? (dark ? '#6b6f7a' : '#b6b7bd') : dark ? '#2c2f36' : '#e0e0dc',
        size: isNear ? 1.2 : 0.5,
      };
    },
  });
  sigma.on('clickNode', ({ node }) => onChoose(Number(node)));
  sigma.on('clickStage', () => onChoose(undefined));
  sigma.on('enterNode', ({ node }) => {
    pointed = node;
    sigma.refresh({ skipIndexation: true });
  });
  sigma.on('leaveNode', () => {
    pointed = undefined;
    sigma.refresh({ skipIndexation: true });
  });

  const worker = startLayout(connected, places, ({ places: found, isDone }) => {
    graph.updateEachNodeAttributes((node, own) => ({
      ...own,
      x: found[Number(node) * 2] ?? 0,
      y: found[Number(node) * 2 + 1] ?? 0,
    }));
    if (isDone) {
      worker.terminate();
      onSettled();
    }
  });
  return {
    choose(node) {
      chosen = node === undefined ? undefined : String(node);
      const at = chosen === undefined ? undefined : sigma.getNodeDisplayData(chosen);
      if (at !== undefined)
        void sigma.getCamera().animate({ x: at.x, y: at.y, ratio: 0.35 }, { duration: animationMs() });
      sigma.refresh({ skipIndexation: true });
    },
    show(kinds) {
      shown = kinds;
      sigma.refresh({ skipIndexation: true });
    },
    paint(nowDark) {
      dark = nowDark;
      sigma.setSetting('labelColor', { color: ink() });
      sigma.refresh();
    },
    close() {
      worker.terminate();
      sigma.kill();
    },
  };
}

/** Screen area per node below which nodes shrink, so that they do not overlap on small screens. */
const pixelsPerNode = 140;
const scaleFor = ({ clientWidth, clientHeight }: HTMLElement, nodes: number): number =>
  Math.min(1, Math.max(0.5, Math.sqrt((clientWidth * clientHeight) / (nodes * pixelsPerNode))));

/** Duration of animations; 0 if the user prefers reduced motion. */
const animationMs = (): number => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 350);

function startLayout({ edges }: Connected, places: Float32Array, onStep: (step: LayoutStep) => void): Worker {
  const worker = new Worker(document.documentElement.dataset.layoutWorker ?? 'layout-worker.js', {
    type: 'module',
  });
  worker.onmessage = ({ data }: MessageEvent<LayoutStep>) => onStep(data);
  const request: LayoutRequest = { places, edges: new Int32Array(edges.flat()), maxMs: layoutMs };
  worker.postMessage(request);
  return worker;
}
