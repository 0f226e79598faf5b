import type { Link, MemorySource } from '../../domain/memory.ts';
import type { CorpusStatistics } from '../../text/bm25.ts';
import type { StoredMemory, Synced } from '../../wire/answers/team.ts';
import type { createJobs } from '../postgres/jobs.ts';
import type { createOutbox } from '../postgres/outbox.ts';
import type { createTeamOperation } from '../postgres/team-operation.ts';
import type { createTeamStore, projectWork } from '../postgres/team-store.ts';

/** There is one store, so its interfaces are the types of its functions. Their documentation is there. */
export type TeamStore = ReturnType<typeof createTeamStore>;
export type ProjectWork = ReturnType<typeof projectWork>;
export type TeamOperation = ReturnType<typeof createTeamOperation>;
export type Jobs = ReturnType<typeof createJobs>;
export type Outbox = ReturnType<typeof createOutbox>;

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
  memory: StoredMemory;
  updated: number;
  /** The part of the memory's text that matched. Long texts are split into such slices. */
  sliceText: string;
  nearness: number;
  graph: number;
}

export interface FoundMemories {
  found: FoundMemory[];
  corpus: CorpusStatistics;
}

export interface MemoryPage {
  memories: StoredMemory[];
  next?: { updated: string; documentId: string };
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

/** A dispute about a note, as the project's members see it. */
export type NoteDispute = NonNullable<Synced['changes'][number]['disputes']>[number];

/** The latest change of a note. */
export interface NoteChange extends NoteState {
  version: number;
  /** Whether the caller removed the note from the team. */
  isRemovedByYou: boolean;
  /** Name of the person who wrote the text, or removed the note; undefined if it was none of the organisation. */
  by?: string | undefined;
  disputes: NoteDispute[];
}

/** Background work: makes the missing vectors of a project, and those of another model. */
export interface Job {
  org: string;
  project: string;
  /** How often the job was started, including the current attempt. */
  attempts: number;
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
