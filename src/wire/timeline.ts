import { z } from 'zod';

export const timelineShape = {
  anchor: z.string().max(200).optional().describe('An id from recall, or an ISO time'),
  query: z.string().max(20_000).optional().describe('Instead: around its best hit'),
  depth_before: z.number().int().min(0).max(50).optional(),
  depth_after: z.number().int().min(0).max(50).optional(),
};
