import { useLayoutEffect, useState } from 'preact/hooks';
import { keeper, kept } from '../step.ts';
import { type Seen, withNews } from './seen.ts';

/** As far down as somebody went, also when they come back to it. `of` says what it is a list of; `newest` is the same until there are news. */
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
