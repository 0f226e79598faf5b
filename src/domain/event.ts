import type { KeptPiece } from './memo.ts';

/**
 * An event is what an agent or a user did: raw, redacted, append-only. This file is the contract of the
 * event log; fields can be added, never repurposed, because what was not recorded cannot be recovered.
 */
export const eventVersion = 1;

export type AgentName = 'claude-code' | 'codex' | 'opencode' | 'pi' | 'cursor' | 'gemini' | 'backstory';

/** Where the words of an event came from. */
export type Origin = 'user' | 'assistant' | 'tool' | 'system' | 'file' | 'import' | 'teammate';

/** 3 written by the user, 2 approved or their own prompt, 1 written by an agent, 0 tool or third-party text. */
export type Trust = 0 | 1 | 2 | 3;

export interface Source {
  /** Transcript path with `~` for the home folder; where the record starts in it. */
  file: string;
  offset: number;
}

export interface EditHunk {
  oldStart: number;
  newStart: number;
  /** Short hashes of the lines, so a line can be traced to its edit without keeping the code. */
  added: string[];
  removed: string[];
}

export interface Subagent {
  id: string;
  type: string;
}

/** What somebody did to a work session. Everything else about one is computed from the events in it. */
export interface WorkStep {
  session: string;
  step: 'open' | 'close' | 'snapshot' | 'resume';
  /** What it is for; `open` with none keeps the goal there is. */
  goal?: string;
  status?: 'resolved' | 'abandoned';
  snapshot?: string;
  /** The agent it was handed to, whose next agent session on the same branch belongs to it. */
  to?: AgentName;
}

interface InTurn {
  /** The agent's own id of the prompt this belongs to. */
  turn?: string;
  subagent?: Subagent;
}

export type EventContent =
  | { kind: 'prompt'; body: InTurn & { text: string; supersedes?: string[] } }
  | { kind: 'answer'; body: InTurn & { text: string; supersedes?: string[] } }
  | {
      kind: 'edit';
      body: InTurn & {
        tool: string;
        path: string;
        created?: boolean;
        hunks: EditHunk[];
        /** What its author still knows of the file, after the edit and because of it. */
        holds?: KeptPiece[];
      };
    }
  | { kind: 'command'; body: InTurn & { command: string; ok: boolean; exit?: number; output?: string } }
  | {
      kind: 'read';
      body: InTurn & {
        path: string;
        startLine: number;
        lines: number;
        /** Of the lines as they were shown, under this device's key; empty where it is not known which they were. */
        hash: string;
        /** Estimated. */
        tokens: number;
        /** How many lines the file had. */
        total?: number;
      };
    }
  | { kind: 'tool'; body: InTurn & { tool: string; ok: boolean } }
  | { kind: 'compaction'; body: InTurn & { trigger: string; supersedes?: string[] } }
  | {
      kind: 'session';
      /** `preludeTokens`: about how much the session was told at its start. */
      body: { phase: SessionPhase; cause: string; preludeTokens?: number };
    }
  | { kind: 'served'; body: ServedBody }
  | {
      kind: 'commit';
      body: {
        hash: string;
        author: string;
        message: string;
        files: string[];
        /** When it was made, if that is not when it was written. ISO-8601 UTC. */
        committedAt?: string;
        /** What was recorded of this commit before it was known that an agent made it. */
        supersedes?: string[];
      };
    }
  | { kind: 'note'; body: { note: string; action: NoteAction; contentHash: string; rev: number } }
  | { kind: 'tombstone'; body: { targets: string[]; keyedHashes: string[] } }
  | {
      kind: 'oversize';
      body: InTurn & { of: string; length: number; hash: string; head: string; tail: string };
    }
  /** Hooks could not store events: when, at least how many, and the system's error code. */
  | { kind: 'gap'; body: { from: string; to: string; events: number; code: string } }
  | { kind: 'work'; body: WorkStep }
  | { kind: 'probe'; body: { nonce: string } };

/** The tool by whose name hooks tell that a subagent has begun. */
export const subagentStart = 'SubagentStart';

export type SessionPhase = 'start' | 'end';

/** What our MCP server answered an agent, by its size and by what it spared the agent; never its text. */
export interface ServedBody {
  tool: string;
  /** Estimated, of the answer. */
  tokens: number;
  search?: ServedSearch;
  /** What was said of files, where Memo was asked. */
  memo?: ServedMemo[];
}

export interface ServedSearch {
  /** As the agent was told it: search-0001. */
  id: string;
  query: string;
  /** Absent for a text that is taken as it is. */
  mode?: 'regex';
  /** Only files whose path fits this. */
  path?: string;
  /** Tells whether two searches ask the same; everything that was asked is in it. */
  question: string;
  /** Tells whether two answers are the same. */
  answer: string;
  files: number;
  lines: number;
  /** The answer was only that nothing had changed; this many tokens were left out. */
  omittedTokens?: number;
  isForced?: true;
}

export interface ServedMemo {
  path: string;
  status: 'fresh' | 'stale' | 'unknown';
  recommendation: 'skip_reread' | 'reread_with_diff' | 'reread';
  /** What reading the file again would have cost, less what was told instead of it. */
  sparedTokens: number;
}

export type EventKind = EventContent['kind'];
export type NoteAction =
  | 'create'
  | 'edit'
  | 'pin'
  | 'unpin'
  | 'approve'
  | 'archive'
  /** Put into the repository, or taken out of it. */
  | 'share'
  | 'unshare'
  /** Another note closed it, said it again, or it was opened. */
  | 'supersede'
  | 'repeat'
  | 'use';

/** Who, where and when; the same for every kind. */
export interface EventContext {
  device: string;
  actor: string;
  agent: AgentName;
  agentVersion: string;
  agentSession: string;
  /** The agent session that started this one; present in subagents. */
  parentAgent?: string;
  clientPid: number;
  org?: string;
  project: string;
  checkout: string;
  branch: string;
  head: string;
}

export type EventEnvelope = EventContext & {
  v: number;
  id: string;
  /** When it happened, ISO-8601 UTC. */
  at: string;
  /** When this device wrote it down: microseconds, strictly increasing within a process. */
  seq: number;
  origin: Origin;
  trust: Trust;
  source?: Source;
  /** Never stored: what `at` is in the log, if that is more than a day ahead of the time of reading; `at` is then that time. */
  claimedAt?: string;
  /** When this event was written back from the index, because the log had lost it. */
  recovered?: string;
} & EventContent;

/** What a forgotten event leaves behind: its id, and a line as long as the old one. */
export interface ForgottenEvent {
  v: number;
  id: string;
  forgotten: true;
}
