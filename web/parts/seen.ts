/**
 * The loaded part of a list, newest first and without gaps. News are added at the top, and earlier pages at the bottom.
 */
export interface Seen<Item> {
  items: Item[];
  /** Cursor of the next, earlier page; absent on the last one. */
  nextCursor?: string | undefined;
}

interface Listed {
  id: string;
}

/**
 * Removes duplicates and keeps the first of each, because an item that changed moves up and its old position is
 * outdated.
 */
export const onceEach = <Item extends Listed>(items: Item[]): Item[] =>
  [...Map.groupBy(items, ({ id }) => id).values()].map(([highest]) => highest as Item);

/**
 * Puts the newest page above the loaded items. If the two do not overlap, drops the loaded items, because some in
 * between would be missing.
 */
export function withNews<Item extends Listed>(
  seen: Seen<Item>,
  newest: Seen<Item>,
  timeOf: (item: Item) => unknown,
): Seen<Item> {
  const oldest = newest.items.at(-1);
  const at = seen.items.findIndex(
    (item) => item.id === oldest?.id && oldest !== undefined && timeOf(item) === timeOf(oldest),
  );
  if (at === -1 || newest.nextCursor === undefined) return newest;
  return {
    items: onceEach([...newest.items, ...seen.items.slice(at + 1)]),
    nextCursor: at === seen.items.length - 1 ? newest.nextCursor : seen.nextCursor,
  };
}

export const withEarlier = <Item extends Listed>(seen: Seen<Item>, earlier: Seen<Item>): Seen<Item> => ({
  items: onceEach([...seen.items, ...earlier.items]),
  nextCursor: earlier.nextCursor,
});
