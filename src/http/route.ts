import type { z } from 'zod';
import type { HttpParts } from './parts.ts';

/**
 * What programs call. Each file here is one resource and lists its routes; nothing in it knows of headers, tokens
 * or status codes, which are for `app.ts` and `guard.ts`. A route says what may be asked of it as one schema:
 * the parts of its path, and its query or its JSON body, together.
 */
export interface RouteShape {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for what varies. */
  path: string;
  summary: string;
  asks: z.ZodObject;
}

export interface Route extends RouteShape {
  answer(parts: HttpParts, asked: Record<string, unknown>): Promise<unknown>;
}

/** Gives `answer` the types of what it asks. */
export const route = <Asks extends z.ZodObject>(
  definition: Omit<Route, 'asks' | 'answer'> & {
    asks: Asks;
    answer(parts: HttpParts, asked: z.output<Asks>): Promise<unknown>;
  },
): Route => definition as unknown as Route;
