import type { EventContext } from '../domain/event.ts';
import type { Note } from '../domain/note.ts';
import type { Device } from './device.ts';
import { textHash } from './event-writer.ts';
import { contradictions } from './note-life.ts';
import { type NoteParts, reviseNote, saveNote } from './remember.ts';
import { bury, noteHash } from './tombstones.ts';

/** What waits for the user's word: proposals, newest first, and settled notes that say yes and no to the same thing. */
export interface Inbox {
  candidates: Note[];
  contradictions: [Note, Note][];
}

export function inboxOf(notes: Note[]): Inbox {
  const candidates = notes
    .filter(({ state }) => state === 'candidate')
    .sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? -1 : 1));
  return { candidates, contradictions: contradictions(notes) };
}

/** The user has read it and stands by it, so it may be told to new sessions. */
export async function acceptNote(parts: NoteParts, note: Note): Promise<Note> {
  // Theirs from now on: nothing that is distilled later changes it.
  const author = parts.context.actor || 'user';
  const trust = note.trust === 3 ? 3 : 2;
  const accepted = reviseNote(parts, note, { state: 'active', trust, author });
  await saveNote(parts, accepted, 'approve');
  return accepted;
}

/** Gone, and a tombstone keeps it from being proposed again; what it was drawn from stays in the log. */
export async function rejectNote(
  parts: NoteParts,
  note: Note,
  { device, context }: { device: Device; context: EventContext },
): Promise<void> {
  const keyedHashes = [noteHash(device, note.id), textHash(device, note.text)];
  bury(parts, context, { targets: [], keyedHashes });
  await parts.notes.remove(note.id);
}
