import { AppError } from '../base/errors.ts';

/** Parses a cursor that is the number of results already shown. */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined || /^\d{1,7}$/.test(cursor)) return Number(cursor ?? 0);
  throw new AppError('INVALID_QUERY', `${cursor} is not a cursor`, {
    hint: 'Pass the cursor of an earlier answer',
  });
}
