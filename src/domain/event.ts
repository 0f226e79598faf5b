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

interface InTurn {
  /** The agent's own id of the prompt this belongs to. */
  turn?: string;
  subagent?: Subagent;
}

export type EventContent =
  | { kind: 'prompt'; body: InTurn & { text: string; supersedes?: string[] } }
  | { kind: 'answer'; body: InTurn & { text: string; supersedes?: string[] } }
  | { kind: 'edit'; body: InTurn & { tool: string; path: string; created?: boolean; hunks: EditHunk[] } }
  | { kind: 'command'; body: InTurn & { command: string; ok: boolean; exit?: number; output?: string } }
  | {
      kind: 'read';
      body: InTurn & { path: string; startLine: number; lines: number; hash: string; tokens: number };
    }
  | { kind: 'tool'; body: InTurn & { tool: string; ok: boolean } }
  | { kind: 'compaction'; body: InTurn & { trigger: string; supersedes?: string[] } }
  | { kind: 'session'; body: { phase: 'start' | 'end'; cause: string } }
  | { kind: 'commit'; body: { hash: string; author: string; message: string; files: string[] } }
  | { kind: 'note'; body: { note: string; action: NoteAction; contentHash: string; rev: number } }
  | { kind: 'tombstone'; body: { targets: string[]; keyedHashes: string[] } }
  | {
      kind: 'oversize';
      body: InTurn & { of: string; length: number; hash: string; head: string; tail: string };
    }
  | { kind: 'probe'; body: { nonce: string } };

export type EventKind = EventContent['kind'];
export type NoteAction =
  | 'create'
  | 'edit'
  | 'pin'
  | 'unpin'
  | 'approve'
  | 'archive'
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
} & EventContent;

/** What a forgotten event leaves behind: its id, and a line as long as the old one. */
export interface ForgottenEvent {
  v: number;
  id: string;
  forgotten: true;
}
