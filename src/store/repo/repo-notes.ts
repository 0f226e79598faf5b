import { stringify } from 'yaml';
import type { Note } from '../../domain/note.ts';
import { noteFileName, parseNote } from '../notes/note-file.ts';
import { filesInside, readInside, repoNotesFolder, writeInside } from './repo-folder.ts';

/**
 * Notes that a team keeps in its repository: one file each, so that two branches which add notes merge without
 * a conflict, and under a name that stays, so that an edit is an edit and not another file. They hold what a
 * note says and nothing of what somebody thinks of it: trust, state and use are each reader's own.
 */
export interface RepoNote {
  /** From the root of the checkout. */
  path: string;
  note: Note;
}

const maxNotes = 1_000;

/** One that cannot be read must not hide the others. */
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

/** Says where it stands. */
export function writeRepoNote(root: string, note: Note): string {
  const known = readRepoNotes(root, () => {}).find((each) => each.note.id === note.id);
  const path = known?.path ?? `${repoNotesFolder}/${noteFileName(note)}`;
  const { id, kind, title, concepts, files, author, created } = note;
  const front = stringify({ id, kind, title, concepts, files, author, created }, { lineWidth: 0 });
  writeInside(root, path, `---\n${front}---\n\n${note.text.trim()}\n`);
  return path;
}
