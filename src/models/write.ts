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
  /** Not tried: nothing was sent and nothing spent. */
  | { kind: 'refused'; why: string }
  | { kind: 'failed'; why: string; attempt: string };

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  usd: number;
}
