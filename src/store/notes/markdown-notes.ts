import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { NoteFiles } from '../store.ts';
import { noteNames } from './note-names.ts';

/** Notes as Markdown files in one folder. The files are the truth; nothing about a note is kept elsewhere. */
export function createMarkdownNotes(
  folder: string,
  onUnreadable: (file: string, error: unknown) => void,
): NoteFiles {
  /** Loaded for the first note that is read or written: most questions meet none, and YAML is a lot of code. */
  const files = async () => (await import('./note-folder.ts')).openNoteFolder(folder, onUnreadable);
  return {
    put: async (note) => (await files()).put(note),
    get: async (id) => (await files()).get(id),
    list: async () => (await files()).list(),
    remove: async (id) => (await files()).remove(id),
    readFile: async (name) => (await files()).readFile(name),
    path: async (id) => (await files()).path(id),
    stamps: () =>
      new Map(
        noteNames(folder).flatMap((name): [string, string][] => {
          const stat = statSync(join(folder, name), { throwIfNoEntry: false });
          return stat === undefined ? [] : [[name, `${stat.mtimeMs}:${stat.size}`]];
        }),
      ),
  };
}
