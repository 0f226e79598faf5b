import type { TeamMemory } from '../domain/team-memory.ts';
import type { PushOutcome, TeamNote } from '../domain/team-note.ts';

/**
 * A sync request from a machine to a team server. This file has the types of the sync protocol: `remote/` is the
 * client, and the server's routes import the types from here. In a project that has not joined a team, no code of this
 * folder runs and no request is sent.
 */
export interface SyncRequest {
  /** The server's version number up to which the client has received all changes. */
  after: number;
  notes: PushedNote[];
  /** Ids of notes of this user that the user has forgotten or made private since the last sync. */
  removed: string[];
  /** Notes of others that this user calls wrong. Absent if there are none. */
  disputes?: StatedDispute[] | undefined;
  /**
   * Ids of notes of others that this user no longer calls wrong, and of this user's own notes that hold although
   * somebody calls them wrong.
   */
  settled?: string[] | undefined;
  /**
   * The team's issues, comments and jobs that the client has a copy of, each as `id.revision`. Absent from clients that
   * keep none.
   */
  cached?: string[] | undefined;
}

export interface StatedDispute {
  /** Id of the note on the server. */
  id: string;
  /** The server's revision of the text that is disputed. */
  revision: number;
  /** Id of this user's own note that states what is right. */
  correction?: string | undefined;
}

export interface PushedNote extends Omit<TeamNote, 'author'> {
  /** Server revision on which this text is based; 0 for a new note. */
  base: number;
}

export interface SyncAnswer {
  outcomes: {
    id: string;
    outcome: PushOutcome;
    revision: number;
    /** Why a note of somebody else was refused. */
    problem?: { detail: string; hint: string };
  }[];
  /**
   * Whether each dispute was stored. It is refused if the user may not write, or if the note has changed or is gone. It is
   * only recorded if the user silences too many notes that nobody else disputes.
   */
  disputes?: { id: string; outcome: 'kept' | 'recorded' | 'refused' }[];
  changes: PulledChange[];
  version: number;
  /** Changes when the server's database was restored from a backup. Absent if there are no notes. */
  epoch?: string | undefined;
  isComplete: boolean;
  /** A team member has requested the knowledge of the project's files. */
  wantsKnowledge?: boolean;
  /** What has changed among the team's newest issues, comments and jobs. */
  memories?: { changed: TeamMemory[]; gone: string[] };
}

/**
 * What Backstory knows from a project's files (`.backstory/knowledge.json`: stack, commands, key files). Each part
 * becomes a memory of the team.
 */
export interface KnowledgeRequest {
  parts: { ref: string; title: string; text: string; files: string[] }[];
}

export interface KnowledgeAnswer {
  kept: number;
  changed: number;
  removed: number;
}

/** The latest change of a note. Without `note`, the note was removed. */
export interface PulledChange {
  id: string;
  revision: number;
  isYours: boolean;
  isRemovedByYou: boolean;
  /** Name of the person who removed the note; absent if it was nobody of the team, such as a retention period. */
  removedBy?: string;
  note?: TeamNote;
  /** Who calls the note wrong. Absent if nobody does. */
  disputes?: PulledDispute[];
}

export interface PulledDispute {
  /** The person's name on the server. */
  by: string;
  at: string;
  isYours: boolean;
  /** It does not silence the note, because the person silences too many that nobody else disputes. */
  isOverLimit?: true;
  /** Id of that person's note that states what is right. */
  correction?: string;
  /** When the author of the note answered that it holds nevertheless. */
  keptAt?: string;
}

export interface SignInAnswer {
  code: string;
  page: string;
  expiresInMs: number;
  pollEveryMs: number;
}

export interface SignInState {
  state: 'waiting' | 'approved' | 'gone';
}

export const maxNotesPerRequest = 100;
export const maxRemovedPerRequest = 1_000;
export const maxDisputesPerRequest = 100;
export const maxKnowledgeParts = 500;
/** Maximum length of a note's id on the server. Other programs choose the ids of their notes, so these can be long. */
export const maxReferenceLength = 500;
