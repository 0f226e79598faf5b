import type { AgentName, ServedBody, SessionPhase } from './event.ts';

/** Lines of a file as somebody saw or wrote them. What they said is told by a hash alone. */
export interface Piece {
  /** From 1. */
  startLine: number;
  lines: number;
  /** How many lines the file had, where that is known; a piece of all of them is the whole file. */
  total?: number;
  /** Under this device's key, so that a short secret cannot be guessed from it. Empty: seen, but not which lines. */
  hash: string;
  /** Estimated. */
  tokens: number;
}

/** A piece that an edit left its author with: what stands there now, in place of what was known before. */
export interface KeptPiece extends Piece {
  /** The hash of the piece it takes the place of; absent where nothing had to be known, as in a whole file written. */
  was?: string;
}

/** What Memo needs to know of one event; the rest of the log is nothing to it. */
export type MemoStep = {
  /** The event's id. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  seq: number;
  agent: AgentName;
  agentSession: string;
  /** Empty for what the agent did itself. What a subagent saw is in nobody else's context. */
  subagent: string;
  clientPid: number;
  checkout: string;
  head: string;
} & (
  | ({ kind: 'read'; path: string } & Piece)
  | { kind: 'edit'; path: string; holds: KeptPiece[] }
  | { kind: 'compaction' }
  | { kind: 'session'; phase: SessionPhase; cause: string; preludeTokens: number; transcript: string }
  | { kind: 'subagent'; phase: SessionPhase }
  | { kind: 'served'; body: ServedBody }
);

export interface MemoStepFilter {
  agentSession?: string;
  clientPid?: number;
  kinds?: MemoStep['kind'][];
  since?: number;
}

export const isWholeFile = ({ startLine, lines, total }: Piece): boolean =>
  startLine === 1 && total !== undefined && lines >= total;

/** In the order in which things happened, as far as clocks tell it. */
export const inOrder = (a: MemoStep, b: MemoStep): number => a.at - b.at || a.seq - b.seq;
