import { useRef, useState } from 'preact/hooks';
import { useKeys } from '../keys.ts';
import { keeper, kept } from '../step.ts';

/**
 * Which row of a list the keys are about: j and k go through it, and it stays in view. It is known by its id, because
 * others may come in above it while somebody reads. Rows are marked with `data-row`.
 */
export function useChoice(ids: string[], open: (at: number) => void) {
  const [id, setId] = useState(() => kept<string>('choice') ?? '');
  const [keep] = useState(() => keeper('choice'));
  const list = useRef<HTMLElement>(null);
  const chosen = ids.indexOf(id);
  const choose = (next: string) => {
    keep(next);
    setId(next);
  };
  const step = (by: number) => {
    const rows = [...(list.current?.querySelectorAll('[data-row]') ?? [])];
    const here = rows[chosen];
    // Who has scrolled away goes on with what they look at, and is not thrown back to where the keys were.
    const next =
      here !== undefined && isInView(here)
        ? Math.max(0, Math.min(rows.length - 1, chosen + by))
        : Math.max(0, rows.findIndex(isInView));
    rows[next]?.scrollIntoView({ block: 'nearest' });
    choose(ids[next] ?? '');
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ...(chosen < 0 ? {} : { Enter: () => open(chosen), o: () => open(chosen) }),
  });
  return { chosen, choose, list };
}

function isInView(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
