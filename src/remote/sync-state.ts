import { readJson, writeJson } from '../base/files.ts';
import { contentId, uuidOf } from '../base/ids.ts';
import type { Note } from '../domain/note.ts';
import { isOwnTheme } from '../memory/notes/theme-note.ts';

/** How far this machine and the server have come. Lost, it is made anew by exchanging everything once more. */
export interface SyncState {
  v: 1;
  /** Changes at the server up to here are known. */
  after: number;
  /** What they count in, where the server has said so. */
  epoch?: string;
  /** By the name of the note at the server. */
  notes: Record<string, SharedNote>;
  /** What notes said when the user pushed them by hand, by the id of the note here. */
  chosen?: Record<string, string>;
  /** Of the last exchange that succeeded, and of a failed one since then. */
  syncedAt?: string;
  failedAt?: string;
  failure?: string;
  /** Somebody of the team wants the knowledge of the project's files; and when this machine last tried to bring it. */
  wantsKnowledge?: true;
  triedKnowledgeAt?: string;
}

export interface SharedNote {
  /** Of the note here. */
  id: string;
  revision: number;
  /** Of what the note said here when both sides agreed. */
  hash: string;
  isYours: boolean;
  /** It went up from this machine: made private here, it is taken back. */
  isPushed?: true;
  /** Forgotten or rejected here, or removed there: it is not sent, and does not come back. */
  isGone?: true;
}

export function readState(path: string): SyncState {
  const state = readJson<SyncState>(path);
  return state?.v === 1 ? state : { v: 1, after: 0, notes: {} };
}

export const writeState = (path: string, state: SyncState): void => writeJson(path, state);

/** Of what a note says; whether it is pinned or approved is everybody's own business. */
export const saysOf = ({
  kind,
  text,
  concepts,
  files,
}: Pick<Note, 'kind' | 'text' | 'concepts' | 'files'>): string =>
  contentId(kind, text.trim(), concepts.join('\n'), files.join('\n'));

/**
 * Whether a note goes up as it is now: only in words that the user chose. Those they wrote themselves they change
 * themselves; what was drawn from sessions may say something else after the next one, and waits to be pushed again.
 */
export const goesUp = ({ chosen = {} }: SyncState, note: Note): boolean =>
  note.visibility === 'team' && !isOwnTheme(note) && (note.trust === 3 || chosen[note.id] === saysOf(note));

/** Notes that go up and say something the server has not heard. */
export function notesToSend(state: SyncState, notes: Iterable<Note>): Note[] {
  const known = new Map(Object.values(state.notes).map((shared) => [shared.id, shared]));
  return [...notes].filter((note) => {
    const shared = known.get(note.id);
    return goesUp(state, note) && shared?.isGone !== true && shared?.hash !== saysOf(note);
  });
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Notes that other programs put there may be called anything. */
export const localIdOf = (reference: string): string =>
  uuid.test(reference) ? reference : uuidOf(contentId('team-note', reference));

/** For a note whose id is taken here by one that has nothing to do with it. */
export const otherIdOf = (reference: string): string => uuidOf(contentId('team-note', reference));

/** The same however often a conflict is met. */
export const copyIdOf = (note: Pick<Note, 'id' | 'text'>): string =>
  uuidOf(contentId('team-copy', note.id, note.text));
