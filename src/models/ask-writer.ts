import { type Json, parseObject } from '../base/json.ts';
import { maxAnswerBytes, WriteFailure } from './write.ts';

export interface WriterEndpoint {
  /** How messages name it. */
  name: string;
  url: string;
  headers?: Record<string, string>;
  /** A command to run when nobody answers. */
  hint: string;
  hints?: Record<number, string>;
}

/**
 * Asks a model server for a text. What it answers is never put into a message: servers repeat in their errors
 * what they were sent, and that is the user's text. An answer that does not end is cut off.
 */
export async function askWriter(
  { name, url, headers, hint, hints }: WriterEndpoint,
  body: object,
  { maxTokens, signal }: { maxTokens: number; signal: AbortSignal },
): Promise<Json> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      // Calls are minutes apart: a connection kept for the next would be found closed, after it was charged for.
      headers: { 'content-type': 'application/json', connection: 'close', ...headers },
      body: JSON.stringify(body),
      // A redirect could carry text and key to somebody the user never named.
      redirect: 'error',
      signal,
    });
  } catch (error) {
    throw interrupted(error, name, hint);
  }
  if (!response.ok) {
    await response.body?.cancel().catch(() => {});
    throw refusal(response, name, hints?.[response.status] ?? hint);
  }
  const answer = parseObject(await readAtMost(response, maxAnswerBytes(maxTokens), name, hint));
  if (answer === undefined) throw new WriteFailure('failed', `${name} did not answer in JSON`, { hint });
  return answer;
}

async function readAtMost(response: Response, maxBytes: number, name: string, hint: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      // Leaving the loop closes the connection.
      if (bytes > maxBytes) throw new WriteFailure('too-long', `${name} answered without end`, { hint });
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof WriteFailure ? error : interrupted(error, name, hint);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Too many requests, not available now, and what one maker says when it has too much to do. */
const busy = [429, 503, 529];

function refusal({ status, headers }: Response, name: string, hint: string): WriteFailure {
  if (busy.includes(status)) {
    const retryAfterMs = retryAfter(headers.get('retry-after'));
    return new WriteFailure('rate-limited', `${name} has no capacity for us now (status ${status})`, {
      isFree: true,
      retryAfterMs,
      hint,
    });
  }
  // Refused before any work; of other failures nobody knows what was done until then.
  return new WriteFailure('failed', `${name} answered with status ${status}`, { isFree: status < 500, hint });
}

const maxWaitMs = 24 * 60 * 60 * 1000;

/** Seconds. The other form, a date, would have to be held against a clock that may be wrong. */
function retryAfter(header: string | null): number {
  const seconds = Number(header ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, maxWaitMs) : 0;
}

const neverReached = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

function interrupted(error: unknown, name: string, hint: string): WriteFailure {
  const { name: kind, cause } = error instanceof Error ? error : { name: '', cause: undefined };
  if (kind === 'TimeoutError')
    return new WriteFailure('timed-out', `${name} did not answer in time`, { hint });
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const isFree = neverReached.includes(code);
  const what = kind === 'AbortError' ? 'was interrupted' : 'cannot be reached';
  return new WriteFailure('failed', `${name} ${what}${code === '' ? '' : ` (${code})`}`, { isFree, hint });
}
