import type { PushOutcome, TeamNote } from '../domain/team-note.ts';

/**
 * What a laptop and a team's server say to each other: the same verbs as at home, asked over HTTP. This folder is the
 * laptop's side and owns the shapes; the server's routes take theirs from here. Nothing here runs, and not one request
 * is made, in a project that has not joined a team.
 */
export interface SyncRequest {
  /** Changes up to here are known. */
  after: number;
  notes: PushedNote[];
  /** Notes of one's own that were forgotten. */
  removed: string[];
}

export interface PushedNote extends TeamNote {
  /** The revision at the server that this text was made from; 0 when there was none. */
  base: number;
  isPrivate: boolean;
}

export interface SyncAnswer {
  outcomes: { id: string; outcome: PushOutcome; revision: number }[];
  changes: PulledChange[];
  version: number;
  /** What versions count in: another one after the database was restored. Absent from older servers, and without notes. */
  epoch?: string | undefined;
  isComplete: boolean;
  /** Somebody wants the knowledge of the project's files gathered anew; absent from older servers. */
  wantsKnowledge?: boolean;
}

/** What a project's files say of it: `.backstory/knowledge.json`, each part of it a memory of its own. */
export interface BringRequest {
  parts: { ref: string; title: string; text: string; files: string[] }[];
}

export interface BringAnswer {
  kept: number;
  changed: number;
  removed: number;
}

/** The last thing that happened to a note; without `note` it is gone. */
export interface PulledChange {
  id: string;
  revision: number;
  isPrivate: boolean;
  isYours: boolean;
  isRemovedByYou: boolean;
  note?: TeamNote;
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

export const maxNotesAtOnce = 100;
export const maxRemovedAtOnce = 1_000;
export const maxKnowledgeParts = 500;
/** Other programs name their notes as they like. */
export const maxReferenceLength = 500;
