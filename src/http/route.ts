import type { z } from 'zod';
import type { Caller } from '../domain/caller.ts';
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
  /**
   * How text in the answer is cleaned. `memory`, unless told otherwise: hidden characters are dropped. `code`: they are
   * written out, so that nobody edits a line that is not there. `exact`: untouched, for programs that compare texts.
   */
  text?: 'memory' | 'code' | 'exact';
}

/**
 * A route that changes something says whether a person must ask. `needsPerson` names the action, as in "Pinning a
 * note"; it is false only for what neither approves a memory, removes one nor weakens a protection.
 */
type Access =
  | { method: 'GET'; needsPerson?: undefined }
  | { method: 'POST' | 'PATCH' | 'DELETE'; needsPerson: string | false };

export type Route = Omit<RouteShape, 'method'> &
  Access & {
    answer(parts: HttpParts, asked: Record<string, unknown>, caller: Caller): Promise<unknown>;
  };

/** Gives `answer` the types of what it asks. */
export const route = <Asks extends z.ZodObject>(
  definition: Omit<RouteShape, 'method' | 'asks'> &
    Access & {
      asks: Asks;
      answer(parts: HttpParts, asked: z.output<Asks>, caller: Caller): Promise<unknown>;
    },
): Route => definition as unknown as Route;
