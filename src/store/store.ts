import type { AgentSession, AgentSessionFilter, CountedSessions } from '../domain/agent-session.ts';
import type { Chunk, ChunkFilter, ScoredChunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { AgentName, EventKind } from '../domain/event.ts';
import type { MemoStep, MemoStepFilter } from '../domain/memo.ts';
import type { Note } from '../domain/note.ts';
import type { CorpusStatistics } from '../text/bm25.ts';
import type { LogPosition } from './events/event-log.ts';

/**
 * The storage interfaces used by the rest of the product. Notes are primary data; chunks are derived and can
 * be rebuilt. The contract tests in test/contract run against every implementation. They fix which rows a
 * result has, how filters apply and how equal scores are ordered, but not the scores themselves.
 */
export interface NoteStore {
  put(note: Note): Promise<void>;
  get(id: string): Promise<Note | undefined>;
  /** Lists all notes, sorted by id. */
  list(): Promise<Note[]>;
  /** Removes a note; returns false if there is no note with this id. */
  remove(id: string): Promise<boolean>;
}

/** Notes stored as files, which a user may edit, rename or delete at any time. */
export interface NoteFiles extends NoteStore {
  /** Maps each file name to a stamp that changes whenever the file changes. */
  stamps(): Map<string, string>;
  readFile(name: string): Promise<Note | undefined>;
  path(id: string): Promise<string | undefined>;
  /**
   * Leaves no copy of the text on disk. A database cannot promise that, because its logs keep old rows for a
   * while.
   */
  remove(id: string): Promise<boolean>;
  /** Returns every file, and whether it is unchanged since Backstory wrote it. */
  inspect(): Promise<NoteInspection[]>;
}

/**
 * The notes of one project, and those of the user for every project. Both are read and written alike. The latter have
 * no stamps, because they are not indexed: they are few, and without copies a correction applies to all projects at
 * once.
 */
export interface ProjectNotes extends NoteFiles {
  listEverywhere(): Promise<Note[]>;
  /** Whether a note for every project had this id and was removed. */
  wasRemovedEverywhere(id: string): boolean;
}

export interface NoteInspection {
  file: string;
  note?: Note;
  /**
   * `edited`: changed by somebody else. `unsigned`: written by hand, or by a version that wrote no checksum.
   */
  state: 'as-written' | 'edited' | 'unsigned' | 'unreadable';
  detail?: string;
}

export interface ChunkChange {
  put: Chunk[];
  /** Events or notes whose chunks are removed, before `put` is applied. */
  dropSources: string[];
}

export type ListOrder = 'newest' | 'oldest';

/** The position of a prompt or answer in an agent session. */
export interface MessagePosition {
  agentSession: string;
  at: number;
  /** Id of the event. */
  sourceId: string;
}

export type TermStatistics = CorpusStatistics;

export interface ChunkIndex {
  /** Applies the whole change or nothing. Putting a chunk that is already there changes nothing. */
  apply(change: ChunkChange): Promise<void>;
  /**
   * Returns chunks with any of the terms, best first; equal scores are ordered newest first, then by id. Text
   * from users weighs more than that of agents and tools, whose long answers would otherwise fill the result.
   * `lastPut` limits the search to about that many of the most recently added chunks, which bounds the cost
   * of a common word.
   */
  search(terms: string[], filter: ChunkFilter, limit: number, lastPut?: number): Promise<ScoredChunk[]>;
  /** Sorted newest first, then by id; `oldest` is the reverse. */
  list(filter: ChunkFilter, limit: number, order?: ListOrder): Promise<Chunk[]>;
  /**
   * Returns up to `count` prompts and answers before and after a position, ordered by time and id, without
   * the one at the position itself.
   */
  adjacentMessages(place: MessagePosition, count: number): Promise<MessagePosition[]>;
  /**
   * Finds chunks by chunk id, event id or note id; a prefix of eight or more characters is enough. Results
   * are in the order of the ids, and for each id in the order in which the chunks were put.
   */
  get(ids: string[]): Promise<Chunk[]>;
  /** `isWithoutTeam`: without texts of a team that the user has not accepted. */
  statistics(terms: string[], isWithoutTeam?: boolean): Promise<TermStatistics>;
  close(): Promise<void>;
}

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
  /** Position of the event in the log. */
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

export interface LogChange extends ChunkChange {
  /**
   * Reads and edits to store, for Memo, which tells an agent which parts of a file it has already read. Steps of
   * dropped sources are removed.
   */
  steps: MemoStep[];
  /**
   * Edits to store, for `backstory why`, which explains where a line of code came from. Edits of dropped sources are
   * removed.
   */
  edits: Edit[];
  events: EventRow[];
  notes: (NoteStamp & { ties: NoteTies })[];
  dropNotes: string[];
  /** How far the log has been read. Stored in the same transaction as the rows, so that both always match. */
  progress: LogPosition;
  /** Keyed hashes of forgotten texts. They keep such a text from coming back by an import or a new extraction. */
  tombstones: string[];
  /** The events as written in the log. Lines of forgotten events are removed. */
  lines: { id: string; line: string }[];
}

/** A chunk to embed. `row` identifies the chunk within this index only. */
export interface UnembeddedChunk {
  row: number;
  text: string;
}

export interface NearestQuery {
  model: string;
  vector: Float32Array;
  filter: ChunkFilter;
  limit: number;
  /** Ids of chunks to score even if they are not among the nearest. */
  wanted: string[];
}

/** Embedding vectors of the chunks. They are derived from the text by a model and removed with the chunk. */
export interface VectorIndex {
  /** Returns chunks without a vector of this model, in the order in which they were added. */
  unembedded(model: string, limit: number): Promise<UnembeddedChunk[]>;
  storeVectors(
    model: { id: string; dims: number },
    vectors: { row: number; vector: Float32Array }[],
  ): Promise<void>;
  /** Returns the nearest chunks by similarity, best first, and the `wanted` ones. */
  nearest(query: NearestQuery): Promise<ScoredChunk[]>;
  /** Removes the vectors of other models. */
  keepOnlyModel(model: string): Promise<void>;
}

/** Changes whenever an event of the agent session is captured or forgotten. */
export interface SessionState {
  agentSession: string;
  events: number;
  /** Time of its newest event, milliseconds since 1970. */
  last: number;
}

/** The activity of an agent from one prompt to the next. Times are milliseconds since 1970. */
export interface AgentTurn {
  agentSession: string;
  first: number;
  last: number;
  /** Whether a hook reported the answer; otherwise the end of the turn is unknown. */
  isEnded: boolean;
  /** When the session last started or ended. If that is after `last`, the turn is over. */
  sessionBoundary: number;
}

/** A chunk index that follows one project's event log. */
export interface LogIndex extends ChunkIndex, VectorIndex {
  applyLog(change: LogChange): Promise<void>;
  progress(): Promise<LogPosition>;
  events(ids: string[]): Promise<Map<string, EventRow>>;
  /** For each agent transcript, returns where to resume reading: at the start of its last turn. */
  transcriptCursors(): Promise<Map<string, TranscriptPosition>>;
  /**
   * Of these turns, returns those in which the agent used a tool, whose output may have influenced what the agent
   * said.
   */
  turnsWithTools(turns: string[]): Promise<Set<string>>;
  /** Memo steps, in the order in which they happened. */
  steps(filter: MemoStepFilter): Promise<MemoStep[]>;
  /** Reads and edits of a file, newest first. The end of its path is enough. */
  stepsOfFile(file: string, limit: number): Promise<FileStep[]>;
  /** Agent sessions with a prompt, answer, edit or command, newest first. */
  sessionStates(): Promise<SessionState[]>;
  /** Lists agent sessions, newest first, then by id. */
  agentSessions(filter: AgentSessionFilter, limit: number): Promise<AgentSession[]>;
  countAgentSessions(filter?: CountedSessions): Promise<number>;
  /**
   * Returns the full id of the agent session with this id or id prefix of at least eight characters; the
   * newest if several match.
   */
  findAgentSession(name: string): Promise<string | undefined>;
  /** Finds a commit by a prefix of its hash. */
  findCommit(hash: string): Promise<Chunk | undefined>;
  /** Returns the events of an agent session, in order. */
  eventsOfSession(agentSession: string, limit: number): Promise<EventRow[]>;
  /**
   * Returns the turns (one prompt and what the agent did until the next) since a time, in milliseconds since 1970. An
   * event without a turn counts as a turn of its own.
   */
  agentTurns(since: number): Promise<AgentTurn[]>;
  /** Returns the newest event that marks a start or end of the agent session. */
  sessionBoundary(agentSession: string): Promise<EventRow | undefined>;
  /**
   * Returns edits that added or removed one of these lines, newest first. For each line only the newest
   * `limit` edits are read, because very many edits share lines such as a closing brace.
   */
  editsWithLines(hashes: string[], limit: number): Promise<Edit[]>;
  /** Lists the edits of a file, newest first. */
  editsOfFile(path: string, limit: number): Promise<Edit[]>;
  hasEdits(): Promise<boolean>;
  /** Returns edits and reads of these turns, ordered by time; of each kind only the newest `limit`. */
  evidenceOfTurns(turns: string[], limit: number): Promise<TurnEvidence>;
  /** How far transcripts, sessions and checkouts were processed: a stamp by the name of each. */
  progressMarks(): Promise<Map<string, string>>;
  setProgressMark(name: string, stamp: string): Promise<void>;
  /** Time of the newest event; 0 if there is none. */
  newestTime(): Promise<number>;
  hasTombstones(): Promise<boolean>;
  isTombstoned(keyedHash: string): Promise<boolean>;
  noteStamps(): Promise<Map<string, NoteStamp>>;
  /** Returns the links of these notes to events, files and code, by note id. */
  noteTies(notes: string[]): Promise<Map<string, NoteTies>>;
  /** Live events per kind, and the time of each agent's last captured event. A call of an MCP tool is not captured. */
  summary(): Promise<{ events: Record<string, number>; lastByAgent: Record<string, number> }>;
  /** Equal for two indexes if and only if they have the same rows, however they were built. */
  digest(): Promise<string>;
  /** Removes every trace of deleted text from the files. */
  scrub(): Promise<void>;
}

export interface IndexReader {
  index: LogIndex;
  /** False if a writer was active when the index was opened, or the last writer did not finish. */
  isSealed: boolean;
  close(): Promise<void>;
}

export interface IndexWriter {
  index: LogIndex;
  /** True if a new, empty index was created because the previous one was missing or could not be trusted. */
  isNew: boolean;
  close(): Promise<void>;
}

/** A line of the event log that an index contains. */
export interface IndexedLine {
  /** Log file and offset of the line when it was indexed. */
  file: string;
  offset: number;
  /** The bytes of the line, including its newline. */
  line: Buffer;
}

/** Access to the index of one project. Only the holder of the writer lock may change it. */
export interface IndexAccess {
  /**
   * Opens the index for reading. Returns undefined if it is missing or may be damaged; the caller then scans the log or
   * rebuilds the index.
   */
  forReading(): IndexReader | undefined;
  /** Opens the index for writing; returns undefined if another process is the writer. */
  forWriting(): IndexWriter | undefined;
  /**
   * Abandons the current index; the next writer creates a new one. If the log is damaged, the old files are
   * kept for recovery.
   */
  discard(): void;
  /** Deletes every index, including those kept for recovery, so that none contains a removed text. */
  erase(): void;
  /**
   * Deletes indexes of other versions of Backstory, which rebuild them from the log, and indexes kept for
   * recovery.
   */
  eraseOthers(): void;
  /** Deletes the indexes kept for recovery. */
  eraseKept(): void;
  /**
   * Returns the log lines stored in any index file of the project, including those of other versions and those kept for
   * recovery. A line can occur twice.
   */
  indexedLines(): Iterable<IndexedLine>;
  /** Returns, for each log file, how far any index file of the project has read it. */
  indexedProgress(): LogPosition;
  removeAbandoned(ageMs: number): void;
}
