import { stringify } from 'yaml';
import type { Note } from '../../domain/note.ts';
import { noteFileName, parseNote } from '../notes/note-file.ts';
import { filesInside, readInside, repoNotesFolder, writeInside } from './repo-folder.ts';

/**
 * Notes that a team keeps in its repository. Each is one file, so that two branches which add notes merge
 * without conflict, and its name never changes, so that an edit shows as an edit. The files contain the
 * content of a note but not its trust, state and use, which differ between readers.
 */
export interface RepoNote {
  /** Relative to the root of the checkout. */
  path: string;
  note: Note;
}

const maxNotes = 1_000;

/** Reads the notes of a repository. A note that cannot be read is skipped, so that it does not hide the others. */
export function readRepoNotes(
  root: string,
  onUnreadable: (path: string, error: unknown) => void,
): RepoNote[] {
  return filesInside(root, repoNotesFolder, '.md')
    .slice(0, maxNotes)
    .flatMap((name) => {
      const path = `${repoNotesFolder}/${name}`;
      try {
        const note = parseNote(readInside(root, path) ?? '', path);
        return note.text === '' ? [] : [{ path, note }];
      } catch (error) {
        onUnreadable(path, error);
        return [];
      }
    });
}

/** Writes a note to the repository; returns the path of its file. */
export function writeRepoNote(root: string, note: Note): string {
  const known = readRepoNotes(root, () => {}).find((each) => each.note.id === note.id);
  const path = known?.path ?? `${repoNotesFolder}/${noteFileName(note)}`;
  const { id, kind, title, concepts, files, author, created } = note;
  const front = stringify({ id, kind, title, concepts, files, author, created }, { lineWidth: 0 });
  writeInside(root, path, `---\n${front}---\n\n${note.text.trim()}\n`);
  return path;
}
