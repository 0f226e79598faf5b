import { AppError } from '../base/errors.ts';

/**
 * The position at which a page ends: time and id of its last item. Because the next page starts from there and not from
 * a count, items that are added between two requests neither repeat nor hide others. Clients get it as an opaque
 * cursor.
 */
export interface PageEnd {
  at: number;
  id: string;
}

export const cursorOf = ({ at, id }: PageEnd): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

export function readCursor(cursor: string | undefined): PageEnd | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [unknown, unknown];
    if (typeof at === 'number' && Number.isFinite(at) && typeof id === 'string') return { at, id };
  } catch {
    // Reported below, like other invalid cursors.
  }
  throw new AppError('INVALID_ARGUMENT', 'invalid cursor', { hint: 'Pass nextCursor of the previous page' });
}

/** One page of a list that is sorted newest first, with the cursor of the next page. */
export function pageOf<T>(
  all: T[],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  endOf: (item: T) => PageEnd,
): { items: T[]; total: number; nextCursor?: string } {
  const end = readCursor(cursor);
  const isAfter = (item: T): boolean => {
    const { at, id } = endOf(item);
    return end === undefined || at < end.at || (at === end.at && id > end.id);
  };
  const rest = end === undefined ? all : all.filter(isAfter);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    total: all.length,
    ...(rest.length > limit && last !== undefined ? { nextCursor: cursorOf(endOf(last)) } : {}),
  };
}
