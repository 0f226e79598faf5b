import type { AgentName, ServedBody, SessionName, SessionPhase } from './event.ts';
import type { TurnUsage } from './usage.ts';

/** Lines of a file as an agent read or wrote them. Their content is kept only as a hash. */
export interface Piece {
  /** Number of the first line, from 1. */
  startLine: number;
  lines: number;
  /** Number of lines of the file, if known. */
  total?: number;
  /**
   * Hash of the lines, keyed by this device, so that a short secret cannot be guessed from it. Empty if it is not known
   * which lines were seen.
   */
  hash: string;
  /** Estimated tokens of these lines. */
  tokens: number;
}

/** A piece of a file that an agent knows because of its edit. */
export interface KeptPiece extends Piece {
  /** Hash of the piece that it replaces; absent if the edit needed no prior knowledge, such as writing a whole file. */
  was?: string;
}

/** One run of a program, reduced to words that cannot carry prose. */
export interface CommandRun {
  command: string;
  /** The folder to which the command line changed before; empty if it did not. */
  folder: string;
  /** `unknown` if the exit status of the command line was not the one of this command. */
  outcome: 'passed' | 'failed' | 'unknown';
}

/**
 * The fields of an event that Memo, observed commands, sums of usage and names of sessions need. Memo tracks which file contents are in an agent's context.
 */
export type MemoStep = {
  id: string;
  at: number;
  seq: number;
  agent: AgentName;
  agentSession: string;
  /** Id of the subagent; empty for the main agent. Text that a subagent read is only in that subagent's context. */
  subagent: string;
  clientPid: number;
  checkout: string;
  head: string;
} & (
  | ({ kind: 'read'; path: string } & Piece)
  | { kind: 'edit'; path: string; holds: KeptPiece[]; turn?: string; isByCommand?: true }
  | { kind: 'compaction' }
  | { kind: 'session'; phase: SessionPhase; cause: string; preludeTokens: number; transcript: string }
  | { kind: 'subagent'; phase: SessionPhase }
  | { kind: 'served'; body: ServedBody }
  | { kind: 'run'; runs: CommandRun[]; turn: string }
  | ({ kind: 'usage' } & TurnUsage)
  | ({ kind: 'title' } & SessionName)
);

export interface MemoStepFilter {
  agentSession?: string;
  clientPid?: number;
  kinds?: MemoStep['kind'][];
  since?: number;
}

export const isWholeFile = ({ startLine, lines, total }: Piece): boolean =>
  startLine === 1 && total !== undefined && lines >= total;

export const inOrder = (a: MemoStep, b: MemoStep): number => a.at - b.at || a.seq - b.seq;
