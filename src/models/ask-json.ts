import { AppError } from '../base/errors.ts';

export interface Endpoint {
  /** How messages name it. */
  name: string;
  url: string;
  headers?: Record<string, string>;
  timeoutMs: number;
  /** A command to run when nobody answers. */
  hint: string;
  /** Closer hints for particular answers, by HTTP status. */
  hints?: Record<number, string>;
}

/**
 * Asks a model server. What it answers is never put into a message: servers repeat in their errors what they
 * were sent, and that is the user's text.
 */
export async function askJson(endpoint: Endpoint, body?: unknown): Promise<unknown> {
  const { name, url, headers, timeoutMs, hint, hints } = endpoint;
  let response: Response;
  let answer: string;
  try {
    response = await fetch(url, {
      ...(body === undefined
        ? { headers: headers ?? {} }
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          }),
      // A redirect could carry text and key to somebody the user never named.
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
