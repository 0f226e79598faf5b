import type { Json } from '../base/json.ts';
import type { AgentName, EventContent, Origin, Source, Subagent, Trust } from '../domain/event.ts';

/** What an agent told us, in our words, before it is redacted and given its envelope. */
export type Observation = EventContent & {
  id: string;
  origin: Origin;
  trust: Trust;
  /** The text is redacted already, because its id was made from it. */
  isClean?: true;
  at?: string;
  source?: Source;
  agentSession?: string;
  agentVersion?: string;
  branch?: string;
  /** Where the agent stood, when that may differ from where the session began. */
  cwd?: string;
  /** The lines of a read as they were shown: a hash of them is kept, never they. */
  seen?: string;
  /** What the agent was shown, by a command or of a file: which lines of files it were is found on disk. */
  shown?: string;
  /** What an edit did to the text of its file: looked at, never kept. */
  change?: FileChange;
  /** The transcript tells it better: looked at, never kept. */
  isToldLater?: true;
};

/** The texts before and after; or how to get from the file as it is now to what it was; or all that was written. */
export type FileChange =
  | { kind: 'texts'; before: string; after: string }
  | { kind: 'undo'; blocks: UndoBlock[] }
  | { kind: 'written'; text: string };

export interface UndoBlock {
  now: string;
  before: string;
}

/** A hook call, read from stdin. Every agent's dialect is brought to this form. */
export interface HookCall {
  agent: AgentName;
  agentVersion: string;
  event:
    | 'session-start'
    | 'prompt'
    | 'tool'
    | 'answer'
    | 'stop'
    | 'subagent-start'
    | 'subagent-stop'
    | 'compact'
    | 'session-end'
    | 'probe'
    | 'ignored';
  agentSession: string;
  cwd: string;
  clientPid: number;
  turn: string;
  transcript: string;
  /** Why a session started: startup, resume, clear, compact or fork. */
  cause: string;
  /** Resumed or forked: how long ago this conversation last had an answer. */
  quietSeconds?: number;
  subagent?: Subagent;
  observations: Observation[];
  /** What stdout must hold for this agent to be told a text. */
  reply(prelude: string): string;
}

export interface HookEnvironment {
  /** AI_AGENT, such as claude-code_2-1-325_harness. */
  aiAgent: string;
  clientPid: number;
  nowMs: number;
  redact(text: string): string;
}

/** How far a transcript has been read. The turn that was under way is read again, and folded by its ids. */
export interface TranscriptCursor {
  offset: number;
  turn: string;
}

export interface TranscriptStep {
  observations: Observation[];
  /** Where the next record starts. */
  end: number;
  /** The record's type, when it is one that this reader has never heard of. */
  unknown?: string;
}

/** A finished tool call, as the plugins' agents tell it, in a hook or in their transcript. */
export interface ToolResult {
  name: string;
  callId: string;
  input: Json;
  /** What the agent keeps beside the output: diffs, exit codes. */
  details: Json;
  output: string;
  failed: boolean;
  cwd: string;
  inTurn: { turn: string; subagent?: Subagent };
}
