import type { z } from 'zod';

/** A route as OpenAPI describes it. One schema covers all parameters: path, query and JSON body. */
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
  answers: z.ZodType;
  /** Status of a successful answer; 200 by default. */
  status?: 200 | 201 | 202;
  location?(answer: never): string;
  /** Media type of a successful answer; JSON by default. */
  media?: 'text/event-stream' | 'text/html';
  /**
   * How hidden characters in the answer are treated. `memory`, the default: dropped. `code`: escaped, so that the
   * reader sees that the line contains them. `exact`: unchanged, for programs that compare texts.
   */
  text?: 'memory' | 'code' | 'exact';
}

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
