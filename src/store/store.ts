import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { AgentName, EventKind } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import type { Note } from '../domain/note.ts';
import type { CorpusStatistics } from '../text/bm25.ts';
import type { LogPosition } from './events/event-log.ts';
import type { createMarkdownNotes } from './notes/markdown-notes.ts';
import type { createProjectNotes } from './notes/project-notes.ts';
import type { SqliteLogIndex } from './sqlite/log-index.ts';
import type { createIndexAccess } from './sqlite/open-index.ts';

/**
 * The storage interfaces used by the rest of the product. Notes are primary data; chunks are derived and can
 * be rebuilt. The contract tests in test/contract fix which rows a result has, how filters apply and how equal
 * scores are ordered, but not the scores themselves.
 */

/** Notes stored as files, which a user may edit, rename or delete at any time. */
export type NoteStore = ReturnType<typeof createMarkdownNotes>;
export type ProjectNotes = ReturnType<typeof createProjectNotes>;

export interface NoteInspection {
  file: string;
  note?: Note;
  /**
   * `edited`: changed by somebody else. `unsigned`: written by hand, or by a version that wrote no checksum.
   */
  state: 'as-written' | 'edited' | 'unsigned' | 'unreadable';
  detail?: string;
}

export type ListOrder = 'newest' | 'oldest';

export interface MessagePosition {
  agentSession: string;
  at: number;
  sourceId: string;
}

export type TermStatistics = CorpusStatistics;

/** An event as stored in the index, which keeps ids so that repeated events are merged. */
export interface EventRow {
  id: string;
  kind: EventKind | 'unknown';
  state: 'live' | 'superseded' | 'forgotten';
  at: number;
  agent: AgentName | '';
  agentSession: string;
  clientPid: number;
  turn: string;
  file: string;
  offset: number;
  /** Position in the transcript, if the event came from one. */
  sourceFile: string;
  sourceOffset: number;
}

export interface TranscriptPosition {
  agent: AgentName;
  offset: number;
  turn: string;
}

/** The state of a note file when it was indexed. */
export interface NoteStamp {
  file: string;
  /** The note's id; empty if the file could not be read. */
  note: string;
  stamp: string;
}

/** The links from a note to events, files and code, so that a query need not read its file. */
export interface NoteTies {
  note: string;
  derivedFrom: string[];
  files: string[];
  anchors: string[];
}

/** The edits and reads in some turns. A turn is one prompt and what the agent did until the next. */
export interface TurnEvidence {
  edits: Edit[];
  reads: ReadStep[];
}

export type ReadStep = Extract<MemoStep, { kind: 'read' }>;
export type FileStep = Extract<MemoStep, { path: string }>;

export interface LogChange {
  put: Chunk[];
  /** Events or notes whose chunks are removed, before `put` is applied. */
  dropSources: string[];
  /** For Memo. Steps of dropped sources are removed. */
  steps: MemoStep[];
  /** For `backstory why`. Edits of dropped sources are removed. */
  edits: Edit[];
  events: EventRow[];
  notes: (NoteStamp & { ties: NoteTies })[];
  dropNotes: string[];
  /** How far the log has been read. Stored in the same transaction as the rows, so that both always match. */
  progress: LogPosition;
  /**
   * Keyed hashes of forgotten texts. They keep such a text from coming back by an import or a new extraction. False for
   * one that a person took back.
   */
  tombstones: [hash: string, isSet: boolean][];
  /** The events as written in the log. Lines of forgotten events are removed. */
  lines: { id: string; line: string }[];
}

export interface NearestQuery {
  /** One for each wording of the question. */
  vectors: Float32Array[];
  filter: ChunkFilter;
  limit: number;
  /** Ids of chunks to score even if they are not among the nearest. */
  wanted: string[];
}

/** Changes whenever an event of the agent session is captured or forgotten. */
export interface SessionState {
  agentSession: string;
  events: number;
  last: number;
}

/** The activity of an agent from one prompt to the next. */
export interface AgentTurn {
  agentSession: string;
  first: number;
  last: number;
  /** Whether a hook reported the answer; otherwise the end of the turn is unknown. */
  isEnded: boolean;
  /** When the session last started or ended. If that is after `last`, the turn is over. */
  sessionBoundary: number;
}

/** The index of one project, which follows its event log. */
export type LogIndex = Pick<SqliteLogIndex, keyof SqliteLogIndex>;

/** Access to the index of one project. Only the holder of the writer lock may change it. */
export type IndexAccess = ReturnType<typeof createIndexAccess>;
