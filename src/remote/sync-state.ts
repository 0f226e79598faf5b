import { readJson, writeJson } from '../base/files.ts';
import { contentId, uuidOf } from '../base/ids.ts';
import type { Note } from '../domain/note.ts';
import { isOwnTheme } from '../memory/notes/theme-note.ts';

/** State of the sync on this machine. If it is lost, everything is exchanged again. */
export interface SyncState {
  v: 1;
  /** Version of the server up to which all changes are known. */
  after: number;
  /** Epoch of that version, if the server sends one. */
  epoch?: string;
  /** State of each synced note, by the id of the note on the server. */
  notes: Record<string, SharedNote>;
  /** Content hashes of notes when the user pushed them, by local note id. */
  chosen?: Record<string, string>;
  /** Time of the last successful sync. `failedAt` and `failure` are set if a later one failed. */
  syncedAt?: string;
  failedAt?: string;
  failure?: string;
  /** A team member has requested the knowledge of the project's files. */
  wantsKnowledge?: true;
  /** When this machine last tried to send the project's knowledge. */
  triedKnowledgeAt?: string;
}

export interface SharedNote {
  /** Local note id. */
  id: string;
  revision: number;
  /** Content hash when both sides were last in sync. */
  hash: string;
  isYours: boolean;
  /** Pushed from this machine. If the user makes it private here, it is removed from the team. */
  isPushed?: true;
  /** Forgotten or rejected here, or removed on the server. It is neither sent nor received again. */
  isGone?: true;
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
  contentId(kind, text.trim(), concepts.join('\n'), files.join('\n'));

/**
 * True if the current text of a note may be sent. A note that the user wrote is sent with every edit. An extracted note
 * can change with the next session, so its new text must be pushed again.
 */
export const isShared = ({ chosen = {} }: SyncState, note: Note): boolean =>
  note.visibility === 'team' &&
  !isOwnTheme(note) &&
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

/** Local id of a server note. Ids from other programs may be any text, so those are hashed. */
export const localIdOf = (reference: string): string =>
  uuid.test(reference) ? reference : uuidOf(contentId('team-note', reference));

/** Alternative local id, if an unrelated local note already has the id. */
export const otherIdOf = (reference: string): string => uuidOf(contentId('team-note', reference));

/** Id of the copy that is kept in a conflict. Deterministic, so that a repeated conflict creates one copy. */
export const copyIdOf = (note: Pick<Note, 'id' | 'text'>): string =>
  uuidOf(contentId('team-copy', note.id, note.text));
