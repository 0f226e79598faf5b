import { isEverywhere, type Note } from '../../domain/note.ts';
import { type NewNote, type NoteParts, newNote, saveNote } from './remember.ts';

/**
 * Statements of the user that apply in every project, such as "no default exports". They are notes in a folder of
 * their own beside the projects. A statement gets there only because the user says so: whether two projects have the
 * same rule is a question of meaning.
 */

/** Writes a note for every project, or returns the active one that states the same. */
export async function rememberEverywhere(
  parts: NoteParts,
  wanted: NewNote,
): Promise<{ note: Note; isKnown: boolean }> {
  const note = newNote(parts, wanted);
  const known = (await parts.notes.list()).find(
    (other) => isEverywhere(other) && other.state === 'active' && other.text.trim() === note.text,
  );
  if (known !== undefined) return { note: known, isKnown: true };
  const written = { ...note, everywhere: true as const };
  await saveNote(parts, written, 'create');
  return { note: written, isKnown: false };
}
