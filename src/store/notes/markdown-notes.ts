import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { NoteStore } from '../store.ts';
import type { NoteFolder } from './note-folder.ts';
import { noteNames, stampOf } from './note-names.ts';

/** Stores notes as Markdown files in one folder. The files are the only record of a note. */
export function createMarkdownNotes(
  folder: string,
  onUnreadable: (file: string, error: unknown) => void,
  clock: Clock = systemClock,
): NoteStore {
  let opened: Promise<NoteFolder> | undefined;
  /**
   * Loaded for the first note that is read or written, because most queries touch none and the YAML parser is
   * large.
   */
  const files = (): Promise<NoteFolder> => {
    opened ??= import('./note-folder.ts').then(({ openNoteFolder }) =>
      openNoteFolder(folder, onUnreadable, clock),
    );
    return opened;
  };
  return {
    put: async (note) => (await files()).put(note),
    get: async (id) => (await files()).get(id),
    list: async () => (await files()).list(),
    remove: async (id) => (await files()).remove(id),
    readFile: async (name) => (await files()).readFile(name),
    inspect: async () => (await files()).inspect(),
    path: async (id) => (await files()).path(id),
    stamps: () =>
      new Map(
        noteNames(folder).flatMap((name): [string, string][] => {
          const stamp = stampOf(join(folder, name));
          return stamp === undefined ? [] : [[name, stamp]];
        }),
      ),
  };
}
