import { z } from 'zod';
import { limitCap, maxWordingLength, maxWordings } from '../recall/hit.ts';
import { answerFormats } from '../recall/render.ts';
import { filterShape } from './filter.ts';

export const wordings = z.array(z.string().max(maxWordingLength)).max(maxWordings).optional();

export const recallShape = {
  query: z.string().optional().describe('Words or identifiers'),
  wordings: wordings.describe(
    '3–5 more: names, identifiers, error texts, synonyms as they may have been said',
  ),
  ...filterShape,
  session: z.string().optional(),
  format: z.enum(answerFormats).optional(),
  explain: z.boolean().optional(),
  limit: z.number().int().min(1).max(limitCap).optional(),
  offset: z.number().int().min(0).optional(),
};
