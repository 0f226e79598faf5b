import { useLayoutEffect, useState } from 'preact/hooks';
import type { Neighbourhood } from './graph-answer.ts';

interface Line {
  key: string;
  path: string;
  ends: [string, string];
  weight: number;
}

interface LinesProps {
  /** Holds the cards of the nodes, which have the attribute `data-node-id`. */
  box: { current: HTMLElement | null };
  edges: Neighbourhood['edges'];
  /** Lines between two neighbours are drawn only while one of them is pointed at. */
  centre: string;
  /** The node under the pointer or with the focus; its lines are emphasized. */
  pointed: string | undefined;
}

/** Curves between the cards of connected nodes. Cards above each other, as on a phone, have none. */
export function Lines({ box, edges, centre, pointed }: LinesProps) {
  const [lines, set] = useState<Line[]>([]);
  useLayoutEffect(() => {
    const place = box.current;
    if (place === null) return;
    const watcher = new ResizeObserver(() => set(linesIn(place, edges)));
    watcher.observe(place);
    return () => watcher.disconnect();
  }, [edges]);
  return (
    <svg class="graph-lines" aria-hidden="true">
      {lines
        .filter(({ ends }) => ends.includes(centre) || (pointed !== undefined && ends.includes(pointed)))
        .map(({ key, path, ends, weight }) => (
          <path
            key={key}
            d={path}
            data-near={(pointed !== undefined && ends.includes(pointed)) || undefined}
            stroke-width={Math.min(4, 1 + Math.log2(weight) / 2)}
          />
        ))}
    </svg>
  );
}

function linesIn(place: HTMLElement, edges: Neighbourhood['edges']): Line[] {
  const origin = place.getBoundingClientRect();
  const cards = new Map(
    [...place.querySelectorAll<HTMLElement>('[data-node-id]')].map((card) => [
      card.dataset.nodeId ?? '',
      card.getBoundingClientRect(),
    ]),
  );
  return edges.flatMap((edge): Line[] => {
    const { from, to, kind } = edge;
    const weight = ('weight' in edge ? edge.weight : undefined) ?? 1;
    const [a, b] = [cards.get(from), cards.get(to)];
    if (a === undefined || b === undefined) return [];
    const [left, right] = a.left < b.left ? [a, b] : [b, a];
    if (right.left < left.right) return [];
    const [x1, y1] = [left.right - origin.left, left.top + left.height / 2 - origin.top];
    const [x2, y2] = [right.left - origin.left, right.top + right.height / 2 - origin.top];
    const bend = (x2 - x1) / 2;
    return [
      {
        key: `${from} ${to} ${kind}`,
        path: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
        ends: [from, to],
        weight,
      },
    ];
  });
}
