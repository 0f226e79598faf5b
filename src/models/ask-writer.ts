import { fetchTrusted } from '../base/fetch-trusted.ts';
import { type Json, parseObject } from '../base/json.ts';
import { maxAnswerBytes, WriteFailure } from './write.ts';

export interface WriterEndpoint {
  name: string;
  url: string;
  headers?: Record<string, string>;
}

/** The response body never appears in an error message, because servers echo the request, which has the user's text. */
export async function askWriter(
  { name, url, headers }: WriterEndpoint,
  body: object,
  { maxTokens, signal }: { maxTokens: number; signal: AbortSignal },
): Promise<Json> {
  let response: Response;
  try {
    response = await fetchTrusted(url, {
      method: 'POST',
      // Close the connection after each call. Calls are minutes apart, and a kept connection might turn out to be
      // closed only after the next call was charged.
      headers: { 'content-type': 'application/json', connection: 'close', ...headers },
      body: JSON.stringify(body),
      // A redirect could send the text and the key to a server that the user did not choose.
      redirect: 'error',
      signal,
    });
  } catch (error) {
    throw interrupted(error, name);
  }
  if (!response.ok) {
    await response.body?.cancel().catch(() => {});
    throw refusal(response, name);
  }
  const answer = parseObject(await readAtMost(response, maxAnswerBytes(maxTokens), name));
  if (answer === undefined) throw new WriteFailure('failed', `${name} did not answer in JSON`);
  return answer;
}

async function readAtMost(response: Response, maxBytes: number, name: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      // Leaving the loop closes the connection.
      if (bytes > maxBytes)
        throw new WriteFailure('too-long', `${name} exceeded the size limit of an answer`);
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof WriteFailure ? error : interrupted(error, name);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** HTTP statuses that mean a rate limit: Too Many Requests, Service Unavailable, and Anthropic's "overloaded". */
const rateLimitStatuses = [429, 503, 529];

function refusal({ status, headers }: Response, name: string): WriteFailure {
  if (rateLimitStatuses.includes(status)) {
    const retryAfterMs = retryAfter(headers.get('retry-after'));
    return new WriteFailure('rate-limited', `${name} is rate limited or overloaded (status ${status})`, {
      isFree: true,
      retryAfterMs,
    });
  }
  // A request with status 4xx was rejected before any work, so it is free. For 5xx it is unknown whether the provider
  // charges.
  return new WriteFailure('failed', `${name} answered with status ${status}`, { isFree: status < 500 });
}

const maxWaitMs = 24 * 60 * 60 * 1000;

/** Only the form in seconds is read; the date form depends on this machine's clock, which may be wrong. */
function retryAfter(header: string | null): number {
  const seconds = Number(header ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, maxWaitMs) : 0;
}

const neverReached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

function interrupted(error: unknown, name: string): WriteFailure {
  const { name: kind, cause } = error instanceof Error ? error : { name: '', cause: undefined };
  if (kind === 'TimeoutError') return new WriteFailure('timed-out', `${name} did not answer in time`);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const isFree = neverReached.includes(code);
  const what = kind === 'AbortError' ? 'was interrupted' : 'cannot be reached';
  return new WriteFailure('failed', `${name} ${what}${code === '' ? '' : ` (${code})`}`, { isFree });
}
