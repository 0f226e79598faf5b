import type { Note } from '../../domain/note.ts';
import type { LogIndex } from '../../store/store.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { distilAuthor } from './distil-mark.ts';
import { isUntouched } from './untouched-note.ts';

/** A note of an earlier version that listed other notes about the same word. */
export const isTheme = ({ kind, concepts }: Note): boolean =>
  kind === 'knowledge' && concepts.includes('theme');

/** Accepting a theme changed its author, and editing it raised its trust to 3. */
const isGenerated = (note: Note): boolean =>
  isTheme(note) && note.author === distilAuthor && note.trust < 3 && !note.pinned;

/**
 * Removes themes that an earlier version wrote. They only repeat other notes. A theme that the user edited, accepted or
 * pinned stays as an ordinary note. Returns how many were removed.
 */
export async function removeThemes(
  { notes, log }: Pick<OpenProject, 'notes' | 'log'>,
  index: LogIndex,
): Promise<number> {
  let removed = 0;
  for (const note of (await notes.list()).filter(isGenerated)) {
    if (!(await isUntouched(log, index, note))) continue;
    await notes.remove(note.id);
    removed += 1;
  }
  return removed;
}
