/**
 * What turns instructions and data into text, as the rest of the product sees it. There is none until the user
 * has chosen one with `backstory models use`. One file per provider; everybody else is handed a `Write`, which
 * spend/governor.ts makes of it: it keeps the caps, lets one call run at a time and writes down every attempt.
 */
export type Write = (request: WriteRequest, signal?: AbortSignal) => Promise<WriteOutcome>;

export interface WriteRequest {
  /** What to do: our own words, the same for every call of a kind. */
  instructions: string;
  /** What to do it with: anything anybody ever wrote. Redacted by the caller, and told apart from instructions. */
  data: string;
  /** Of the answer. A longer one is cut off, and counts as failed. */
  maxTokens: number;
  purpose: WritePurpose;
  /** A person waits for it: not put off because of earlier failures. Caps hold all the same. */
  isUrgent?: boolean;
  /** Asked once its turn has come: another process may have had the same done meanwhile. */
  isStillWanted?(): boolean;
}

/** What a call is for, as the ledger keeps it: names and ids, never a word of anybody's. */
export interface WritePurpose {
  kind: 'distil' | 'consolidate' | 'knowledge';
  project: string;
  agentSession?: string;
  /** Of an agent session: how far it had come, milliseconds since 1970. */
  until?: number;
}

export type WriteOutcome =
  /** `attempt` names it in the ledger. */
  | { kind: 'written'; text: string; attempt: string; charged: Usage }
  /** Not tried: nothing was sent and nothing spent. What is too large for a cap will be refused at any time. */
  | { kind: 'refused'; why: string; isTooLarge?: true }
  | { kind: 'failed'; why: string; attempt: string };

/**
 * More than this is not read of an answer, with all that stands around it: five bytes for a token, and room for
 * what a program says besides. Whoever answers without end is cut off here.
 */
export const maxAnswerBytes = (maxTokens: number): number => maxTokens * 5 + 8 * 1024;

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  usd: number;
}

/** The model the user chose. */
export interface Writer {
  /** As in `backstory models use claude`. */
  provider: string;
  /** Empty where the provider chooses. */
  model: string;
  /** What the provider itself puts before every request, at most; it is paid for like the rest. */
  overheadTokens: number;
  /** Throws a WriteFailure, and nothing else. */
  write(
    request: Pick<WriteRequest, 'instructions' | 'data' | 'maxTokens'>,
    signal: AbortSignal,
  ): Promise<Written>;
}

export interface Written {
  text: string;
  /** What the provider says it has used, where it does. It may be wrong, or lie. */
  claimed: Partial<Usage>;
}

export class WriteFailure extends Error {
  readonly kind: 'failed' | 'rate-limited' | 'timed-out' | 'too-long';
  /** Certainly not charged for: it was never reached, or it refused. */
  readonly isFree: boolean;
  readonly retryAfterMs: number;
  readonly hint: string;

  constructor(
    kind: WriteFailure['kind'],
    message: string,
    { isFree = false, retryAfterMs = 0, hint = '' }: Partial<Omit<WriteFailure, 'kind'>> = {},
  ) {
    super(message);
    this.name = 'WriteFailure';
    this.kind = kind;
    this.isFree = isFree;
    this.retryAfterMs = retryAfterMs;
    this.hint = hint;
  }
}
