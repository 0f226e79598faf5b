import type { AgentSession, AgentSessionFilter } from '../domain/agent-session.ts';
import type { Chunk, ChunkFilter, ScoredChunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { AgentName, EventKind } from '../domain/event.ts';
import type { MemoStep, MemoStepFilter } from '../domain/memo.ts';
import type { Note } from '../domain/note.ts';
import type { CorpusStatistics } from '../text/bm25.ts';
import type { LogPosition } from './events/event-log.ts';

/**
 * What persists, as the rest of the product sees it. Notes are truth; chunks are derived and disposable.
 * The contract suites in test/contract run against every implementation: they fix which rows an answer has,
 * how filters apply and how equal scores are ordered, not the scores themselves.
 */
export interface NoteStore {
  put(note: Note): Promise<void>;
  get(id: string): Promise<Note | undefined>;
  /** By id. */
  list(): Promise<Note[]>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
}

/** Notes kept as files, which a person may edit, rename or delete at any time. */
export interface NoteFiles extends NoteStore {
  /** File name → a stamp that changes when the file does. */
  stamps(): Map<string, string>;
  readFile(name: string): Promise<Note | undefined>;
  path(id: string): Promise<string | undefined>;
  /** Leaves no byte of the text, which a database cannot promise: it keeps old rows in its logs for a while. */
  remove(id: string): Promise<boolean>;
  /** Every file, and whether it is as Backstory wrote it. */
  inspect(): Promise<NoteInspection[]>;
}

export interface NoteInspection {
  file: string;
  note?: Note;
  /** `edited`: by somebody else since. `unsigned`: by hand, or by a version that wrote no checksum. */
  state: 'as-written' | 'edited' | 'unsigned' | 'unreadable';
  detail?: string;
}

export interface ChunkChange {
  put: Chunk[];
  /** Events or notes whose chunks go. Applied before `put`. */
  dropSources: string[];
}

export type ListOrder = 'newest' | 'oldest';

/** Where something was said. */
export interface SpokenPlace {
  agentSession: string;
  at: number;
  /** The event. */
  sourceId: string;
}

export type TermStatistics = CorpusStatistics;

export interface ChunkIndex {
  /** All of it or none of it. Putting a chunk again changes nothing. */
  apply(change: ChunkChange): Promise<void>;
  /**
   * Chunks with any of the terms, best first; equal scores newest first, then by id. What people said counts
   * more than what agents and tools did, or the agents' long answers would leave no room for it. With `lastPut`
   * only about so many of the chunks that were put last are looked at, which bounds what a common word costs.
   */
  search(terms: string[], filter: ChunkFilter, limit: number, lastPut?: number): Promise<ScoredChunk[]>;
  /** Newest first, then by id; or the other way round, oldest first. */
  list(filter: ChunkFilter, limit: number, order?: ListOrder): Promise<Chunk[]>;
  /**
   * The prompts and answers nearest to a place in an agent session, up to `reach` on either side, in order of
   * time and then of id; what stands at the place itself is not among them.
   */
  spokenAround(place: SpokenPlace, reach: number): Promise<SpokenPlace[]>;
  /**
   * By chunk id or by the id of the event or note; eight or more first characters are enough. In the order of
   * the ids, and for each of them in the order in which the chunks were put.
   */
  get(ids: string[]): Promise<Chunk[]>;
  statistics(terms: string[]): Promise<TermStatistics>;
  close(): Promise<void>;
}

/** An event as the index remembers it, so that repeated ids can be folded. */
export interface EventRow {
  id: string;
  kind: EventKind | 'unknown';
  state: 'live' | 'superseded' | 'forgotten';
  at: number;
  agent: AgentName | '';
  agentSession: string;
  clientPid: number;
  turn: string;
  /** Where it stands in the log. */
  file: string;
  offset: number;
  /** Where it stands in a transcript, if it came from one. */
  sourceFile: string;
  sourceOffset: number;
}

export interface TranscriptPosition {
  agent: AgentName;
  offset: number;
  turn: string;
}

/** A note file as it was when indexed. */
export interface NoteStamp {
  file: string;
  /** The note in it; empty when it could not be read. */
  note: string;
  stamp: string;
}

/** What ties a note to code, so that a question need not read its file. */
export interface NoteTies {
  note: string;
  derivedFrom: string[];
  files: string[];
  anchors: string[];
}

/** What was edited and read in some turns. */
export interface TurnEvidence {
  edits: Edit[];
  reads: ReadStep[];
}

export type ReadStep = Extract<MemoStep, { kind: 'read' }>;

export interface LogChange extends ChunkChange {
  /** For Memo; those of dropped sources go with them. */
  steps: MemoStep[];
  /** For `why`; those of dropped sources go with them. */
  edits: Edit[];
  events: EventRow[];
  notes: (NoteStamp & { ties: NoteTies })[];
  dropNotes: string[];
  /** How far the log has been read; kept in the same transaction as the rows, so a kill cannot part them. */
  progress: LogPosition;
  /** Keyed hashes of forgotten texts. */
  tombstones: string[];
  /** The events as they are written in the log; those of forgotten events go with them. */
  lines: { id: string; line: string }[];
}

/** What a model makes of a chunk's text. `row` names the chunk within one index and nowhere else. */
export interface UnembeddedChunk {
  row: number;
  text: string;
}

export interface NearestQuery {
  model: string;
  vector: Float32Array;
  filter: ChunkFilter;
  limit: number;
  /** Chunks whose score is wanted however far away they are, by id. */
  wanted: string[];
}

/** The vectors beside the chunks: derived from their texts by a model, and gone with them. */
export interface VectorIndex {
  /** Chunks that this model has not judged yet, in the order in which they came. */
  unembedded(model: string, limit: number): Promise<UnembeddedChunk[]>;
  storeVectors(
    model: { id: string; dims: number },
    vectors: { row: number; vector: Float32Array }[],
  ): Promise<void>;
  /** The chunks nearest in meaning, best first, and the wanted ones. */
  nearest(query: NearestQuery): Promise<ScoredChunk[]>;
  /** Takes out what other models left. */
  keepOnlyModel(model: string): Promise<void>;
}

/** How far an agent session has come; changes with everything that is captured or forgotten of it. */
export interface SessionState {
  agentSession: string;
  events: number;
  /** Of its newest event, milliseconds since 1970. */
  last: number;
}

/** What an agent did from one prompt to the next. Times are milliseconds since 1970. */
export interface AgentTurn {
  agentSession: string;
  first: number;
  last: number;
  /** A hook told that it was answered; without that nobody saw it end. */
  isEnded: boolean;
  /** When the session last began or ended; after `last`, the turn was over by then. */
  sessionEdge: number;
}

/** A chunk index that follows one project's event log. */
export interface LogIndex extends ChunkIndex, VectorIndex {
  applyLog(change: LogChange): Promise<void>;
  progress(): Promise<LogPosition>;
  events(ids: string[]): Promise<Map<string, EventRow>>;
  /** Where reading a transcript goes on: at the start of the turn that was under way. */
  transcriptCursors(): Promise<Map<string, TranscriptPosition>>;
  /** Those of the given turns in which a tool was used, so that its output may have shaped what was said. */
  turnsWithTools(turns: string[]): Promise<Set<string>>;
  /** What Memo knows, in the order in which it happened. */
  steps(filter: MemoStepFilter): Promise<MemoStep[]>;
  /** Those in which somebody spoke, newest first. */
  sessionStates(): Promise<SessionState[]>;
  /** Newest first, then by id. */
  agentSessions(filter: AgentSessionFilter, limit: number): Promise<AgentSession[]>;
  countAgentSessions(): Promise<number>;
  /** The whole id of the one that is called so, or begins so with at least eight characters; the newest of several. */
  agentSessionNamed(name: string): Promise<string | undefined>;
  /** By the beginning of its hash. */
  commitNamed(hash: string): Promise<Chunk | undefined>;
  /** What happened in one, in order. */
  eventsOfSession(agentSession: string, limit: number): Promise<EventRow[]>;
  /** What agents did since then, by turn, in milliseconds since 1970. What has no turn is one by itself. */
  agentTurns(since: number): Promise<AgentTurn[]>;
  /** The newest event that says that an agent session began or ended. */
  sessionEdge(agentSession: string): Promise<EventRow | undefined>;
  /**
   * Edits that added or took out one of these lines, newest first. A line that very many have, such as a closing
   * brace, brings only the newest `limit`.
   */
  editsWithLines(hashes: string[], limit: number): Promise<Edit[]>;
  /** Newest first. */
  editsOfFile(path: string, limit: number): Promise<Edit[]>;
  hasEdits(): Promise<boolean>;
  /** In order of time; of each kind the newest `limit`. */
  evidenceOfTurns(turns: string[], limit: number): Promise<TurnEvidence>;
  /** Transcript files as they were when last read to their end. */
  transcriptStamps(): Promise<Map<string, string>>;
  markTranscript(file: string, stamp: string): Promise<void>;
  /** Of the events; 0 when there are none. */
  newestTime(): Promise<number>;
  hasTombstones(): Promise<boolean>;
  isTombstoned(keyedHash: string): Promise<boolean>;
  noteStamps(): Promise<Map<string, NoteStamp>>;
  /** By the notes' ids. */
  noteTies(notes: string[]): Promise<Map<string, NoteTies>>;
  /** Live events per kind, and when each agent was last heard of. */
  summary(): Promise<{ events: Record<string, number>; lastByAgent: Record<string, number> }>;
  /** Equal for two indexes exactly when they hold the same rows, whatever way they got there. */
  digest(): Promise<string>;
  /** Makes sure that no byte of removed text is left in the files. */
  scrub(): Promise<void>;
}

export interface IndexReading {
  index: LogIndex;
  /** False while a writer is at work, and after one that did not come to its end. */
  isSealed: boolean;
  close(): Promise<void>;
}

export interface IndexWriting {
  index: LogIndex;
  /** True when a new, empty generation was begun because the old one was missing or not to be believed. */
  isNew: boolean;
  close(): Promise<void>;
}

/** The ways to one project's index. Only the holder of the writer lock may change it. */
export interface HeldLine {
  /** Where it was in the log when it was indexed. */
  file: string;
  offset: number;
  /** Newline included. */
  line: Buffer;
}

export interface IndexAccess {
  /** Undefined when there is no index to believe; the caller then scans or rebuilds. */
  forReading(): IndexReading | undefined;
  /** Undefined when another process is the writer. */
  forWriting(): IndexWriting | undefined;
  /** Stops using the index there is; the next writer begins a new one. If the log is damaged, the old one is kept. */
  discard(): void;
  /** Deletes every index, also those kept because the log is damaged: none may hold a text that was removed. */
  erase(): void;
  /** Deletes indexes of other versions of Backstory, which they rebuild from the log, and indexes that were kept. */
  eraseOthers(): void;
  /** Deletes the indexes that were kept because the log was damaged. */
  eraseKept(): void;
  /** The lines of the log that any index here still holds. The same line may come twice. */
  heldLines(): Iterable<HeldLine>;
  /** How far any index here had read each file of the log. */
  heldProgress(): LogPosition;
  removeAbandoned(ageMs: number): void;
}
