import { type Json, record, whole } from '../base/json.ts';
import type { WriterProvider } from '../domain/writer-choice.ts';

/**
 * Calls a language model. Available only after the user has chosen one with `backstory models use`. Each provider
 * implements `Writer`; all other code receives a `Write`, which spend/governor.ts wraps around a `Writer`. The governor
 * enforces the caps, allows one call at a time and records every attempt.
 */
export type Write = (request: WriteRequest, signal?: AbortSignal) => Promise<WriteOutcome>;

export interface WriteRequest {
  /** A fixed text of this package; the same for every call of a kind. */
  instructions: string;
  /** Untrusted text, redacted by the caller. Sent separately from the instructions. */
  data: string;
  /** Limit of the answer. A longer answer is aborted and counts as failed. */
  maxTokens: number;
  purpose: WritePurpose;
  /** A person is waiting: skip the backoff after failures. Caps still apply. */
  isUrgent?: boolean;
  /** What a person confirmed for all calls of `purpose.run` together. It takes the place of the caps. */
  cap?: { tokens: number; usd: number };
  /** Called with the id of the attempt as soon as the answer is there, before it counts as written. */
  onAnswer?(text: string, attempt: string): void;
  /** Called while the lock is held, because another process may have done the same work before. */
  isStillWanted?(): boolean;
}

/** The purpose of a call, as recorded in the ledger: names and ids, never any text. */
export interface WritePurpose {
  kind: 'distil' | 'confirm' | 'wordings';
  project: string;
  agentSession?: string;
  /** Time of the last event of the agent session that was sent, in milliseconds since 1970. */
  until?: number;
  /** The run of `backstory learn` that makes the call. */
  run?: string;
}

export type WriteOutcome =
  /** `attempt` is the id in the ledger. */
  | { kind: 'written'; text: string; attempt: string; charged: Usage }
  /** Nothing was sent or spent. `isTooLarge`: the request alone exceeds a cap, so a retry would be refused too. */
  | { kind: 'refused'; why: string; isTooLarge?: true }
  | { kind: 'failed'; why: string; attempt: string };

/** Size limit of a raw response: five bytes per token, and room for the envelope around the answer. */
export const maxAnswerBytes = (maxTokens: number): number => maxTokens * 5 + 8 * 1024;

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  usd: number;
}

/** A provider's connection to the model that the user chose. */
export interface Writer {
  provider: WriterProvider;
  /** Name of the model; empty if the provider chooses it. */
  model: string;
  /** Sends one request to the model. Throws only WriteFailure. */
  write(
    request: Pick<WriteRequest, 'instructions' | 'data' | 'maxTokens'>,
    signal: AbortSignal,
  ): Promise<Written>;
}

export interface Written {
  text: string;
  /** Usage as reported by the provider, if any. Not trusted. */
  claimed: Partial<Usage>;
}

/** Reads usage as Anthropic's API and Claude Code report it. */
export function anthropicUsage(usage: unknown): Pick<Usage, 'inputTokens' | 'outputTokens'> {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens }: Json =
    record(usage);
  const cached = whole(cache_creation_input_tokens) + whole(cache_read_input_tokens);
  return { inputTokens: whole(input_tokens) + cached, outputTokens: whole(output_tokens) };
}

export class WriteFailure extends Error {
  readonly kind: 'failed' | 'rate-limited' | 'timed-out' | 'too-long';
  /** True if the call was certainly not charged: the provider was not reached, or it rejected the request. */
  readonly isFree: boolean;
  readonly retryAfterMs: number;

  constructor(
    kind: WriteFailure['kind'],
    message: string,
    { isFree = false, retryAfterMs = 0 }: Partial<Omit<WriteFailure, 'kind'>> = {},
  ) {
    super(message);
    this.name = 'WriteFailure';
    this.kind = kind;
    this.isFree = isFree;
    this.retryAfterMs = retryAfterMs;
  }
}
