/**
 * What the HTTP API answers, as far as the viewer reads it. Times are milliseconds since 1970 or ISO-8601; all
 * texts come from memory and are data, whatever they say.
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

/** What the frame around every page shows. */
export interface Overview {
  project: Project;
  /** How many notes wait for the user's word. */
  waiting: number;
  /** False if no person at a terminal signed this browser in: it may read and propose only. */
  mayApprove: boolean;
}

/** One agent session, told in a line or two. */
export interface Digest {
  id: string;
  agent: string;
  branch: string;
  firstAt: number;
  lastAt: number;
  /** The first thing that was asked. */
  title: string;
  prompts: number;
  edits: number;
  commands: number;
  failedCommands: number;
  /** What it changed. */
  files: string[];
  decisions: { id: string; kind: string; state: string; title: string }[];
  /** Made while it ran. */
  commits: { hash: string; subject: string }[];
}

export interface Digests {
  items: Digest[];
  total: number;
  /** Where the next page begins; absent at the end. */
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
  /** There is more than is shown. */
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
  /** Place in each arm that found it, from 1. */
  ranks: Record<string, number>;
  /** What each signal added to the score. */
  why: Record<string, number>;
  /** What has become of the code it concerns, where that was looked at. */
  drift?: { state: Freshness; path?: string; by?: string; branch?: string };
}

export interface Answer<H extends Hit = Hit> {
  /** What it is the answer to. */
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
  text: string;
}

/** A piece of code, then or now. */
export interface Code {
  path: string;
  startLine: number;
  text: string;
  commit?: string;
}

/** The code that a note was made for, and what stands there now. */
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
  /** What has become of its code, in a word and in a sentence. */
  state: Freshness;
  drift: string;
  code: NoteCode[];
  sources: NoteSource[];
  history: { action: string; rev: number; at: number }[];
  related: { id: string; kind: string; title: string; state: string; relation: string }[];
}

/** One event by itself. */
export interface EventPage {
  kind: string;
  agent: string;
  at: number;
  trust: number;
  text: string;
  paths: string[];
}

export interface Inbox {
  /** The newest; there may be more. */
  candidates: Note[];
  /** How many candidates there are. */
  total: number;
  contradictions: [Note, Note][];
  /** Where the next page of candidates begins; absent at the end. */
  next_cursor?: string;
}

/** Symbols are those of a checkout; issues and concepts those of a team. */
export type GraphKind = 'file' | 'symbol' | 'note' | 'decision' | 'issue' | 'concept';

export interface GraphNode {
  id: string;
  kind: GraphKind;
  label: string;
  /** The id of a note. */
  note?: string;
  path?: string;
}

export interface GraphAnswer {
  nodes: GraphNode[];
  edges: { from: string; to: string; kind: string; weight?: number }[];
  /** There was more than fits. */
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
  /** Which is chosen, or off. */
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
