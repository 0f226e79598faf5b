import type { z } from 'zod';
import type { Caller } from '../domain/caller.ts';
import type { HttpParts } from './parts.ts';

/**
 * A route of the HTTP API. Each file in this folder is one resource and lists its routes. Headers, tokens and status
 * codes belong to `app.ts` and `guard.ts`. One schema covers all parameters: path, query and JSON body.
 */
export interface RouteShape {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path of the URL, with `:name` for parameters. */
  path: string;
  summary: string;
  params: z.ZodObject;
  /**
   * How hidden characters in the answer are treated. `memory`, the default: dropped. `code`: escaped, so that the
   * reader sees that the line contains them. `exact`: unchanged, for programs that compare texts.
   */
  text?: 'memory' | 'code' | 'exact';
}

/**
 * Every route that changes something declares whether only a person may call it. `needsPerson` names the action, as in
 * "Pinning a note". It is false only for routes that neither approve or remove memory nor weaken a protection.
 */
type Access =
  | { method: 'GET'; needsPerson?: undefined }
  | { method: 'POST' | 'PATCH' | 'DELETE'; needsPerson: string | false };

export type Route = Omit<RouteShape, 'method'> &
  Access & {
    answer(parts: HttpParts, input: Record<string, unknown>, caller: Caller): Promise<unknown>;
  };

/** Types the parameters of `answer` by the schema. */
export const route = <Params extends z.ZodObject>(
  definition: Omit<RouteShape, 'method' | 'params'> &
    Access & {
      params: Params;
      answer(parts: HttpParts, input: z.output<Params>, caller: Caller): Promise<unknown>;
    },
): Route => definition as unknown as Route;
