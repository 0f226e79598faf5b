import type { Problem } from '../src/wire/answers/problem.ts';

/** Where the server is and how to sign in to it. */
export interface Connection {
  /** Address of the server, such as `http://127.0.0.1:8787`. Empty in a page of the server itself. */
  url: string;
  /** The token of `~/.backstory/serve.token`, or of a person or device of a team. Not needed with a session cookie. */
  token?: string | undefined;
  /** Used in place of the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal | null | undefined;
  headers?: Record<string, string> | undefined;
  /** Lets the request complete if the page is closed. */
  keepalive?: boolean | undefined;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Method and path of each operation, by its name. An operation whose answer is a stream starts with `STREAM`. */
export type Operations = Readonly<Record<string, string>>;

/** An error response of the server: problem details by RFC 9457. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
  get status(): number {
    return this.problem.status;
  }
  /** The code of the error, such as `NOT_FOUND`. */
  get code(): string {
    return this.problem.code;
  }
  /** A command to run or something to check. */
  get hint(): string {
    return this.problem.hint;
  }
  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.problem.retryable;
  }
}

/** A method whose answer is one page of a list. */
export interface Paged<Params, Page extends { items: unknown[] }> {
  (params: Params, options?: CallOptions): Promise<Page>;
  /** The items of this page and all later ones: `for await (const item of client.listNotes.all({}))`. */
  all(params: Params, options?: CallOptions): AsyncGenerator<Page['items'][number]>;
}

interface AnyPage {
  items: unknown[];
  nextCursor?: string;
}

/** One method for each operation. `follow` reads a stream. */
export const methodsOf = (
  connection: Connection,
  operations: Operations,
  follow: (connection: Connection, path: string, params?: object, options?: CallOptions) => unknown,
) =>
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => {
      const [path = '', method, stream] = operation.split(' ').reverse();
      const ask = <Answer>(params?: object, options?: CallOptions) =>
        call<Answer>(connection, method as Method, path, params, options);
      async function* all(params?: object, options?: CallOptions): AsyncGenerator<unknown> {
        for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
          const page = await ask<AnyPage>(cursor === undefined ? params : { ...params, cursor }, options);
          yield* page.items;
          cursor = page.nextCursor;
        }
      }
      const followed = (params?: object, options?: CallOptions) => follow(connection, path, params, options);
      return [name, stream === undefined ? Object.assign(ask, { all }) : followed];
    }),
  );

/**
 * Sends a request and returns the JSON answer. Parameters named in the path go there; the others go into the query, or
 * into the body of POST and PATCH. Throws an `ApiError` for an error response. Failures of `fetch` are passed on.
 */
export async function call<Answer>(
  connection: Connection,
  method: Method,
  path: string,
  params: object = {},
  options: CallOptions = {},
): Promise<Answer> {
  const response = await send(connection, method, path, params, options);
  const body: unknown = await response.json().catch(() => undefined);
  if (body === undefined) throw new ApiError(problemOf(undefined, response.status));
  return body as Answer;
}

/** Like `call`, for an answer of any kind: the caller reads the body. */
export async function send(
  { url, token, fetch: ownFetch }: Connection,
  method: Method,
  path: string,
  params: object = {},
  { headers, signal = null, keepalive = false }: CallOptions = {},
): Promise<Response> {
  const others = Object.entries(params).filter(([, value]) => value !== undefined);
  const take = (name: string): string => {
    const at = others.findIndex(([each]) => each === name);
    if (at === -1) throw new TypeError(`the parameter ${name} is missing`);
    return encodeURIComponent(String(others.splice(at, 1)[0]?.[1]));
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => take(name));
  const hasBody = method === 'POST' || method === 'PATCH';
  const query = hasBody ? '' : queryOf(others);
  const request = {
    method,
    signal,
    keepalive,
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(hasBody ? { body: JSON.stringify(Object.fromEntries(others)) } : {}),
  };
  const response = await (ownFetch ?? fetch)(`${url.replace(/\/+$/, '')}${filled}${query}`, request);
  if (response.ok) return response;
  throw new ApiError(problemOf(await response.json().catch(() => undefined), response.status));
}

/** A parameter that is a list is given once for each element. */
function queryOf(params: [string, unknown][]): string {
  const all = params.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
  );
  return all.length === 0 ? '' : `?${new URLSearchParams(all)}`;
}

/** The problem in an error response. A proxy may answer with something else. */
function problemOf(body: unknown, status: number): Problem {
  if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body) return body as Problem;
  return {
    type: 'about:blank',
    title: 'No valid answer',
    status,
    detail: `The server answered with status ${status}.`,
    code: 'BACKEND_FAILURE',
    hint: '',
    retryable: status === 429 || status >= 500,
  };
}
