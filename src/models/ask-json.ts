import { AppError } from '../base/errors.ts';
import { fetchTrusted } from '../base/fetch-trusted.ts';

export interface Endpoint {
  name: string;
  url: string;
  headers?: Record<string, string>;
  timeoutMs: number;
  /** Default hint: a command to run if the endpoint does not respond. */
  hint: string;
  /** Hints for particular HTTP status codes. */
  hints?: Record<number, string>;
}

/**
 * Sends a JSON request to a model server. The response body never appears in an error message: servers echo the
 * request in their errors, and the request contains the user's text.
 */
export async function askJson(endpoint: Endpoint, body?: unknown): Promise<unknown> {
  const { name, url, headers, timeoutMs, hint, hints } = endpoint;
  let response: Response;
  let answer: string;
  try {
    response = await fetchTrusted(url, {
      ...(body === undefined
        ? { headers: headers ?? {} }
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          }),
      // A redirect could send the text and the key to a server that the user did not choose.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    answer = await response.text();
  } catch (cause) {
    const isSlow = cause instanceof Error && cause.name === 'TimeoutError';
    const what = isSlow ? `did not answer within ${timeoutMs} ms` : 'cannot be reached';
    throw new AppError('BACKEND_FAILURE', `${name} ${what}: ${url}`, { hint, retryable: true, cause });
  }
  if (!response.ok) {
    throw new AppError('BACKEND_FAILURE', `${name} answered with status ${response.status}: ${url}`, {
      hint: hints?.[response.status] ?? hint,
      retryable: response.status === 429 || response.status >= 500,
    });
  }
  try {
    return JSON.parse(answer);
  } catch {
    throw new AppError('BACKEND_FAILURE', `${name} did not answer in JSON: ${url}`, { hint });
  }
}
