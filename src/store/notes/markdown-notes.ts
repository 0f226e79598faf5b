import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, createTimeCheck, systemClock } from '../../base/clock.ts';
import { messageOf, systemCodeOf } from '../../base/errors.ts';
import { namesIn, removeIfThere, replaceFile, whileInUse } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import { type Note, shortNoteId } from '../../domain/note.ts';
import type { NoteInspection } from '../store.ts';

/**
 * Stores notes as Markdown files in one folder. The files are the only record of a note. After `load`, a call is
 * synchronous, so no other code of this process runs in between.
 */
export function createMarkdownNotes(
  folder: string,
  onUnreadable: (file: string, error: unknown) => void,
  clock: Clock = systemClock,
) {
  let format: typeof import('./note-file.ts');
  /** Loaded for the first note, because most queries touch none and the YAML parser is large. */
  const load = async (): Promise<void> => {
    format ??= await import('./note-file.ts');
  };
  const plausibleTime = createTimeCheck(clock);
  const names = (): string[] => namesIn(folder).filter((name) => name.endsWith('.md'));

  /**
   * Parsed notes by file name. They are cached, because parsing is most of the cost of a list, and a drain lists the
   * notes several times.
   */
  const parsed = new Map<string, { stamp: string; note: Note }>();

  /** An unreadable file must not hide the others. */
  const read = (name: string): Note | undefined => {
    const path = join(folder, name);
    const stamp = stampOf(path);
    const before = parsed.get(name);
    if (before !== undefined && before.stamp === stamp) return before.note;
    try {
      const written = format.parseNote(readFileSync(path, 'utf8'), path);
      const [created, updated] = [plausibleTime(written.created), plausibleTime(written.updated)];
      const note = { ...written, created, updated };
      if (stamp !== undefined) parsed.set(name, { stamp, note });
      return note;
    } catch (error) {
      parsed.delete(name);
      if (systemCodeOf(error) !== 'ENOENT') onUnreadable(path, error);
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
    const name = format.noteFileName(note);
    const owner = read(name)?.id ?? note.id;
    return owner === note.id ? name : format.noteFileName(note, hashId(note.id));
  };

  const inspectFile = (name: string): NoteInspection => {
    const path = join(folder, name);
    try {
      const source = readFileSync(path, 'utf8');
      return {
        file: name,
        note: format.parseNote(source, path),
        state: format.signatureOf(source, path),
      };
    } catch (error) {
      return { file: name, state: 'unreadable', detail: messageOf(error) };
    }
  };

  return {
    /** Every file, and whether it is unchanged since Backstory wrote it. */
    async inspect() {
      await load();
      return names().map(inspectFile);
    },
    async put(note: Note) {
      await load();
      // The first revision of a note has no file under another name, so do not read all files to find one: thousands
      // of notes may be imported at once.
      const previous = note.rev === 1 ? likelyNameOf(note.id) : nameOf(note.id);
      const name = freeNameFor(note);
      // Rename before replacing, so that there is exactly one file of the note at any time.
      if (previous !== undefined && previous !== name)
        whileInUse(() => renameSync(join(folder, previous), join(folder, name)));
      replaceFile(join(folder, name), format.formatNote(note));
    },
    async get(id: string) {
      await load();
      const name = nameOf(id);
      return name === undefined ? undefined : read(name);
    },
    /** Sorted by id. */
    async list() {
      await load();
      return names()
        .map(read)
        .filter((note) => note !== undefined)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    /** Leaves no copy of the text on disk; false if there is no note with this id. */
    async remove(id: string) {
      await load();
      const name = nameOf(id);
      return name !== undefined && erase(join(folder, name));
    },
    async readFile(name: string) {
      await load();
      return read(name);
    },
    async path(id: string) {
      await load();
      const name = nameOf(id);
      return name === undefined ? undefined : join(folder, name);
    },
    /** For each file name a stamp that changes whenever the file changes. */
    stamps: () =>
      new Map(
        names().flatMap((name): [string, string][] => {
          const stamp = stampOf(join(folder, name));
          return stamp === undefined ? [] : [[name, stamp]];
        }),
      ),
  };
}

/** Changes when the file changes. Includes the inode, because Backstory replaces files instead of writing into them. */
function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}

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
