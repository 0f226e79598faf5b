import type { EventContent, KnownAgent, Origin, Source, Subagent, Trust } from '../domain/event.ts';

/** One thing that an agent reported, in the common format, before it is redacted and becomes an event. */
export type Observation = EventContent & {
  id: string;
  origin: Origin;
  trust: Trust;
  /**
   * True if the text is already redacted. The event id is then a hash of the redacted text, so redacting again must
   * not change it.
   */
  isRedacted?: true;
  at?: string;
  source?: Source;
  agentSession?: string;
  agentVersion?: string;
  branch?: string;
  /** The agent's working directory, if it can differ from where the session started. */
  cwd?: string;
  /** The lines of a file as the agent read them. Only their hash is stored. */
  seen?: string;
  /** Output of a command or of a read. It is compared with files on disk to find which lines the agent has seen. */
  shown?: string;
  /**
   * Of a prompt: parts of its text that the user pasted, as the agent recorded them. Used to find which blocks of the
   * prompt were typed, never stored, and not redacted.
   */
  pasted?: string[];
  /** Of a prompt: parts of its text that the agent added, such as the content of a mentioned file. Used like `pasted`. */
  added?: string[];
  /** How an edit changed the text of its file. Used by the hook, never stored. */
  change?: FileChange;
  /**
   * The transcript will contain a better record of this action. The hook uses the observation to find which lines the
   * agent saw, but does not store it.
   */
  isReplacedByTranscript?: true;
};

/**
 * An edit's effect on a file, as far as the agent reports it: the text before and after; or blocks of text with which
 * the edit can be undone in the file on disk; or the whole text that was written.
 */
export type FileChange =
  | { kind: 'texts'; before: string; after: string }
  | { kind: 'undo'; blocks: { now: string; before: string }[] }
  | { kind: 'written'; text: string };

/** A hook call, read from stdin and converted from the agent's own format. */
export interface HookCall {
  agent: Exclude<KnownAgent, 'backstory'>;
  agentVersion: string;
  event:
    | 'session-start'
    | 'prompt'
    | 'before-tool'
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
  /** How long the tool of the call took, in milliseconds. */
  tookMs?: number;
  /** For a resumed or forked session: seconds since the last answer in this conversation. */
  idleSeconds?: number;
  subagent?: Subagent;
  /** The task of a subagent that starts, if the agent tells it. */
  task?: string;
  observations: Observation[];
  /** Formats text for the model as the agent expects it on stdout. */
  reply(text: string): string;
}

export interface HookEnvironment {
  /** AI_AGENT, such as claude-code_2-1-325_harness. */
  aiAgent: string;
  clientPid: number;
  nowMs: number;
  userHome: string;
  /** The environment variables of the hook, which some agents use to move their folder. */
  variables: Record<string, string | undefined>;
  redact(text: string): string;
}

/**
 * How far a transcript has been read. An unfinished turn is read again next time; events that were already stored are
 * recognised by their ids.
 */
export interface TranscriptCursor {
  offset: number;
  turn: string;
}

export interface TranscriptStep {
  observations: Observation[];
  /** Where the next record starts. */
  end: number;
  /** The record's type, if this reader does not know it. */
  unknown?: string;
}
