import { ApiFailure } from './failure.ts';

export type Params = Record<string, string | number | undefined>;

/** What is particular to the server that is asked. */
export interface Server {
  headers(): Record<string, string>;
  /** Told when nobody answers. */
  away: ApiFailure;
  /** For an answer that names nothing to do about it. */
  hintFor(status: number): string;
}

/** One question under `/api/`; every failure comes as an `ApiFailure`. */
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
    message = `The answer was ${response.status}.`,
    suggested_action = hintFor(response.status),
  } = body?.error ?? {};
  throw new ApiFailure(code, message, suggested_action);
}

/** What is to be done there. It arrives even when the page is left just then. */
export const telling = (method: string, body: object): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  keepalive: true,
});
