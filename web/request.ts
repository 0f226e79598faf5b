import { ApiFailure } from './failure.ts';

export type Params = Record<string, string | number | undefined>;

/** How requests to the local server and to a team server differ. */
export interface Server {
  headers(): Record<string, string>;
  /** The failure to report when the server is unreachable. */
  away: ApiFailure;
  /** The hint for an error response that has none. */
  hintFor(status: number): string;
}

/** Sends one request under `/api/`. Every failure is thrown as an `ApiFailure`. */
export async function request<T>(
  { headers, away, hintFor }: Server,
  path: string,
  params: Params = {},
  init: RequestInit = {},
): Promise<T> {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  let response: Response;
  try {
    response = await fetch(`/api/${path}${query === '' ? '' : `?${query}`}`, {
      ...init,
      headers: { accept: 'application/json', ...headers(), ...init.headers },
    });
  } catch {
    throw away;
  }
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code: string; message: string; suggested_action?: string } }
    | undefined;
  if (response.ok && body !== undefined) return body as T;
  const {
    code = 'BACKEND_FAILURE',
    message = `The server answered with status ${response.status}.`,
    suggested_action = hintFor(response.status),
  } = body?.error ?? {};
  throw new ApiFailure(code, message, suggested_action);
}

/** A request that changes something. `keepalive` lets it complete even if the page is closed. */
export const jsonRequest = (method: string, body: object): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  keepalive: true,
});
