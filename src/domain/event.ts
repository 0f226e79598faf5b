import type { BlockEnd } from './block.ts';
import type { KeptPiece, Piece } from './memo.ts';
import type { Usage } from './usage.ts';

/**
 * An event records one action of an agent or a user. Events are redacted before they are written, and the log is
 * append-only. This file defines the log format: fields may be added but never change their meaning, because old logs
 * must stay readable and data that was not recorded cannot be recovered.
 */
export const eventVersion = 1;

/** Agents with an adapter in `agents/`. `backstory` stands for its own programs, called by no known agent. */
export type KnownAgent =
  | 'claude-code'
  | 'codex'
  | 'opencode'
  | 'kilo'
  | 'pi'
  | 'cursor'
  | 'gemini'
  | 'qwen'
  | 'droid'
  | 'copilot'
  | 'grok'
  | 'cline'
  | 'backstory';

/** The name that an MCP client without an adapter gave itself, as `clientName` returns it. */
export type ClientName = string & { readonly isClientName: true };

export type AgentName = KnownAgent | ClientName;

/** Who or what wrote an event's text. `unconfirmed`: a prompt of which nobody saw who typed it. */
export type Origin =
  | 'user'
  | 'assistant'
  | 'tool'
  | 'system'
  | 'file'
  | 'import'
  | 'teammate'
  | 'unconfirmed';

/** 3: note written by the user. 2: approved by the user, or a prompt. 1: written by an agent. 0: tool or third-party text. */
export type Trust = 0 | 1 | 2 | 3;

/** Names of the levels, in filters. */
export const trustNames = ['others', 'agent', 'approved', 'you'] as const;

/** What a level says about a text, on screen. */
export const trustTexts = [
  'from tools or others',
  'not approved by you',
  'approved or said by you',
  'written by you',
] as const;

export interface Source {
  /** Transcript path with `~` for the home folder, and the byte offset of the record in it. */
  file: string;
  offset: number;
}

export interface EditHunk {
  oldStart: number;
  newStart: number;
  /** Short hashes of the lines: they let a line be traced to its edit without storing code. */
  added: string[];
  removed: string[];
}

export interface Subagent {
  id: string;
  type: string;
}

/** An explicit action on a work session. Everything else about the session is computed from its events. */
export interface WorkStep {
  session: string;
  step: 'open' | 'close' | 'snapshot' | 'resume';
  /** `open` without a goal keeps the existing one. */
  goal?: string;
  status?: 'resolved' | 'abandoned';
  snapshot?: string;
  /** The agent to which the work is handed. Its next session on the same branch joins the work session. */
  to?: AgentName;
}

interface InTurn {
  /** The agent's id of the prompt to which this event belongs. */
  turn?: string;
  subagent?: Subagent;
}

/** The agent's words in a dialog that the user answered. The question is empty if the user typed while the agent worked. */
export interface Asked {
  question: string;
  /** The chosen options, each with its description; empty if the user typed the answer. */
  option: string;
}

/**
 * `rename`: set in place of the agent's own title, by a person or by an app around the agent; a transcript does not say
 * by which. `pull-request`: one that the session made or worked on; its title is `#12`.
 */
export interface SessionName {
  title: string;
  by: 'rename' | 'agent' | 'pull-request';
  url?: string;
}

export type EventContent =
  | {
      kind: 'prompt';
      body: InTurn & {
        text: string;
        /**
         * Which parts of the text a person typed, as decided when the prompt was captured. Absent if the text is one
         * typed paragraph.
         */
        blocks?: BlockEnd[];
        supersedes?: string[];
        /** Why the prompt does not count as typed by a person, such as `headless session`. Its trust is then 1. */
        untyped?: string;
        /** Set if the prompt is part of the turn of an earlier one, which goes on after it. */
        asked?: Asked;
        /** The text is a plan of the agent that the user accepted. The user typed none of it, so its trust is 1. */
        isPlan?: true;
      };
    }
  | { kind: 'answer'; body: InTurn & { text: string; supersedes?: string[] } }
  | {
      kind: 'edit';
      body: InTurn & {
        tool: string;
        path: string;
        created?: boolean;
        hunks: EditHunk[];
        /** The event of the shell command that wrote the lines. No agent reports them; the files were compared. */
        command?: string;
        /**
         * Parts of the file whose current text the agent knows because it made this edit. Memo then does not ask it to
         * read them again.
         */
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
        /** Keyed hash of the lines as the agent saw them; empty if it is not known which lines those were. */
        hash: string;
        /** Estimated tokens of the lines. */
        tokens: number;
        /** Number of lines of the whole file. */
        total?: number;
      };
    }
  | { kind: 'tool'; body: InTurn & { tool: string; ok: boolean } }
  | { kind: 'compaction'; body: InTurn & { trigger: string; supersedes?: string[] } }
  /**
   * What a model used in the turn, or in a subagent of it. A turn that was read before its end has several: the one with
   * the most tokens counts.
   */
  | { kind: 'usage'; body: InTurn & { model: string; used: Usage } }
  | {
      kind: 'session';
      /**
       * `preludeTokens`: estimated size of the prelude, the text that Backstory gave the session at its start.
       * `untyped`: why no person types its prompts; only for agents whose hooks do not report every prompt.
       */
      body: { phase: SessionPhase; cause: string; preludeTokens?: number; untyped?: string };
    }
  /** What a session is called, as its transcript says. The last of each `by` counts. */
  | { kind: 'title'; body: InTurn & SessionName }
  | { kind: 'served'; body: ServedBody }
  | {
      kind: 'commit';
      body: {
        hash: string;
        author: string;
        message: string;
        files: string[];
        /** Committer date, if it differs from the author date. ISO-8601 UTC. */
        committedAt?: string;
      };
    }
  | { kind: 'note'; body: { note: string; action: NoteAction; contentHash: string; rev: number } }
  /** `lifted`: hashes of earlier tombstones that hold no longer, because a person took a rejection back. */
  | { kind: 'tombstone'; body: { targets: string[]; keyedHashes: string[]; lifted?: string[] } }
  | {
      kind: 'oversize';
      body: InTurn & { of: string; length: number; hash: string; head: string; tail: string };
    }
  /** Hooks could not store events: the period, the minimum number of lost events, and the system's error code. */
  | { kind: 'gap'; body: { from: string; to: string; events: number; code: string } }
  | { kind: 'work'; body: WorkStep }
  | { kind: 'probe'; body: { nonce: string } };

/** Reasons in `untyped` that prove nothing: nobody saw who typed the prompt. Older events say so only by these. */
export const unconfirmed = {
  notReported: 'no hook reported it',
  importedByAgent: 'imported by an agent',
  /** A person was asked, and did not say that it is theirs. */
  declined: 'you did not confirm it',
  /** A person gave it, but it may have the text of a file that the person only named. The transcript replaces it. */
  perhapsExpanded: 'not known yet what was typed',
} as const;

/** Whose words a prompt is: a person typed it, nobody saw who did, or an agent or a program did. */
export type Typist = 'person' | 'unconfirmed' | 'agent';

/** Answers for a prompt, or for a chunk of one. */
export function typistOf(prompt: Pick<EventEnvelope, 'trust' | 'origin'> & { body?: object }): Typist {
  if (prompt.trust >= 2) return 'person';
  return prompt.origin === 'unconfirmed' || isUnproven(prompt.body) ? 'unconfirmed' : 'agent';
}

/** Whether a person can still say whether the prompt is theirs. */
export const awaitsConfirmation = (event: EventEnvelope): boolean =>
  originOf(event) === 'unconfirmed' &&
  event.kind === 'prompt' &&
  ![unconfirmed.declined, unconfirmed.perhapsExpanded].some((reason) => reason === event.body.untyped);

/** The origin of an event. Older events have `assistant` for an unconfirmed prompt. */
export const originOf = (event: EventEnvelope): Origin =>
  event.kind === 'prompt' && typistOf(event) === 'unconfirmed' ? 'unconfirmed' : event.origin;

/** Whether a prompt came from outside its session, whoever typed it. The prompts of subagents did not. */
export const isFromOutside = (origin: string | undefined): boolean =>
  origin === 'user' || origin === 'unconfirmed';

const isUnproven = (body: { untyped?: string } = {}): boolean =>
  Object.values<string | undefined>(unconfirmed).includes(body.untyped);

export const askedText = ({ question, option }: Asked): string =>
  option === '' ? question : `${question}\n${option}`;

/** How the text of an answer in a dialog begins where it is searched and shown. */
export const dialogStart = 'The agent asked: ';

/** The text of a prompt or, with the question, of an answer in a dialog. It says whose words are whose. */
export const promptText = ({ text, asked }: { text: string; asked?: Asked }): string =>
  asked === undefined || asked.question === ''
    ? text
    : `${dialogStart}${askedText(asked)}\nThe user answered: ${text}`;

export const isDialog = ({ text }: { text: string }): boolean => text.startsWith(dialogStart);

/** The question and the answer in the text of a dialog; undefined if it is none. */
export function chosenIn(text: string): string | undefined {
  const [, question = '', answer] =
    /^The agent asked: (.*)(?:\n[\s\S]*?)??\nThe user answered: ([\s\S]*)$/.exec(text) ?? [];
  return answer === undefined ? undefined : `${question} → ${answer}`;
}

/** Whether the prompt is a plan of the agent that a person accepted. */
export const isAcceptedPlan = (event: EventEnvelope): boolean =>
  event.kind === 'prompt' && event.body.isPlan === true && event.body.untyped === undefined;

/** The tool name under which hooks report the start of a subagent. */
export const subagentStart = 'SubagentStart';

export type SessionPhase = 'start' | 'end';

/** An answer of the MCP server to an agent: its size and the tokens it saved, never its text. */
export interface ServedBody {
  tool: string;
  /** Estimated size of the answer. */
  tokens: number;
  search?: ServedSearch;
  /** The answer for each file, if a Memo tool was called. */
  memo?: ServedMemo[];
}

export interface ServedSearch {
  /** The id shown to the agent: search-0001. */
  id: string;
  query: string;
  /** Set for a search by regular expression; absent for a literal search. */
  mode?: 'regex';
  /** Path filter of the search; absent if all files were searched. */
  path?: string;
  /** Hash of all parameters of the search, to recognise a repeated one. */
  question: string;
  /** Hash of the answer, to recognise an unchanged one. */
  answer: string;
  files: number;
  lines: number;
  /** Set if the agent was only told that the answer had not changed: the tokens that were left out. */
  omittedTokens?: number;
  isForced?: true;
}

export interface ServedMemo {
  path: string;
  status: 'fresh' | 'stale' | 'unknown';
  recommendation: 'skip_reread' | 'reread_with_diff' | 'reread';
  /** Estimated tokens of reading the file again, minus the tokens of the answer that replaced it. */
  sparedTokens: number;
  /** Lines that the answer contained; or the file that a client without hooks, whose reads are not reported, was told to read. */
  told?: Piece;
}

export type EventKind = EventContent['kind'];
export const noteActions = [
  'create',
  'edit',
  /** The note is for the team from now on, or no longer. */
  'share',
  'unshare',
  'pin',
  'unpin',
  /** Calls that go against the note are denied from now on, or no longer. */
  'enforce',
  'unenforce',
  'mute',
  'unmute',
  'approve',
  /** A model confirmed or doubted that the note says what the user said. */
  'confirm',
  'archive',
  /** Another note replaced the note. */
  'supersede',
  /** The user said that the note is wrong. */
  'withdraw',
  /** The note is valid again. */
  'reopen',
  /** Somebody in the team called the note wrong, or that was settled. */
  'dispute',
  /** Another note stated the same as the note. */
  'repeat',
  /** The note was opened. */
  'use',
] as const;
export type NoteAction = (typeof noteActions)[number];

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
  /** Where a command ran that approves, deletes or publishes memory; absent in events of hooks and of the viewer. */
  terminal?: Terminal;
}

export interface Terminal {
  /** The terminal's device; empty if it is not known. */
  tty: string;
  /** The parent processes, nearest first, as `name pid`. */
  ancestors: string[];
}

export type EventEnvelope = EventContext & {
  v: number;
  id: string;
  /** Time of the action, ISO-8601 UTC. */
  at: string;
  /** Time of writing on this device, in microseconds; strictly increasing within a process. */
  seq: number;
  origin: Origin;
  trust: Trust;
  source?: Source;
  /**
   * The logged time of an event whose `at` in the log is more than a day in the future. The reader sets it, and sets
   * `at` to the time of reading. It is never stored.
   */
  claimedAt?: string;
  /** Time at which the event was restored from the index, because the log had lost it. */
  recovered?: string;
} & EventContent;

/** Replaces a forgotten event in the log. Its line is padded to the old length, so offsets stay valid. */
export interface ForgottenEvent {
  v: number;
  id: string;
  forgotten: true;
}
