import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { TimelineQuery } from '../recall/timeline.ts';

export const timelineShape = {
  anchor: z.string().max(200).optional().describe('An id from recall, or an ISO time'),
  query: z.string().max(20_000).optional().describe('Instead: around its best hit'),
  depth_before: z.number().int().min(0).max(50).optional(),
  depth_after: z.number().int().min(0).max(50).optional(),
};

type Asked = { [Name in keyof typeof timelineShape]?: z.output<(typeof timelineShape)[Name]> | undefined };

/** What was asked, in the words of recall. `hint` says how to ask, where nothing was. */
export function timelineAsked(
  { anchor, query, depth_before, depth_after }: Asked,
  hint: string,
): Pick<TimelineQuery, 'anchor' | 'text' | 'before' | 'after'> {
  if ((anchor ?? query ?? '') === '') throw new AppError('INVALID_ARGUMENT', 'around what?', { hint });
  return {
    ...(anchor === undefined ? {} : { anchor }),
    ...(query === undefined || anchor !== undefined ? {} : { text: query }),
    ...(depth_before === undefined ? {} : { before: depth_before }),
    ...(depth_after === undefined ? {} : { after: depth_after }),
  };
}
