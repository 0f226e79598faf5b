import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';

const longest = 4_096;

/** Of somebody who is not known little is read, and only what says beforehand how long it is. */
export function checkShortBody({ req }: Context): void {
  if (Number(req.header('content-length') ?? longest + 1) <= longest) return;
  throw new AppError('INVALID_ARGUMENT', 'the body is too long', {
    hint: `At most ${longest} bytes, with a content-length`,
  });
}
