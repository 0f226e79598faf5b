import type { z } from 'zod';
import type { Caller } from '../domain/caller.ts';
import type { HttpParts } from './parts.ts';

/**
 * A route of the HTTP API. Each file in this folder is one resource and lists its routes. Headers, tokens and status
 * codes belong to `app.ts` and `guard.ts`. One schema covers all parameters: path, query and JSON body.
 */
export interface RouteShape {
  /** Unique name of the operation in OpenAPI: `listNotes`. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path of the URL, with `:name` for parameters. */
  path: string;
  /** A second path: that of a source design, or that of earlier versions. */
  alias?: string;
  summary: string;
  params: z.ZodObject;
  /** Schema of a successful answer. */
  answers: z.ZodType;
  /** Status of a successful answer; 200 by default. */
  status?: 200 | 201 | 202;
  /** The path of what was created. */
  location?(answer: never): string;
  /** Media type of a successful answer; JSON by default. */
  media?: 'text/event-stream' | 'text/html';
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

/** Types the parameters and the result of `answer` by the schemas. */
export const route = <Params extends z.ZodObject, Answer extends z.ZodType>(
  definition: Omit<RouteShape, 'method' | 'params' | 'answers' | 'location'> &
    Access & {
      params: Params;
      answers: Answer;
      location?(answer: z.output<Answer>): string;
      answer(parts: HttpParts, input: z.output<Params>, caller: Caller): Promise<z.output<Answer>>;
    },
): Route => definition as unknown as Route;

/** The routes, each alias as a route of its own. */
export const withAliases = <One extends RouteShape>(routes: One[]): One[] =>
  routes.flatMap(({ alias, ...route }) => [
    route as One,
    ...(alias === undefined
      ? []
      : [
          {
            ...route,
            path: alias,
            name: `${route.name}Alias`,
            summary: `Alias of ${route.method} ${route.path}.`,
          } as One,
        ]),
  ]);
