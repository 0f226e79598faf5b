import type { z } from 'zod';
import type { RouteShape } from '../../http/route.ts';
import type { TeamParts } from '../parts.ts';
import type { Permission } from '../people/permissions.ts';
import type { TokenHash } from '../store/team-store.ts';
import type { RateOptions } from './rate-limit.ts';

/** What a team's programs call. Everything but health takes a token, and the store finds out whose it is. */
export interface TeamRoute extends RouteShape {
  /** Who may; left out where a token alone is enough. */
  allowed?: Permission;
  /** A limit of its own for each token, besides the one for all requests. */
  rate?: RateOptions;
  /** Its body is handed to the answer as it is; only path and query are looked at before. */
  readsBody?: boolean;
  /** Of a success; 200 unless told. */
  status?: 200 | 201 | 202 | 204;
  /** A `Response` goes out as it is; anything else as JSON. */
  answer(
    parts: TeamParts,
    asked: Record<string, unknown>,
    token: TokenHash,
    heard?: LastEventId,
  ): Promise<unknown>;
}

/** Parts of the request that only some routes need. */
export interface LastEventId {
  /** As it came; where there is a body, it has been read. */
  request?: Request;
  /** Where the route `readsBody`. */
  body?: string | undefined;
  lastEventId?: string | undefined;
}

/** Gives `answer` the types of what it asks. */
export const teamRoute = <Asks extends z.ZodObject>(
  definition: Omit<TeamRoute, 'asks' | 'answer'> & {
    asks: Asks;
    answer(parts: TeamParts, asked: z.output<Asks>, token: TokenHash, heard?: LastEventId): Promise<unknown>;
  },
): TeamRoute => definition as unknown as TeamRoute;
