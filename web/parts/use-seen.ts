import { useLayoutEffect, useState } from 'preact/hooks';
import { keeper, kept } from '../step.ts';
import { type Seen, withNews } from './seen.ts';

/**
 * Returns the loaded items of the list `of`, and restores them when the user comes back to the page. `newest` must be
 * the same object until it changes.
 */
export function useSeen<Item extends { id: string }>(
  of: string,
  newest: Seen<Item>,
  timeOf: (item: Item) => unknown,
): [Seen<Item>, (change: (seen: Seen<Item>) => Seen<Item>) => void] {
  const [keep] = useState(() => keeper(`seen ${of}`));
  const [seen, set] = useState<Seen<Item>>(() => {
    const before = kept<Seen<Item>>(`seen ${of}`);
    return before === undefined ? newest : withNews(before, newest, timeOf);
  });
  useLayoutEffect(() => set((before) => withNews(before, newest, timeOf)), [newest]);
  useLayoutEffect(() => keep(seen), [seen]);
  return [seen, set];
}
