import { z } from 'zod';
import { limitCap } from '../domain/hit.ts';
import { answerFormats } from '../recall/render.ts';
import { filterShape } from './filter.ts';

export const recallShape = {
  query: z.string().min(1).describe('Plain words or identifiers'),
  ...filterShape,
  format: z.enum(answerFormats).optional(),
  explain: z.boolean().optional(),
  limit: z.number().int().min(1).max(limitCap).optional(),
  offset: z.number().int().min(0).optional(),
};
