import type { Clock } from '../base/clock.ts';
import { isoTime } from '../base/clock.ts';
import {
  maxAnswerBytes,
  type Usage,
  type Write,
  WriteFailure,
  type WriteOutcome,
  type WriteRequest,
  type Writer,
  type Written,
} from '../models/write.ts';
import { estimateTokens } from '../text/tokens.ts';
import { type Caps, costOf, overCap, type Price, restsUntil, whyNever } from './budget.ts';
import type { Attempt, AttemptEnd, Ledger } from './ledger.ts';

/**
 * Stands between everybody and the model the user chose. One call at a time on this machine, none that could go
 * over a cap, none while the provider wants to be left alone; and each is written down with the most it could
 * take before it is made, so that whatever crashes, however often, what was spent is never more than what is
 * written. What a provider says it used is believed only where it is more than what we counted ourselves.
 */
export interface GovernorParts {
  writer: Writer;
  ledger: Ledger;
  /** Held by one process on this machine, and taken back by the system when it dies. */
  tryLock(): { release(): void } | undefined;
  caps: Caps;
  price: Price;
  callMs: number;
  clock: Clock;
  /** How long to wait after a process died in the middle of a call, so that its call is over too. */
  graceMs?: number;
}

export function createGovernor(parts: GovernorParts): Write {
  return async (request, signal) => {
    const lock = parts.tryLock();
    if (lock === undefined) return refused('another call is under way');
    try {
      const attempts = await endLost(parts);
      const reserved = reservationFor(request, parts);
      const never = whyTooLarge(request, reserved, parts);
      if (never !== undefined) return tooLarge(request, never, parts);
      const why = objectionTo(request, attempts, reserved, parts);
      return why === undefined ? await call(request, reserved, parts, signal) : refused(why);
    } finally {
      lock.release();
    }
  };
}

const refused = (why: string): WriteOutcome => ({ kind: 'refused', why });

/** Where not even an empty request would fit, the cap stops everything, and it says nothing of this one. */
function whyTooLarge(request: WriteRequest, reserved: Usage, parts: GovernorParts): string | undefined {
  const empty = reservationFor({ ...request, data: '' }, parts);
  if (request.isStillWanted?.() === false || whyNever(empty, parts.caps) !== undefined) return undefined;
  return whyNever(reserved, parts.caps);
}

/** Of an agent session it is written down, or nobody would learn why nothing comes of it. */
function tooLarge({ purpose }: WriteRequest, why: string, { writer, ledger }: GovernorParts): WriteOutcome {
  if (purpose.agentSession !== undefined) {
    const { provider, model } = writer;
    const attempt = ledger.begin({ provider, model, purpose, reserved: nothing });
    ledger.end(attempt, { outcome: 'too-large', why, charged: nothing, retryAfterMs: 0 });
  }
  return { kind: 'refused', why, isTooLarge: true };
}

const graceMs = 1_000;

/**
 * We hold the lock, so an attempt without an end belongs to a process that is gone. What it took nobody knows:
 * the most it could. Its program or its connection goes with it, but not in the same instant.
 */
async function endLost({ ledger, graceMs: wait = graceMs }: GovernorParts): Promise<Attempt[]> {
  const { attempts } = ledger.read();
  const lost = attempts.filter(({ end }) => end === undefined);
  if (lost.length === 0) return attempts;
  await new Promise((resolve) => setTimeout(resolve, wait));
  for (const { id, reserved } of lost) {
    const why = 'the process that asked was gone before the answer came';
    ledger.end(id, { outcome: 'lost', why, charged: reserved, retryAfterMs: 0 });
  }
  return ledger.read().attempts;
}

function objectionTo(
  { isUrgent = false, isStillWanted }: WriteRequest,
  attempts: Attempt[],
  reserved: Usage,
  { writer, caps, clock }: GovernorParts,
): string | undefined {
  const now = clock.now();
  const rest = restsUntil(attempts, writer.provider, isUrgent);
  if (rest > now) return `${writer.provider} is left alone until ${isoTime(rest)}`;
  if (isStillWanted?.() === false) return 'somebody else has just asked it';
  return overCap(attempts, reserved, caps, now);
}

/** Our count is an estimate of a tokenizer we do not have. */
const costMargin = 1.3;
/** Of a token, on average, in the densest text. A provider that does not keep to the limit is cut off by bytes. */
const minBytes = 2;

function reservationFor(
  { instructions, data, maxTokens }: WriteRequest,
  { writer, price }: GovernorParts,
): Usage {
  const counted = estimateTokens(instructions) + estimateTokens(data);
  const inputTokens = Math.ceil(counted * costMargin) + writer.overheadTokens;
  const outputTokens = Math.ceil(maxAnswerBytes(maxTokens) / minBytes);
  return { inputTokens, outputTokens, usd: costOf(inputTokens, outputTokens, price) };
}

async function call(
  request: WriteRequest,
  reserved: Usage,
  parts: GovernorParts,
  signal: AbortSignal | undefined,
): Promise<WriteOutcome> {
  const { writer, ledger, callMs } = parts;
  const attempt = ledger.begin({
    provider: writer.provider,
    model: writer.model,
    purpose: request.purpose,
    reserved,
  });
  const deadline = AbortSignal.timeout(callMs);
  const either = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  try {
    const written = await writer.write(request, either);
    const charged = chargeFor(request, written, parts);
    ledger.end(attempt, { outcome: 'written', why: '', charged, retryAfterMs: 0 });
    return { kind: 'written', text: written.text, attempt, charged };
  } catch (error) {
    const end = failureOf(error, reserved);
    ledger.end(attempt, end);
    return { kind: 'failed', why: end.why, attempt };
  }
}

function chargeFor(
  { instructions, data }: WriteRequest,
  { text, claimed }: Written,
  parts: GovernorParts,
): Usage {
  const { writer, price } = parts;
  const told = claimed.inputTokens ?? 0;
  const sent = estimateTokens(instructions) + estimateTokens(data);
  // Who says nothing has read what it puts before a request as well.
  const inputTokens = told > 0 ? Math.max(told, sent) : sent + writer.overheadTokens;
  const outputTokens = Math.max(claimed.outputTokens ?? 0, estimateTokens(text));
  const usd = Math.max(claimed.usd ?? 0, costOf(inputTokens, outputTokens, price));
  return { inputTokens, outputTokens, usd };
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, usd: 0 };

/** Unless it is certain that nothing was charged, as much as could have been. */
function failureOf(error: unknown, reserved: Usage): Omit<AttemptEnd, 'at'> {
  // Not a word of it: what a program says when it breaks may repeat what it was working on.
  if (!(error instanceof WriteFailure))
    return {
      outcome: 'failed',
      why: 'it failed in a way nobody foresaw',
      charged: reserved,
      retryAfterMs: 0,
    };
  const { kind, message, isFree, retryAfterMs } = error;
  return { outcome: kind, why: message, charged: isFree ? nothing : reserved, retryAfterMs };
}
