import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, createTimeCheck } from '../../base/clock.ts';
import { messageOf, systemCodeOf } from '../../base/errors.ts';
import { removeIfThere, replaceFile } from '../../base/files.ts';
import { contentId } from '../../base/ids.ts';
import { type Note, shortNoteId } from '../../domain/note.ts';
import type { NoteInspection } from '../store.ts';
import { formatNote, noteFileName, parseNote, signatureOf } from './note-file.ts';
import { noteNames, stampOf } from './note-names.ts';

/** Reading and writing the notes of one folder, each in one go: nothing else of this process comes between. */
export interface NoteFolder {
  put(note: Note): void;
  get(id: string): Note | undefined;
  list(): Note[];
  remove(id: string): boolean;
  readFile(name: string): Note | undefined;
  path(id: string): string | undefined;
  inspect(): NoteInspection[];
}

export function openNoteFolder(
  folder: string,
  onUnreadable: (file: string, error: unknown) => void,
  clock: Clock,
): NoteFolder {
  const believedTime = createTimeCheck(clock);
  const names = (): string[] => noteNames(folder);

  /** Parsing is most of what a list costs, and a drain lists the notes several times. */
  const parsed = new Map<string, { stamp: string; note: Note }>();

  /** One bad file must not hide the others. */
  const read = (name: string): Note | undefined => {
    const stamp = stampOf(join(folder, name));
    const before = parsed.get(name);
    if (before !== undefined && before.stamp === stamp) return before.note;
    try {
      const parsedNote = parseNote(readFileSync(join(folder, name), 'utf8'), join(folder, name));
      const [created, updated] = [believedTime(parsedNote.created), believedTime(parsedNote.updated)];
      const note = { ...parsedNote, created, updated };
      if (stamp !== undefined) parsed.set(name, { stamp, note });
      return note;
    } catch (error) {
      parsed.delete(name);
      if (systemCodeOf(error) !== 'ENOENT') onUnreadable(join(folder, name), error);
      return undefined;
    }
  };

  /** By its name, which ends in a part of the id. */
  const likelyNameOf = (id: string): string | undefined =>
    names().find((name) => name.endsWith(`-${shortNoteId(id)}.md`) && read(name)?.id === id);

  /** A file that was renamed by hand is found by reading them all. */
  const nameOf = (id: string): string | undefined =>
    likelyNameOf(id) ?? names().find((name) => read(name)?.id === id);

  /** Two ids may end alike. The second note must not take the first one's file, which is all there is of it. */
  const freeNameFor = (note: Note): string => {
    const name = noteFileName(note);
    const holder = read(name)?.id ?? note.id;
    return holder === note.id ? name : noteFileName(note, contentId(note.id));
  };

  const inspectFile = (name: string): NoteInspection => {
    const path = join(folder, name);
    try {
      const source = readFileSync(path, 'utf8');
      return { file: name, note: parseNote(source, path), state: signatureOf(source, path) };
    } catch (error) {
      return { file: name, state: 'unreadable', detail: messageOf(error) };
    }
  };

  return {
    inspect: () => names().map(inspectFile),
    put(note) {
      // The first revision has no file by another name, and thousands of them may come in at once.
      const previous = note.rev === 1 ? likelyNameOf(note.id) : nameOf(note.id);
      const name = freeNameFor(note);
      // Renamed before it is replaced: at no moment are there two files of one note, or none.
      if (previous !== undefined && previous !== name) renameSync(join(folder, previous), join(folder, name));
      replaceFile(join(folder, name), formatNote(note));
    },
    get(id) {
      const name = nameOf(id);
      return name === undefined ? undefined : read(name);
    },
    list() {
      return names()
        .map(read)
        .filter((note) => note !== undefined)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    remove(id) {
      const name = nameOf(id);
      return name !== undefined && erase(join(folder, name));
    },
    readFile: read,
    path: (id) => {
      const name = nameOf(id);
      return name === undefined ? undefined : join(folder, name);
    },
  };
}

/** Overwritten before it is unlinked, so that the old text does not stay behind in the file system's free space. */
function erase(path: string): boolean {
  try {
    const { size } = statSync(path);
    writeFileSync(path, '.'.repeat(size), { flag: 'r+' });
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false;
    throw error;
  }
  return removeIfThere(path);
}
