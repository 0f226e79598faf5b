import { useRef, useState } from 'preact/hooks';
import { useKeys } from '../keys.ts';
import { keeper, kept } from '../step.ts';

/**
 * The selected row of a list. j and k move it and keep it in view. It is stored by id, because new rows may arrive above
 * it. Rows have the attribute `data-row`.
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
    // If the user has scrolled away from the selected row, continue with the first visible one.
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
