import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { TimelineQuery } from '../recall/timeline.ts';

export const timelineShape = {
  anchor: z.string().max(200).optional().describe('An id from recall, or an ISO time'),
  query: z.string().max(20_000).optional().describe('Instead of anchor: around its best hit'),
  depth_before: z.number().int().min(0).max(50).optional(),
  depth_after: z.number().int().min(0).max(50).optional(),
};

type TimelineInput = {
  [Name in keyof typeof timelineShape]?: z.output<(typeof timelineShape)[Name]> | undefined;
};

/** Throws an error with `hint` if there is neither an anchor nor a query. */
export function timelineQueryOf(
  { anchor, query, depth_before, depth_after }: TimelineInput,
  hint: string,
): Pick<TimelineQuery, 'anchor' | 'text' | 'before' | 'after'> {
  if ((anchor ?? query ?? '') === '')
    throw new AppError('INVALID_ARGUMENT', 'no anchor or query given', { hint });
  return {
    ...(anchor === undefined ? {} : { anchor }),
    ...(query === undefined || anchor !== undefined ? {} : { text: query }),
    ...(depth_before === undefined ? {} : { before: depth_before }),
    ...(depth_after === undefined ? {} : { after: depth_after }),
  };
}
