import { AppError } from '../base/errors.ts';

/** A cursor of what is counted and not dated: how many were shown before. */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined || /^\d{1,7}$/.test(cursor)) return Number(cursor ?? 0);
  throw new AppError('INVALID_QUERY', `${cursor} is not a cursor`, {
    hint: 'Give next_cursor of an earlier answer',
  });
}
