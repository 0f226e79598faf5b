import { ApiError, type CallOptions, type Connection, call, type Method } from '../client/request.ts';
import { ApiFailure } from './failure.ts';

/** How requests to the local server and to a team server differ. */
export interface Server {
  headers(): Record<string, string>;
  /** The failure to report when the server is unreachable. */
  away: ApiFailure;
  /** The hint for an error response that has none. */
  hintFor(status: number): string;
}

/** Sends requests to a server, each as its method and path: `GET /api/v1/notes/{id}`. Every failure is thrown as an `ApiFailure`. */
export function callerOf({ headers, away, hintFor }: Server) {
  const connection: Connection = {
    url: '',
    fetch: (url, init) =>
      fetch(url, init).catch(() => {
        throw away;
      }),
  };
  return async <Answer>(
    operation: `${Method} ${string}`,
    params: object = {},
    options: CallOptions = {},
  ): Promise<Answer> => {
    const [method, path] = operation.split(' ') as [Method, string];
    try {
      return await call<Answer>(connection, method, path, params, { ...options, headers: headers() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new ApiFailure(error.code, error.message, error.hint || hintFor(error.status));
    }
  };
}

/** For a request that changes something: it completes even if the page is closed. */
export const lasting: CallOptions = { keepalive: true };

/** The parameters that are not empty. An input of a page that the user left empty is no parameter. */
export const filled = <Params extends object>(params: Params): Params =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== '')) as Params;
