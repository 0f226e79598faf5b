import type { z } from 'zod';
import type { RouteShape } from '../../api/route.ts';
import type { TeamParts } from '../parts.ts';
import type { Permission } from '../people/permissions.ts';
import type { TokenHash } from '../store/team-store.ts';
import type { RateOptions } from './rate-limit.ts';

/** A route of the team server that requires a token. The store determines whose token it is. */
export interface TeamRoute extends RouteShape {
  /** The required permission; undefined if any valid token is enough. */
  allowed?: Permission;
  /** A rate limit of this route for each token, in addition to the one for all requests. */
  rate?: RateOptions;
  /** The route reads the body itself; only path and query are validated before. */
  readsBody?: boolean;
  /** A returned `Response` is sent unchanged; any other value is sent as JSON. */
  answer(
    parts: TeamParts,
    input: Record<string, unknown>,
    token: TokenHash,
    raw?: RawRequest,
  ): Promise<unknown>;
}

/** Parts of the request that only some routes need. */
export interface RawRequest {
  /** The HTTP request. If it has a body, the server has already read it. */
  request?: Request;
  /** The unparsed body; set only for routes with `readsBody`. */
  body?: string | undefined;
  lastEventId?: string | undefined;
}

/** Types the parameters and the result of `answer` by the schemas. */
export const teamRoute = <Params extends z.ZodObject, Answer extends z.ZodType>(
  definition: Omit<TeamRoute, 'params' | 'answers' | 'answer' | 'location'> & {
    params: Params;
    answers: Answer;
    location?(answer: z.output<Answer>): string;
    answer(
      parts: TeamParts,
      input: z.output<Params>,
      token: TokenHash,
      raw?: RawRequest,
    ): Promise<z.output<Answer> | Response>;
  },
): TeamRoute => definition as unknown as TeamRoute;
