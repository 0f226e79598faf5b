import type { GraphNode } from '../wire.ts';
import type { Connected } from './connected.ts';

/**
 * Where nodes stand before anything is computed: folders spread over the plane, their files around each, and every
 * note beside the first file or symbol it is tied to. So the picture makes sense at once, is the same every time, and
 * whatever time there is for the layout goes into the fine work.
 */
export function firstPlaces({ nodes, neighbours }: Connected): Float32Array {
  const places = new Float32Array(nodes.length * 2);
  const isHub = (at: number): boolean => ['file', 'symbol'].includes(nodes[at]?.kind ?? '');
  const hubs = nodes.map((_, at) => at).filter(isHub);
  const folders = [...Map.groupBy(hubs, (at) => folderOf(nodes[at] as GraphNode))];
  const put = (at: number, [x, y]: [number, number]): void => places.set([x, y], at * 2);
  for (const [place, [, own]] of folders.entries()) {
    const [x, y] = around(place, folderRoom);
    for (const [among, at] of own.entries()) {
      const [dx, dy] = around(among, fileRoom);
      put(at, [x + dx, y + dy]);
    }
  }
  const beside = new Map<number, number>();
  for (const at of nodes.keys()) {
    if (isHub(at)) continue;
    const home = neighbours[at]?.find(isHub) ?? -1;
    const among = beside.get(home) ?? 0;
    beside.set(home, among + 1);
    const [dx, dy] = around(among + 2, noteRoom);
    put(at, [(places[home * 2] ?? 0) + dx, (places[home * 2 + 1] ?? 0) + dy]);
  }
  return places;
}

const folderRoom = 260;
const fileRoom = 80;
const noteRoom = 6;

const folderOf = ({ path = '' }: GraphNode): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A sunflower: even, and nothing lies on anything else. */
function around(at: number, room: number): [number, number] {
  const angle = at * Math.PI * (3 - Math.sqrt(5));
  const away = Math.sqrt(at) * room;
  return [Math.cos(angle) * away, Math.sin(angle) * away];
}
