import { readJson, writeJson } from '../base/files.ts';
import { hashId } from '../base/hash.ts';
import { uuidOf } from '../base/ids.ts';
import { isEverywhere, type Note } from '../domain/note.ts';

/** State of the sync of one project on this machine. If it is lost, the next sync exchanges all notes again. */
export interface SyncState {
  v: 1;
  /** The server's version number up to which this machine has received all changes. */
  after: number;
  /**
   * Epoch of that version, if the server sends one. The server gets a new epoch when its database is restored from a
   * backup.
   */
  epoch?: string;
  /** State of each synced note, by the id of the note on the server. */
  notes: Record<string, SharedNote>;
  /** Content hashes of notes when the user pushed them, by local note id. */
  chosen?: Record<string, string>;
  /** Time of the last successful sync. `failedAt` and `failure` are set if a later one failed. */
  syncedAt?: string;
  failedAt?: string;
  failure?: string;
  /** Agent sessions that were reported to the team as jobs: the time of the last event that the report covers. */
  reported?: Record<string, number>;
}

export interface SharedNote {
  /** Local note id. */
  id: string;
  revision: number;
  /** Content hash of the note when this machine and the server last had the same text. */
  hash: string;
  isYours: boolean;
  /** The note was pushed from this machine. If the user makes it private here, sync removes it from the team. */
  isPushed?: true;
  /** The note was forgotten or rejected here, or removed on the server. Sync neither sends nor receives it again. */
  isGone?: true;
  /**
   * Set if the team knows that this user calls the note wrong: the id of the note that states what is right, empty if
   * there is none.
   */
  disputed?: string;
  /** Time of the newest dispute about this note of the user that the user has answered. */
  answered?: string;
}

export function readState(path: string): SyncState {
  const state = readJson<SyncState>(path);
  return state?.v === 1 ? state : { v: 1, after: 0, notes: {} };
}

export const writeState = (path: string, state: SyncState): void => writeJson(path, state);

/** Hash of the shared content of a note. Pins and approvals are local and not included. */
export const contentHashOf = ({
  kind,
  text,
  concepts,
  files,
}: Pick<Note, 'kind' | 'text' | 'concepts' | 'files'>): string =>
  hashId(kind, text.trim(), concepts.join('\n'), files.join('\n'));

/**
 * True if sync may send the current text of a note to the team. For a note that the user wrote, this includes every
 * later edit. For a note that Backstory extracted, it is only the exact text that the user pushed: if a later session
 * changes the text, the new text stays on this machine until the user pushes the note again.
 */
export const isShared = ({ chosen = {} }: SyncState, note: Note): boolean =>
  note.visibility === 'team' &&
  note.state !== 'superseded' &&
  !isEverywhere(note) &&
  (note.trust === 3 || chosen[note.id] === contentHashOf(note));

/** Shared notes whose current content the server does not have. */
export function notesToSend(state: SyncState, notes: Iterable<Note>): Note[] {
  const known = new Map(Object.values(state.notes).map((shared) => [shared.id, shared]));
  return [...notes].filter((note) => {
    const shared = known.get(note.id);
    return isShared(state, note) && shared?.isGone !== true && shared?.hash !== contentHashOf(note);
  });
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Returns the local id of a note from the server. Other programs may use any text as an id; such an id is replaced by a
 * hash.
 */
export const localIdOf = (reference: string): string =>
  uuid.test(reference) ? reference : uuidOf(hashId('team-note', reference));

/** Alternative local id for a note from the server, used if an unrelated local note already has its id. */
export const otherIdOf = (reference: string): string => uuidOf(hashId('team-note', reference));

/**
 * Id of the copy that keeps the local text in a conflict. It is derived from the note, so that a repeated conflict does
 * not create a second copy.
 */
export const copyIdOf = (note: Pick<Note, 'id' | 'text'>): string =>
  uuidOf(hashId('team-copy', note.id, note.text));
