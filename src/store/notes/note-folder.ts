import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, createTimeCheck } from '../../base/clock.ts';
import { messageOf, systemCodeOf } from '../../base/errors.ts';
import { removeIfThere, replaceFile, whileInUse } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import { type Note, shortNoteId } from '../../domain/note.ts';
import type { NoteInspection } from '../store.ts';
import { formatNote, noteFileName, parseNote, signatureOf } from './note-file.ts';
import { noteNames, stampOf } from './note-names.ts';

/**
 * Reads and writes the notes of one folder. All calls are synchronous, so no other code of this process runs
 * in between.
 */
export function openNoteFolder(
  folder: string,
  onUnreadable: (file: string, error: unknown) => void,
  clock: Clock,
) {
  const plausibleTime = createTimeCheck(clock);
  const names = (): string[] => noteNames(folder);

  /**
   * Parsed notes by file name. They are cached, because parsing is most of the cost of a list, and a drain lists the
   * notes several times.
   */
  const parsed = new Map<string, { stamp: string; note: Note }>();

  /** An unreadable file must not hide the others. */
  const read = (name: string): Note | undefined => {
    const stamp = stampOf(join(folder, name));
    const before = parsed.get(name);
    if (before !== undefined && before.stamp === stamp) return before.note;
    try {
      const parsedNote = parseNote(readFileSync(join(folder, name), 'utf8'), join(folder, name));
      const [created, updated] = [plausibleTime(parsedNote.created), plausibleTime(parsedNote.updated)];
      const note = { ...parsedNote, created, updated };
      if (stamp !== undefined) parsed.set(name, { stamp, note });
      return note;
    } catch (error) {
      parsed.delete(name);
      if (systemCodeOf(error) !== 'ENOENT') onUnreadable(join(folder, name), error);
      return undefined;
    }
  };

  /** Finds the file by its name, which ends with a part of the id. */
  const likelyNameOf = (id: string): string | undefined =>
    names().find((name) => name.endsWith(`-${shortNoteId(id)}.md`) && read(name)?.id === id);

  /** A file that a user renamed is found by reading all of them. */
  const nameOf = (id: string): string | undefined =>
    likelyNameOf(id) ?? names().find((name) => read(name)?.id === id);

  /** Two ids can have the same short form. The second note must not overwrite the file of the first. */
  const freeNameFor = (note: Note): string => {
    const name = noteFileName(note);
    const owner = read(name)?.id ?? note.id;
    return owner === note.id ? name : noteFileName(note, hashId(note.id));
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
    put(note: Note) {
      // The first revision of a note has no file under another name, so do not read all files to find one: thousands
      // of notes may be imported at once.
      const previous = note.rev === 1 ? likelyNameOf(note.id) : nameOf(note.id);
      const name = freeNameFor(note);
      // Rename before replacing, so that there is exactly one file of the note at any time.
      if (previous !== undefined && previous !== name)
        whileInUse(() => renameSync(join(folder, previous), join(folder, name)));
      replaceFile(join(folder, name), formatNote(note));
    },
    get(id: string) {
      const name = nameOf(id);
      return name === undefined ? undefined : read(name);
    },
    list() {
      return names()
        .map(read)
        .filter((note) => note !== undefined)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    remove(id: string) {
      const name = nameOf(id);
      return name !== undefined && erase(join(folder, name));
    },
    readFile: read,
    path: (id: string) => {
      const name = nameOf(id);
      return name === undefined ? undefined : join(folder, name);
    },
  };
}

export type NoteFolder = ReturnType<typeof openNoteFolder>;

/** Overwrites the file before removing it, so that the text does not remain in free space of the file system. */
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
