import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import type { RouteShape } from '../../api/route.ts';
import type { TeamParts } from '../parts.ts';
import type { TokenHash } from '../store/team-store.ts';
import type { CheckCredential } from './callers.ts';
import type { BrowserAccess } from './credential.ts';
import type { Limits } from './limits.ts';
import type { RateOptions } from './rate-limit.ts';
import type { Uploads } from './request-body.ts';

/** Data about the connection that the server passes with each request. */
interface TeamBindings {
  /** The client's address, determined by `ClientAddress`. */
  address: string;
}

export type TeamHono = Hono<{ Bindings: TeamBindings }>;

export const addressOf = ({ env }: Context): string => (env as TeamBindings | undefined)?.address ?? '';

/** What routes need that require no token: sign-in, webhooks and the viewer. */
export interface OpenRouteParts {
  app: TeamHono;
  parts: TeamParts;
  limits: Limits;
  checkCredential: CheckCredential;
  uploads: Uploads;
  publicUrl: string | undefined;
  browser: BrowserAccess | undefined;
  /** Adds a route that answers with an error as a problem, and counts its responses. */
  on(
    route: Pick<RouteShape, 'method' | 'path' | 'alias'>,
    answer: (context: Context) => Promise<Response>,
  ): void;
}

/**
 * A route of the team server that requires a token. The store determines whose token it is, and `answer` checks what its
 * caller may do in the project.
 */
export interface TeamRoute extends RouteShape {
  /** A rate limit of this route for each token, in addition to the one for all requests. */
  rate?: RateOptions;
  /** The route reads the body itself; only path and query are validated before. */
  readsBody?: boolean;
  /** A returned `Response` is sent unchanged; any other value is sent as JSON. */
  answer(
    parts: TeamParts,
    input: Record<string, unknown>,
    token: TokenHash,
    raw: RawRequest,
  ): Promise<unknown>;
}

/** Parts of the request that only some routes need. */
export interface RawRequest {
  /** If the request has a body, the server has already read it. */
  context: Context;
  /** The unparsed body; set only for routes with `readsBody`. */
  body?: string | undefined;
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
      raw: RawRequest,
    ): Promise<z.output<Answer> | Response>;
  },
): TeamRoute => definition as unknown as TeamRoute;
