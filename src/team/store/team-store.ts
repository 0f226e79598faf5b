import type { Link, Member, Memory, MemorySource, Requester, Role, Scope } from '../../domain/memory.ts';
import type { CorpusStatistics } from '../../text/bm25.ts';
import type { TeamBrowse } from './team-browse.ts';
import type { BrowserSessions } from './team-people.ts';
import type { KnowledgeWork, SourceWork, WebhookOperation, Webhooks } from './team-sources.ts';

/**
 * What a team server keeps, as the rest of it sees it. Every way in begins with the hash of a token: the store finds
 * out once who asks, answers NOT_FOUND for whatever they may not know to exist, and works for the rest of the
 * transaction as their project and nothing else.
 */
export type TokenHash = Uint8Array;

/** A memory cut and judged, ready to be kept. */
export interface PreparedMemory {
  documentId: string;
  source: MemorySource;
  sourceRef: string;
  text: string;
  metadata: Record<string, unknown>;
  /** The one person who may read it; undefined for everybody in the project. */
  reader?: string | undefined;
  /** When its source was last changed, in milliseconds since 1970. */
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
  /** False when it was there already, word for word. */
  isChanged: boolean;
  embeddedAt: string | null;
}

export interface MemoryQuestion {
  terms: string[];
  meaning?: { model: string; vector: Float32Array } | undefined;
  /** Files and issues that the question names. */
  targets: string[];
  sources?: MemorySource[] | undefined;
  /** How many to hand over for ranking. */
  limit: number;
  weights: { meaning: number; contrast: number; minNearness: number; graph: number };
}

export interface FoundMemory {
  memory: Memory;
  updated: number;
  /** The slice that was found. */
  said: string;
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

/** A note as it stands at the server; `revision` grows with every change of it. */
export interface NoteState {
  sourceRef: string;
  /** 0 for one that is gone. */
  revision: number;
  isRemoved: boolean;
  text: string;
  metadata: Record<string, unknown>;
}

/** The last thing that happened to a note. */
export interface NoteChange extends NoteState {
  version: number;
  /** Kept to the one who asks. */
  isPrivate: boolean;
  /** First written by whoever asks, or with a device of theirs. */
  isYours: boolean;
  /** Taken back by whoever asks. */
  isRemovedByYou: boolean;
}

export interface NoteChanges {
  changes: NoteChange[];
  /** Ask again after this one. */
  version: number;
  isComplete: boolean;
  /** What the versions count in: another one after the database was restored. Undefined before the first change. */
  epoch: string | undefined;
}

/** What may be done once it is known who asks. */
export interface ProjectWork {
  member: Member;
  browse: TeamBrowse;
  /** Each replaces what was kept of its source; all of them or none. */
  save(memories: PreparedMemory[], model: ModelName | undefined): Promise<SavedMemory[]>;
  /** False when there was none. */
  remove(documentId: string): Promise<boolean>;
  removeSource(source: MemorySource, sourceRef: string): Promise<boolean>;
  /** The one changed last first. */
  list(after: MemoryPage['next'], limit: number, source?: MemorySource): Promise<MemoryPage>;
  /** Held still until the work ends, so that nobody changes them in between. */
  noteStates(sourceRefs: string[], isPrivate: boolean): Promise<NoteState[]>;
  /** Only those that the asker wrote first; says which went. */
  takeBackNotes(sourceRefs: string[]): Promise<string[]>;
  noteChanges(after: number, limit: number): Promise<NoteChanges>;
  sources: SourceWork;
  knowledge: KnowledgeWork;
  /** Asked for again while it waits, it is done once; `anew` begins it from nothing, at once. */
  askFor(job: { kind: string; key: string; payload?: unknown }, anew?: 'anew'): Promise<void>;
  note(action: string, subject: string, detail?: Record<string, unknown>): Promise<void>;
}

/** Work that somebody asked for and nobody waits for. */
export interface Job {
  org: string;
  project: string;
  id: string;
  kind: string;
  key: string;
  payload: unknown;
  /** This one included. */
  attempts: number;
}

/** A slice without a vector. */
export interface UnembeddedSlice {
  /** Names it within the store. */
  chunk: string;
  reader: string | null;
  text: string;
}

/** What a job may do in the project it belongs to. */
export interface JobWork {
  unembedded(model: ModelName, limit: number): Promise<UnembeddedSlice[]>;
  /** Those whose text is gone meanwhile are left out. */
  storeVectors(model: ModelName, judged: { slice: UnembeddedSlice; vector: Float32Array }[]): Promise<void>;
  /** Nobody else takes it up for this much longer. */
  stay(leaseMs: number): Promise<void>;
  /**
   * From now on this model answers for the project, what others made goes, and the job is done. False, and nothing of
   * it, while a slice still has no vector.
   */
  finish(model: ModelName): Promise<boolean>;
}

export interface Jobs {
  /** Out of others' sight for as long as the lease lasts; a process that dies leaves them to the next. */
  claim(kinds: string[], most: number, leaseMs: number): Promise<Job[]>;
  /** All of the work or none of it; undefined when the job was taken back meanwhile. */
  inJob<T>(job: Job, work: (job: JobWork) => Promise<T>): Promise<T | undefined>;
  /** Tried again later, counted as a try or not, or laid among the dead for a person to look at. */
  failed(job: Job, error: string, next: { retryInMs: number; isCounted: boolean } | 'dead'): Promise<void>;
}

/** How a device gets in: it waits under a code until a person lets it in. */
export interface SignIns {
  /** False when too many wait, or the code is taken. */
  ask(device: { code: string; hash: TokenHash; name: string }, lastsMs: number): Promise<boolean>;
  /** The token that waits under the code is from now on that of a device of the asker's. */
  approve(token: TokenHash, code: string): Promise<{ device: string; name: string }>;
  state(hash: TokenHash): Promise<'waiting' | 'approved' | 'gone'>;
  /** Writes down that a person, or a device in the place of one, wanted to let in what they could not. */
  refused(token: TokenHash, why: string): Promise<void>;
  /** The token opens nothing any more. */
  leave(token: TokenHash): Promise<void>;
}

/** A place in the order of what happened; nothing can appear later in front of it. */
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
  /** The one person who may hear of it; null for the whole project. */
  reader: string | null;
  payload: Record<string, unknown>;
  at: string;
}

/** What happened, for those who listen, from whichever process it was done. */
export interface Outbox {
  head(): Promise<OutboxPosition>;
  /** The position is from another database, or from before this one was restored. */
  isUnknown(position: OutboxPosition): Promise<boolean>;
  /** Of every tenant: for the one reader of a process, which tells each listener their own. */
  after(position: OutboxPosition, most: number): Promise<OutboxEvent[]>;
  /** Of one project, for a listener who was cut off. */
  missed(
    token: TokenHash,
    project: string,
    range: { from: OutboxPosition; upTo: OutboxPosition },
    most: number,
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
  /** All of the work or none of it. */
  inProject<T>(token: TokenHash, project: string, work: (project: ProjectWork) => Promise<T>): Promise<T>;
  /** In which project a memory is. */
  projectOf(token: TokenHash, documentId: string): Promise<string>;
  /** Whether the database has the tables of this version. Throws if it was restored and `team migrate` has not run. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

/** One thing a doctor looks at. */
export interface TeamCheck {
  name: string;
  ok: boolean;
  /** Worth a look, though everything works. */
  isAdvice?: boolean;
  text: string;
  hint: string;
  /** The figures behind it, for programs. */
  figures?: Record<string, unknown>;
}

export interface Named {
  id: string;
  name: string;
}

export interface BigProject {
  org: string;
  project: string;
  model: number;
  dims: number;
  vectors: number;
}

/** What an operator does with the owner's rights, before anybody has a token. */
export interface TeamOperation extends WebhookOperation {
  orgs(): Promise<Named[]>;
  projects(org: string): Promise<Named[]>;
  /** People and devices. */
  principals(
    org: string,
  ): Promise<(Named & { kind: 'user' | 'device'; isRemoved: boolean; isOwner: boolean })[]>;
  /** From then on they own the organisation, and are in every project of it. */
  makeOwner(org: string, principal: string): Promise<void>;
  disable(org: string, principal: string): Promise<void>;
  /** Projects whose vectors are too many to look at one by one, and which have no index of their own yet. */
  bigProjects(least: (dims: number) => number): Promise<BigProject[]>;
  /** Without standing in anybody's way; takes as long as it takes. */
  promote(project: BigProject): Promise<void>;
  /** Takes such indexes from projects that are gone, small again or judged by another model; says how many went. */
  demote(least: (dims: number) => number): Promise<number>;
  /** Removes at most so many memories that are older than the policies allow; zero when none is left. */
  applyRetention(most: number): Promise<number>;
  /** How many browser sessions ended longer ago than that. */
  pruneBrowserSessions(keepDays: number): Promise<number>;
  /** How many events were older than that. */
  pruneOutbox(keepDays: number): Promise<number>;
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
  /** Of a person with every device of theirs; of a device that one alone. */
  revokeTokens(org: string, principal: string): Promise<number>;
}
