import { z } from 'zod';

/** The filters of every tool that looks into memory; said in few words, because each costs every session. */
export const filterShape = {
  kind: z.string().optional().describe('Such as decision,gotcha,prompt,edit,command'),
  file: z.string().optional().describe('Only about this file'),
  folder: z.string().optional(),
  concept: z.string().optional(),
  agent: z.string().optional(),
  branch: z.string().optional(),
  since: z.string().optional().describe('ISO date, or 3d'),
  until: z.string().optional(),
  trust: z.number().int().min(0).max(3).optional(),
  in: z.enum(['notes', 'prompts', 'sessions', 'all']).optional(),
};
