/** A list that grows at both ends: as far down as somebody went, newest first and without a gap. */
export interface Seen<Item> {
  items: Item[];
  /** Where earlier ones are asked for; absent when there are none. */
  next?: string | undefined;
}

interface Listed {
  id: string;
}

/** Where it stands highest: what something happened to moves up. */
const onceEach = <Item extends Listed>(items: Item[]): Item[] =>
  [...Map.groupBy(items, ({ id }) => id).values()].map(([highest]) => highest as Item);

/** Where the newest page ends, what was loaded further down goes on; if so much is new that it does not, it goes. */
export function withNews<Item extends Listed>(
  seen: Seen<Item>,
  newest: Seen<Item>,
  timeOf: (item: Item) => unknown,
): Seen<Item> {
  const oldest = newest.items.at(-1);
  const at = seen.items.findIndex(
    (item) => item.id === oldest?.id && oldest !== undefined && timeOf(item) === timeOf(oldest),
  );
  if (at === -1 || newest.next === undefined) return newest;
  return {
    items: onceEach([...newest.items, ...seen.items.slice(at + 1)]),
    next: at === seen.items.length - 1 ? newest.next : seen.next,
  };
}

export const withEarlier = <Item extends Listed>(seen: Seen<Item>, earlier: Seen<Item>): Seen<Item> => ({
  items: onceEach([...seen.items, ...earlier.items]),
  next: earlier.next,
});
