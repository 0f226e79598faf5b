import type { TeamNote } from '../domain/team-note.ts';
import type { Synced } from '../wire/answers/team.ts';

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

/** The latest change of a note. Without `note`, the note was removed. */
export type PulledChange = Omit<Synced['changes'][number], 'note' | 'isPrivate'> & {
  note?: TeamNote | undefined;
};

export type SyncAnswer = Omit<Synced, 'changes'> & { changes: PulledChange[] };

export const maxNotesPerRequest = 100;
export const maxRemovedPerRequest = 1_000;
export const maxDisputesPerRequest = 100;
/** Maximum length of a note's id on the server. Other programs choose the ids of their notes, so these can be long. */
export const maxReferenceLength = 500;
