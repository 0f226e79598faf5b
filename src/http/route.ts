import type { z } from 'zod';
import type { RouteShape } from '../api/route.ts';
import type { Caller } from '../domain/caller.ts';
import type { HttpParts } from './parts.ts';

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

/** Types the parameters and the result of `answer` by the schemas. The method is GET if none is given. */
export const route = <Params extends z.ZodObject, Answer extends z.ZodType>(
  definition: Omit<RouteShape, 'method' | 'params' | 'answers' | 'location'> &
    (Access | { method?: undefined; needsPerson?: undefined }) & {
      params: Params;
      answers: Answer;
      location?(answer: z.output<Answer>): string;
      answer(parts: HttpParts, input: z.output<Params>, caller: Caller): Promise<z.output<Answer>>;
    },
): Route => ({ method: 'GET', ...definition }) as unknown as Route;
