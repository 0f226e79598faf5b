import type { Link, Member, Memory, MemorySource, Requester, Role, Scope } from '../../domain/memory.ts';
import type { CorpusStatistics } from '../../text/bm25.ts';
import type { TeamBrowse } from './team-browse.ts';
import type { BrowserSessions } from './team-people.ts';
import type { KnowledgeWork, SourceWork, WebhookOperation, Webhooks } from './team-sources.ts';

/**
 * The store of a team server. Access starts with the hash of a token: the store identifies the caller, throws NOT_FOUND
 * for anything that the caller may not see, and restricts the rest of the transaction to one project.
 */
export type TokenHash = Uint8Array;

/** A memory that is split and embedded, ready to be saved. */
export interface PreparedMemory {
  documentId: string;
  source: MemorySource;
  sourceRef: string;
  text: string;
  metadata: Record<string, unknown>;
  /** The only person who may read it; undefined for a memory of the whole project. */
  reader?: string | undefined;
  /** When the source of the memory last changed, in milliseconds since 1970. */
  at: number;
  slices: { id: string; text: string; vector?: Float32Array | undefined }[];
  links: Link[];
}

export interface ModelName {
  id: string;
  dims: number;
}

export interface SavedMemory {
  documentId: string;
  /** False if the same text was already stored, so that nothing was written. */
  isChanged: boolean;
  embeddedAt: string | null;
}

export interface MemoryQuestion {
  terms: string[];
  meaning?: { model: string; vector: Float32Array } | undefined;
  /** Files and issues that the question mentions. */
  targets: string[];
  sources?: MemorySource[] | undefined;
  /** Number of candidates to return for ranking. */
  limit: number;
  weights: { meaning: number; contrast: number; minNearness: number; graph: number };
}

export interface FoundMemory {
  memory: Memory;
  updated: number;
  /** The part of the memory's text that matched. Long texts are split into such slices. */
  sliceText: string;
  nearness: number;
  graph: number;
  score: number;
}

export interface FoundMemories {
  found: FoundMemory[];
  corpus: CorpusStatistics;
}

export interface MemoryPage {
  memories: Memory[];
  next?: { updated: string; documentId: string };
}

export interface TeamProject {
  id: string;
  name: string;
  role: Role;
}

/** A note's state on the server. `revision` increases with each change. */
export interface NoteState {
  sourceRef: string;
  /** 0 for a removed note. */
  revision: number;
  isRemoved: boolean;
  text: string;
  metadata: Record<string, unknown>;
  /** Whether the caller or one of their devices created the note. */
  isYours: boolean;
}

/** A member says that a note of somebody else is wrong. */
export interface StatedDispute {
  /** Reference of the note. */
  id: string;
  /** The revision that the member has read. */
  revision: number;
  /** Reference of the member's own note that states what is right. */
  correction?: string | undefined;
}

/** A dispute about a note, as the project's members see it. */
export interface NoteDispute {
  /** Name of the person. */
  by: string;
  at: string;
  isYours: boolean;
  /** It does not silence the note, because the person silences too many that nobody else disputes. */
  isOverLimit?: true;
  correction?: string;
  /** When the author answered that the note holds nevertheless. */
  keptAt?: string;
}

/** The latest change of a note. */
export interface NoteChange extends NoteState {
  version: number;
  /** Whether the caller removed the note from the team. */
  isRemovedByYou: boolean;
  /** Name of the person who wrote the text, or removed the note; undefined if it was none of the organisation. */
  by?: string | undefined;
  disputes: NoteDispute[];
}

export interface NoteChanges {
  changes: NoteChange[];
  /** The version of the last change in this page. Pass it to get the next page. */
  version: number;
  isComplete: boolean;
  /**
   * Changes when the database is restored; versions from before are then invalid, and a laptop syncs everything
   * again. Undefined before the first change.
   */
  epoch: string | undefined;
}

/** Operations in a project's transaction, after the caller was identified. */
export interface ProjectWork {
  member: Member;
  browse: TeamBrowse;
  /**
   * Saves all memories or none. Each replaces the memory of the same source. The caller becomes the author. Throws
   * FORBIDDEN if the stored text is of somebody else, unless the caller is an operator; this is then audited.
   */
  save(memories: PreparedMemory[], model: ModelName | undefined): Promise<SavedMemory[]>;
  /**
   * Removes a memory. Returns the id of its author; undefined if there is no memory with this id. Throws FORBIDDEN if it
   * is of somebody else, unless the caller is an operator.
   */
  remove(documentId: string): Promise<{ author: string | null } | undefined>;
  /** The same, by the source. Returns whether there was a memory. */
  removeSource(source: MemorySource, sourceRef: string): Promise<boolean>;
  /** Of these sources, the references of those that the caller may replace and remove. */
  writableSources(source: MemorySource, sourceRefs: string[]): Promise<string[]>;
  /** Lists memories, the last changed one first. */
  list(after: MemoryPage['next'], limit: number, source?: MemorySource): Promise<MemoryPage>;
  /** Returns the current state of the notes, and locks them until the transaction ends. */
  noteStates(sourceRefs: string[]): Promise<NoteState[]>;
  /** Removes notes that the caller wrote first, and ignores others. Returns the references of those removed. */
  withdrawNotes(sourceRefs: string[]): Promise<string[]>;
  noteChanges(after: number, limit: number): Promise<NoteChanges>;
  /**
   * Stores disputes of the caller about team notes of others, if the text is still the one that the caller read.
   * Returns those that are stored, and whether each silences its note: of those that nobody else disputes, a person
   * silences only a few.
   */
  recordDisputes(disputes: StatedDispute[]): Promise<{ id: string; silences: boolean }[]>;
  /** Takes back disputes of the caller, and answers disputes about the caller's own notes: they hold nevertheless. */
  settleDisputes(sourceRefs: string[]): Promise<void>;
  sources: SourceWork;
  knowledge: KnowledgeWork;
  /** Queues a job. A job that is already waiting runs only once; `restart` makes it due now, with no attempts counted. */
  enqueue(job: { kind: string; key: string; payload?: unknown }, restart?: 'restart'): Promise<void>;
  /** Writes an entry to the audit log. */
  audit(action: string, subject: string, detail?: Record<string, unknown>): Promise<void>;
}

/** Background work. */
export interface Job {
  org: string;
  project: string;
  id: string;
  kind: string;
  key: string;
  payload: unknown;
  /** How often the job was started, including the current attempt. */
  attempts: number;
}

/** A slice, which is a part of a memory's text, that has no vector yet. */
export interface UnembeddedSlice {
  /** Id of the slice within the store. */
  chunk: string;
  reader: string | null;
  text: string;
}

/** Operations of a job in its project. */
export interface JobWork {
  unembedded(model: ModelName, limit: number): Promise<UnembeddedSlice[]>;
  /** Stores vectors, except for slices that were removed since they were read. */
  storeVectors(model: ModelName, embedded: { slice: UnembeddedSlice; vector: Float32Array }[]): Promise<void>;
  extendLease(leaseMs: number): Promise<void>;
  /**
   * Makes this the project's model, deletes the vectors of others and completes the job. Returns false and changes
   * nothing if a slice still has no vector.
   */
  finish(model: ModelName): Promise<boolean>;
}

export interface Jobs {
  /** Leases due jobs, so that no other process claims them. If the process dies, the jobs become due after the lease. */
  claim(kinds: string[], limit: number, leaseMs: number): Promise<Job[]>;
  /** Runs the work in a transaction. Returns undefined if the job no longer exists. */
  inJob<T>(job: Job, work: (job: JobWork) => Promise<T>): Promise<T | undefined>;
  /** Schedules a retry, which may or may not count as an attempt, or gives the job up until an operator retries it. */
  failed(job: Job, error: string, next: { retryInMs: number; isCounted: boolean } | 'dead'): Promise<void>;
}

/** Device sign-in: a device shows a code, and a person approves it. */
export interface SignIns {
  /**
   * Starts the sign-in of a device. Returns false if too many devices are waiting for approval, or the code is in use.
   */
  request(device: { code: string; hash: TokenHash; name: string }, lifetimeMs: number): Promise<boolean>;
  /** Makes the token of the waiting device valid, for a new device of the caller. */
  approve(token: TokenHash, code: string): Promise<{ device: string; name: string }>;
  state(hash: TokenHash): Promise<'waiting' | 'approved' | 'gone'>;
  /** Writes a failed approval to the audit log. */
  logRefusal(token: TokenHash, why: string): Promise<void>;
  revoke(token: TokenHash): Promise<void>;
}

/**
 * A position in the ordered list of events. Events that are committed later always come after it, so a reader that
 * continues from here misses none.
 */
export interface OutboxPosition {
  xact: bigint;
  seq: bigint;
}

export interface OutboxEvent extends OutboxPosition {
  org: string;
  project: string;
  /** `memory:indexed` or `memory:removed`. */
  kind: string;
  /** The memory's documentId. */
  ref: string;
  /** The only person who may receive it; null for the whole project. */
  reader: string | null;
  payload: Record<string, unknown>;
  at: string;
}

/** Events for listeners, whichever process wrote them. */
export interface Outbox {
  head(): Promise<OutboxPosition>;
  /**
   * Whether the position is from another database, or from before this one was restored, so that a client cannot
   * resume from it.
   */
  isUnknown(position: OutboxPosition): Promise<boolean>;
  /** Events of all tenants, for the broadcast of this process, which delivers to each listener only its own. */
  after(position: OutboxPosition, limit: number): Promise<OutboxEvent[]>;
  /** Events of one project, for a client that was disconnected. */
  missed(
    token: TokenHash,
    project: string,
    range: { from: OutboxPosition; upTo: OutboxPosition },
    limit: number,
  ): Promise<OutboxEvent[]>;
}

export interface TeamStore {
  jobs: Jobs;
  outbox: Outbox;
  signIns: SignIns;
  webhooks: Webhooks;
  browserSessions: BrowserSessions;
  identify(token: TokenHash): Promise<Requester>;
  member(token: TokenHash, project: string): Promise<Member>;
  projects(token: TokenHash): Promise<TeamProject[]>;
  search(token: TokenHash, project: string, question: MemoryQuestion): Promise<FoundMemories>;
  /** Identifies the caller by the token, then runs `work` in a transaction of the project. */
  inProject<T>(token: TokenHash, project: string, work: (project: ProjectWork) => Promise<T>): Promise<T>;
  /** Returns the project of a memory. */
  projectOf(token: TokenHash, documentId: string): Promise<string>;
  /** Whether the database has the tables of this version. Throws if it was restored and `team migrate` has not run. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

/** One result of `backstory team doctor`. */
export interface TeamCheck {
  name: string;
  ok: boolean;
  /** A failed check is only advice; the server works. */
  isAdvice?: boolean;
  text: string;
  hint: string;
  /** The numbers behind the text, for JSON output. */
  figures?: Record<string, unknown>;
}

export interface Named {
  id: string;
  name: string;
}

export interface LargeProject {
  org: string;
  project: string;
  model: number;
  dims: number;
  vectors: number;
}

/** What was changed on a Citus cluster. */
export interface BalancedCluster {
  /** Organisations that got a shard of their own. */
  isolated: { org: string; slices: number }[];
  /** Number of shards that were moved to another worker. */
  moved: number;
}

/** Operator actions that need the database owner and no token. */
export interface TeamOperation extends WebhookOperation {
  orgs(): Promise<Named[]>;
  projects(org: string): Promise<Named[]>;
  /** People and devices. */
  principals(
    org: string,
  ): Promise<(Named & { kind: 'user' | 'device'; isRemoved: boolean; isOwner: boolean })[]>;
  /** Makes a person an owner of the organisation, with access to all its projects. */
  makeOwner(org: string, principal: string): Promise<void>;
  disable(org: string, principal: string): Promise<void>;
  /** Returns projects that have enough vectors for an own index but no such index yet. */
  largeProjects(minVectors: (dims: number) => number): Promise<LargeProject[]>;
  /** Builds the vector index of a project without blocking writes. May take long. */
  createVectorIndex(project: LargeProject): Promise<void>;
  /** Drops the vector indexes of projects that are deleted, small again or use another model. Returns how many. */
  dropVectorIndexes(minVectors: (dims: number) => number): Promise<number>;
  /** Deletes up to `limit` memories that exceed their retention period. Returns how many. */
  applyRetention(limit: number): Promise<number>;
  /** Deletes browser sessions that ended more than this many days ago. Returns how many. */
  pruneBrowserSessions(keepDays: number): Promise<number>;
  /** Deletes outbox events that are older than this many days; returns how many were deleted. */
  pruneOutbox(keepDays: number): Promise<number>;
  /** Distributes the rows evenly over the workers of a Citus cluster. Returns undefined on a single Postgres. */
  balanceCluster(minSlices: number): Promise<BalancedCluster | undefined>;
  createOrg(name: string): Promise<string>;
  createProject(org: string, name: string, id?: string): Promise<string>;
  createPrincipal(org: string, person: { name: string; orgRole: 'owner' | 'member' }): Promise<string>;
  createDevice(org: string, person: string, name: string): Promise<string>;
  setRole(org: string, project: string, principal: string, role: Role | undefined): Promise<void>;
  createToken(
    org: string,
    principal: string,
    token: { hash: TokenHash; scopes: Scope[]; label: string; expires?: string | undefined },
  ): Promise<string>;
  /** Revokes the tokens of a person and all their devices, or of one device. Returns how many. */
  revokeTokens(org: string, principal: string): Promise<number>;
}
