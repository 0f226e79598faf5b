import { z } from 'zod';
import { trustNames } from '../domain/event.ts';

/**
 * Filter parameters of everything that searches memory. `src/wire` has one file of schemas per resource, so that MCP
 * and HTTP accept the same parameters. Descriptions are short, because they cost tokens in every agent session.
 */
export const filterShape = {
  kind: z.string().optional().describe('Such as decision,rule,failed,prompt,edit'),
  file: z.string().optional(),
  folder: z.string().optional(),
  topic: z.string().optional(),
  concept: z.string().optional(),
  agent: z.string().optional(),
  branch: z.string().optional(),
  since: z.string().optional().describe('Date, 3d or yesterday'),
  until: z.string().optional(),
  trust: z.enum(trustNames).optional(),
  in: z.enum(['notes', 'prompts', 'observations', 'sessions', 'all']).optional(),
};
