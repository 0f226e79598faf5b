import type { EventContext } from '../../domain/event.ts';
import { isForeign, isFromRepository, type Note, type NoteKind } from '../../domain/note.ts';
import { textHash } from '../capture/event-writer.ts';
import type { Device } from '../projects/device.ts';
import { themeHash } from './consolidate.ts';
import { distilAuthor } from './distil-mark.ts';
import { contradictions } from './note-lifecycle.ts';
import { type NoteParts, reviseNote, saveNote } from './remember.ts';
import { isTheme } from './theme-note.ts';
import { bury, noteHash } from './tombstones.ts';

/** What waits for the user's word: proposals, and settled notes that say yes and no to the same thing. */
export interface Inbox {
  candidates: Note[];
  contradictions: [Note, Note][];
}

export function inboxOf(notes: Note[]): Inbox {
  const candidates = notes
    .filter(waitsForWord)
    .sort((a, b) => placeInInbox(b) - placeInInbox(a) || (a.id < b.id ? -1 : 1));
  return { candidates, contradictions: contradictions(notes) };
}

/** What the repository says waits for `backstory trust repo`, all of it at once. */
export const isProposed = (note: Note): boolean => note.state === 'candidate' && !isFromRepository(note);

/** What an agent says of its work; no session is told it before the user took it up. */
const findings: NoteKind[] = ['fix', 'discovery', 'failed-path'];

/**
 * Whether a candidate asks for a key press. What was drawn from an agent's words by itself does not: recall finds
 * it as it is, and it counts when it is said or used again. There is some in every session, and who is asked about
 * each of them soon answers nothing.
 */
export function waitsForWord(note: Note): boolean {
  if (!isProposed(note)) return false;
  return note.author !== distilAuthor || note.trust >= 2 || isForeign(note) || !findings.includes(note.kind);
}

/** More than there are milliseconds in a note's time. */
const rank = 1e14;

/** The user's own words first, then what somebody set down on purpose; of each the newest first. */
export const placeInInbox = (note: Note): number => note.trust * rank + (Date.parse(note.updated) || 0);

/**
 * The user has read it and stands by it, so it may be told to new sessions. What it was shown against, because the two
 * cannot both hold, gives way.
 */
export async function acceptNote(parts: NoteParts, note: Note, against: Note[] = []): Promise<Note> {
  // Theirs from now on: nothing that is distilled later changes it.
  const author = parts.context.actor || 'user';
  const trust = note.trust === 3 ? 3 : 2;
  const accepted = reviseNote(parts, note, { state: 'active', trust, author, validTo: '' });
  await saveNote(parts, accepted, 'approve');
  for (const other of against) await supersede(parts, other, accepted.updated);
  return accepted;
}

function supersede(parts: NoteParts, note: Note, validTo: string): Promise<void> {
  const closed = reviseNote(parts, note, { state: 'superseded', validTo });
  // Its own time stays: that it holds no longer makes it no newer.
  return saveNote(parts, { ...closed, updated: note.updated }, 'supersede');
}

/** Gone, and a tombstone keeps it from being proposed again; what it was drawn from stays in the log. */
export async function rejectNote(
  parts: NoteParts,
  note: Note,
  { device, context }: { device: Device; context: EventContext },
): Promise<void> {
  const parted = isTheme(note) ? note.derivedFrom.map((source) => themeHash(device, source)) : [];
  const keyedHashes = [noteHash(device, note.id), textHash(device, note.text), ...parted];
  bury(parts, context, { targets: [], keyedHashes });
  await parts.notes.remove(note.id);
}
