import * as serve from './generated/serve.ts';
import * as team from './generated/team.ts';
import type { Connection } from './request.ts';

export type * from './generated/types.ts';
export { ApiError, type CallOptions, type Connection } from './request.ts';

/** The operations with the connection filled in. */
type Connected<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends (
    connection: Connection,
    ...rest: infer Rest
  ) => infer Answer
    ? (...rest: Rest) => Answer
    : never;
};

/** One method for each operation of `backstory serve`. */
export interface ServeClient extends Connected<typeof serve> {}

/** One method for each operation of a team server. */
export interface TeamClient extends Connected<typeof team> {}

export const serveClient = (connection: Connection): ServeClient => connect(serve, connection);
export const teamClient = (connection: Connection): TeamClient => connect(team, connection);

function connect<Operations extends object>(
  operations: Operations,
  connection: Connection,
): Connected<Operations> {
  const all: [string, Operation][] = Object.entries(operations);
  const connected = all.map(([name, operation]) => [name, operation.bind(undefined, connection)] as const);
  return Object.fromEntries(connected) as unknown as Connected<Operations>;
}

type Operation = (connection: Connection, ...rest: unknown[]) => unknown;
