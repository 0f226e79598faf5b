import { useLayoutEffect, useState } from 'preact/hooks';
import { failureOf } from '../failure.ts';
import { keeper, kept } from '../step.ts';
import { type Seen, withEarlier, withNews } from './seen.ts';
import { say } from './toast.tsx';

/**
 * Returns the loaded items of the list `of`, and restores them when the user comes back to the page. `newest` must be
 * the same object until it changes. `load` reads the page after the last item.
 */
export function useSeen<Item extends { id: string }>(
  of: string,
  newest: Seen<Item>,
  timeOf: (item: Item) => unknown,
  load: (cursor: string, last: Item) => Promise<Seen<Item>>,
) {
  const [keep] = useState(() => keeper(`seen ${of}`));
  const [seen, set] = useState<Seen<Item>>(() => {
    const before = kept<Seen<Item>>(`seen ${of}`);
    return before === undefined ? newest : withNews(before, newest, timeOf);
  });
  useLayoutEffect(() => set((before) => withNews(before, newest, timeOf)), [newest]);
  useLayoutEffect(() => keep(seen), [seen]);
  const loadMore = async () => {
    const last = seen.items.at(-1);
    if (seen.nextCursor === undefined || last === undefined) return;
    try {
      const page = await load(seen.nextCursor, last);
      set((now) => (now.items.at(-1)?.id === last.id ? withEarlier(now, page) : now));
    } catch (error) {
      say(`Loading failed: ${failureOf(error).message}`);
    }
  };
  return { items: seen.items, hasMore: seen.nextCursor !== undefined, loadMore };
}
