import type { GraphNode } from '../wire.ts';
import type { Connected } from './connected.ts';

/**
 * Initial positions of the nodes: folders spread over the plane, their files around each, and every note next to the
 * first file or symbol it is connected to. The drawing is readable at once and the same every time, and the layout
 * only has to refine it.
 */
export function firstPlaces({ nodes, neighbours }: Connected): Float32Array {
  const places = new Float32Array(nodes.length * 2);
  const isHub = (at: number): boolean => ['file', 'symbol'].includes(nodes[at]?.kind ?? '');
  const hubs = nodes.map((_, at) => at).filter(isHub);
  const folders = [...Map.groupBy(hubs, (at) => folderOf(nodes[at] as GraphNode))];
  const put = (at: number, [x, y]: [number, number]): void => places.set([x, y], at * 2);
  for (const [place, [, own]] of folders.entries()) {
    const [x, y] = around(place, folderSpacing);
    for (const [among, at] of own.entries()) {
      const [dx, dy] = around(among, fileSpacing);
      put(at, [x + dx, y + dy]);
    }
  }
  const beside = new Map<number, number>();
  for (const at of nodes.keys()) {
    if (isHub(at)) continue;
    const home = neighbours[at]?.find(isHub) ?? -1;
    const among = beside.get(home) ?? 0;
    beside.set(home, among + 1);
    const [dx, dy] = around(among + 2, noteSpacing);
    put(at, [(places[home * 2] ?? 0) + dx, (places[home * 2 + 1] ?? 0) + dy]);
  }
  return places;
}

const folderSpacing = 260;
const fileSpacing = 80;
const noteSpacing = 6;

const folderOf = ({ path = '' }: GraphNode): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Position on a sunflower spiral, which spreads points evenly without overlap. */
function around(at: number, spacing: number): [number, number] {
  const angle = at * Math.PI * (3 - Math.sqrt(5));
  const away = Math.sqrt(at) * spacing;
  return [Math.cos(angle) * away, Math.sin(angle) * away];
}
