import { z } from 'zod';
import { defaultLimit, limitCap } from '../domain/hit.ts';

/** Parameters shared by many routes. */
export const projectShape = {
  project: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      'Name, id, start of the id, or path of the project; default: the project of the folder in which the server was started',
    ),
};

export const limitShape = {
  limit: z.int().min(1).max(limitCap).default(defaultLimit),
};

export const cursorShape = {
  ...limitShape,
  cursor: z.string().max(500).optional().describe('`next_cursor` of the previous page'),
};

export const idShape = { id: z.string().min(8).max(200) };
