import type { Clock } from '../base/clock.ts';
import { isoTime } from '../base/clock.ts';
import { overheadTokens } from '../domain/writer-choice.ts';
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
import type { Caps } from '../wire/answers/project.ts';
import { alwaysOverCap, backoffUntil, costOf, overCap, type Price, spentOn, tokensOf } from './budget.ts';
import type { Attempt, AttemptEnd, Ledger } from './ledger.ts';

/**
 * Every model call goes through the governor. It allows one call at a time on this machine, refuses a call that could
 * exceed a cap, and respects the backoff of the provider. Before each call it records the maximum cost in the ledger,
 * so the ledger never shows less than was spent, whatever crashes. Usage reported by the provider counts only if it is
 * higher than our own estimate.
 */
export interface GovernorParts {
  writer: Writer;
  ledger: Ledger;
  /** A machine-wide lock that the system releases if the process dies. */
  tryLock(): { release(): void } | undefined;
  caps: Caps;
  price: Price;
  callMs: number;
  clock: Clock;
  /** Time to wait if a process died during a call, so that its call has ended as well. */
  graceMs?: number;
}

export function createGovernor(parts: GovernorParts): Write {
  return async (request, signal) => {
    const lock = parts.tryLock();
    if (lock === undefined) return refused('another model call is running');
    try {
      const attempts = await closeOrphanedAttempts(parts);
      const reserved = reservationFor(request, parts);
      const capped = request.cap === undefined ? parts : { ...parts, caps: capsOf(request.cap) };
      const tooLarge = tooLargeReason(request, reserved, capped);
      if (tooLarge !== undefined) return refuseTooLarge(request, tooLarge, parts);
      const why = refusalReason(request, attempts, reserved, capped);
      return why === undefined ? await call(request, reserved, parts, signal) : refused(why);
    } finally {
      lock.release();
    }
  };
}

const refused = (why: string): WriteOutcome => ({ kind: 'refused', why });

const capsOf = ({ tokens, usd }: { tokens: number; usd: number }): Caps => ({
  dailyTokens: tokens,
  monthlyTokens: tokens,
  dailyUsd: usd,
  monthlyUsd: usd,
});

/** Undefined if even an empty request would exceed the cap: then it stops every call, not just this one. */
function tooLargeReason(request: WriteRequest, reserved: Usage, parts: GovernorParts): string | undefined {
  const empty = reservationFor({ ...request, data: '' }, parts);
  if (request.isStillWanted?.() === false || alwaysOverCap(empty, parts.caps) !== undefined) return undefined;
  return alwaysOverCap(reserved, parts.caps);
}

/** Recorded for an agent session, so that `status` can say why it has no notes. */
function refuseTooLarge(
  { purpose }: WriteRequest,
  why: string,
  { writer, ledger }: GovernorParts,
): WriteOutcome {
  if (purpose.agentSession !== undefined) {
    const { provider, model } = writer;
    const attempt = ledger.begin({ provider, model, purpose, reserved: nothing });
    ledger.end(attempt, { outcome: 'too-large', why, charged: nothing, retryAfterMs: 0 });
  }
  return { kind: 'refused', why, isTooLarge: true };
}

const graceMs = 1_000;

/**
 * The caller holds the lock, so an attempt without an end belongs to a process that died. Its cost is unknown, so the
 * whole reservation is charged. Its program or connection may take a moment to end, hence the wait.
 */
async function closeOrphanedAttempts({ ledger, graceMs: wait = graceMs }: GovernorParts): Promise<Attempt[]> {
  const { attempts } = ledger.read();
  const lost = attempts.filter(({ end }) => end === undefined);
  if (lost.length === 0) return attempts;
  await new Promise((resolve) => setTimeout(resolve, wait));
  for (const { id, reserved } of lost) {
    const why = 'the process died before the answer arrived';
    ledger.end(id, { outcome: 'lost', why, charged: reserved, retryAfterMs: 0 });
  }
  return ledger.read().attempts;
}

function refusalReason(
  { isUrgent = false, isStillWanted, cap, purpose }: WriteRequest,
  attempts: Attempt[],
  reserved: Usage,
  { writer, caps, clock }: GovernorParts,
): string | undefined {
  const now = clock.now();
  const retryAt = backoffUntil(attempts, writer.provider, isUrgent);
  if (retryAt > now)
    return `${writer.provider} failed or is rate limited; next call after ${isoTime(retryAt)}`;
  if (isStillWanted?.() === false) return 'another process has just done this';
  if (cap === undefined) return overCap(withoutRuns(attempts), reserved, caps, now);
  const spent = spentOn(attempts.filter((attempt) => attempt.purpose.run === purpose.run));
  const isOver = spent.tokens + tokensOf(reserved) > cap.tokens || spent.usd + reserved.usd > cap.usd;
  return isOver ? 'the amount that you confirmed for this run is reached' : undefined;
}

/** What a person confirmed for a run of its own does not use up the caps of the day. */
const withoutRuns = (attempts: Attempt[]): Attempt[] =>
  attempts.filter(({ purpose }) => purpose.run === undefined);

/** The provider's tokenizer is not available, and the estimate may be too low. */
const costMargin = 1.3;
/** Of the densest text, on average. Converts the byte limit of an answer to its maximum number of tokens. */
const minBytesPerToken = 2;

function reservationFor(
  { instructions, data, maxTokens }: WriteRequest,
  { writer, price }: GovernorParts,
): Usage {
  const counted = estimateTokens(instructions) + estimateTokens(data);
  const inputTokens = Math.ceil(counted * costMargin) + overheadTokens[writer.provider];
  const outputTokens = Math.ceil(maxAnswerBytes(maxTokens) / minBytesPerToken);
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
    request.onAnswer?.(written.text, attempt);
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
  const claimedTokens = claimed.inputTokens ?? 0;
  const sentTokens = estimateTokens(instructions) + estimateTokens(data);
  // If the provider reported no usage, add an estimate of the tokens that it puts before the request.
  const inputTokens =
    claimedTokens > 0 ? Math.max(claimedTokens, sentTokens) : sentTokens + overheadTokens[writer.provider];
  const outputTokens = Math.max(claimed.outputTokens ?? 0, estimateTokens(text));
  const usd = Math.max(claimed.usd ?? 0, costOf(inputTokens, outputTokens, price));
  return { inputTokens, outputTokens, usd };
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, usd: 0 };

/** Charges the whole reservation, unless it is certain that the provider charged nothing. */
function failureOf(error: unknown, reserved: Usage): Omit<AttemptEnd, 'at'> {
  // The message of an unexpected error is not recorded, because it may quote the user's text.
  if (!(error instanceof WriteFailure))
    return {
      outcome: 'failed',
      why: 'the call failed with an unexpected error',
      charged: reserved,
      retryAfterMs: 0,
    };
  const { kind, message, isFree, retryAfterMs } = error;
  return { outcome: kind, why: message, charged: isFree ? nothing : reserved, retryAfterMs };
}
