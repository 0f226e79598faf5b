import { z } from 'zod';
import { defaultLimit, limitCap } from '../domain/hit.ts';

/** Parameters that many routes have, each meaning the same everywhere. */
export const projectShape = {
  project: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      'Its name, its id or the start of it, or a path; by default the one of the folder in which the server was started',
    ),
};

export const limitShape = {
  limit: z.int().min(1).max(limitCap).default(defaultLimit),
};

export const cursorShape = {
  ...limitShape,
  cursor: z.string().max(500).optional().describe('`next_cursor` of the page before'),
};

export const idShape = { id: z.string().min(8).max(200) };
