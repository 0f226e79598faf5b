/**
 * Responses of the HTTP API, as far as the viewer reads them. Times are milliseconds since 1970 or ISO-8601. All
 * texts come from memory and are untrusted data.
 */
export type Freshness = 'current' | 'moved' | 'changed' | 'gone' | 'elsewhere' | 'unanchored' | 'unchecked';

export interface Project {
  id: string;
  name: string;
}

export interface Projects {
  startedIn: string | null;
  projects: Project[];
}

/** Shown in the frame around every page. */
export interface Overview {
  project: Project;
  /** Number of notes to review. */
  waiting: number;
  /** True only if a person at a terminal signed this browser in. Otherwise it can only read and propose. */
  mayApprove: boolean;
}

/** Summary of one agent session. */
export interface Digest {
  id: string;
  agent: string;
  branch: string;
  firstAt: number;
  lastAt: number;
  /** The first prompt. */
  title: string;
  prompts: number;
  edits: number;
  commands: number;
  failedCommands: number;
  /** Files that the session changed. */
  files: string[];
  decisions: { id: string; kind: string; state: string; title: string }[];
  /** Commits made during the session. */
  commits: { hash: string; subject: string }[];
}

export interface Digests {
  items: Digest[];
  total: number;
  /** Cursor of the next page; absent on the last one. */
  next_cursor?: string;
}

export interface SessionEvent {
  id: string;
  kind: string;
  at: number;
  text?: string;
  path?: string;
  created?: boolean;
  command?: string;
  ok?: boolean;
  exit?: number;
  output?: string;
  tool?: string;
  lines?: number;
  subagent?: string;
}

export interface SessionStory {
  session: Digest;
  turns: { id: string; at: number; events: SessionEvent[] }[];
  /** True if the session has more turns than are returned. */
  isCut: boolean;
}

export interface Hit {
  id: string;
  kind: string;
  source: 'event' | 'note';
  sourceId: string;
  preview: string;
  at: number;
  agent: string;
  agentSession: string;
  trust: number;
  paths: string[];
  score: number;
  /** Rank in each search arm that found it, starting at 1. */
  ranks: Record<string, number>;
  /** Score of each ranking signal. */
  why: Record<string, number>;
  /** State of the code it concerns, if it was checked. */
  drift?: { state: Freshness; path?: string; by?: string; branch?: string };
}

export interface Answer<H extends Hit = Hit> {
  /** The question. */
  asked: string;
  hits: H[];
  match: 'good' | 'weak' | 'none';
  arms: Record<string, string>;
  incomplete: boolean;
  truncated: boolean;
}

export interface Note {
  id: string;
  kind: string;
  title: string;
  state: string;
  trust: number;
  pinned: boolean;
  concepts: string[];
  files: string[];
  created: string;
  updated: string;
  rev: number;
  author: string;
  validFrom: string;
  validTo: string;
  derivedFrom: string[];
  /** What the note is about. */
  topic?: string;
  /** Set if the note applies in every project. */
  everywhere?: string[];
  text: string;
}

/** A range of code, past or current. */
export interface Code {
  path: string;
  startLine: number;
  text: string;
  commit?: string;
}

/** The code a note is anchored to, past and current. */
export interface NoteCode {
  path: string;
  symbol?: string;
  state: Freshness;
  /** The commit that changed it. */
  by?: string;
  past?: Code;
  now?: Code;
}

export interface NoteSource {
  id: string;
  kind: string;
  at: number;
  agent: string;
  agentSession: string;
  text: string;
}

export interface NotePage {
  note: Note;
  path: string;
  /** The state of its code, as a word and as a sentence. */
  state: Freshness;
  drift: string;
  code: NoteCode[];
  sources: NoteSource[];
  history: { action: string; rev: number; at: number }[];
  related: { id: string; kind: string; title: string; state: string; relation: string }[];
}

/** A single event. */
export interface EventPage {
  kind: string;
  agent: string;
  at: number;
  trust: number;
  text: string;
  paths: string[];
}

export interface Inbox {
  /** The newest candidates; there may be more. */
  candidates: Note[];
  /** Number of all candidates. */
  total: number;
  contradictions: [Note, Note][];
  /** Cursor of the next page of candidates; absent on the last one. */
  next_cursor?: string;
}

/** Only a local project has symbols; only a team project has issues and concepts. */
export type GraphKind = 'file' | 'symbol' | 'note' | 'decision' | 'issue' | 'concept';

export interface GraphNode {
  id: string;
  kind: GraphKind;
  label: string;
  /** Id of the note, if the node is one. */
  note?: string;
  path?: string;
}

export interface GraphAnswer {
  nodes: GraphNode[];
  edges: { from: string; to: string; kind: string; weight?: number }[];
  /** True if nodes were left out because of the limit. */
  truncated: boolean;
}

export interface Savings {
  rereadsAvoided: number;
  rereadTokens: number;
  searchesAvoided: number;
  searchTokens: number;
  preludeTokens: number;
  answerTokens: number;
  answers: number;
  definitionTokens: number;
  netTokens: number;
}

export interface Stats {
  days: number;
  sessions: (Savings & { agent: string; agentSession: string; lastAt: number })[];
  total: Savings;
}

export interface LedgerEntry {
  at: string;
  provider: string;
  model: string;
  tokensIn: number;
  tokensOut: number;
  costUsd: number;
  outcome: string;
}

export interface Spend {
  entries: LedgerEntry[];
  /** The chosen model, or `off`. */
  model: string;
  caps: { dailyUsd: number; monthlyUsd: number };
}

export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  hint?: string;
}

export interface Health {
  ok: boolean;
  checks: Check[];
  status: {
    name: string;
    root: string;
    capture: string;
    reason?: string;
    events: Record<string, number>;
    notes: number;
    candidates: number;
    lastCapture: Record<string, number>;
    bytes: Record<string, number>;
  };
}
