import { type Clock, systemClock } from '../../base/clock.ts';
import { appendDurably, readIfThere } from '../../base/files.ts';
import type { HomePaths } from '../../base/paths.ts';
import { isEverywhere, type Note } from '../../domain/note.ts';
import type { NoteStore } from '../store.ts';
import { createMarkdownNotes } from './markdown-notes.ts';

interface ProjectNotesOptions {
  onUnreadable(file: string, error: unknown): void;
  /** Called with all notes for every project after one of them was written or removed. */
  onEverywhereChange(notes: Note[]): void;
  clock?: Clock;
  /** Texts that are indexed like notes without being notes of the user: the copy of the team's memories. */
  team?: Pick<NoteStore, 'stamps' | 'readFile'>;
}

/**
 * Opens the notes of one project together with the user's notes for every project. The folder of a file decides to which
 * of both a note belongs. The latter have no stamps, because they are not indexed: they are few, and without copies a
 * correction applies to all projects at once.
 */
export function createProjectNotes(
  folder: string,
  { notes: sharedFolder, removed }: HomePaths['everywhere'],
  { onUnreadable, onEverywhereChange, clock = systemClock, team }: ProjectNotesOptions,
) {
  const own = createMarkdownNotes(folder, onUnreadable, clock);
  const shared = createMarkdownNotes(sharedFolder, onUnreadable, clock);
  const listEverywhere = async (): Promise<Note[]> =>
    shared.stamps().size === 0 ? [] : (await shared.list()).map(asEverywhere);
  return {
    async put(note: Note) {
      if (!isEverywhere(note)) return own.put(note);
      await shared.put(note);
      onEverywhereChange(await listEverywhere());
    },
    async get(id: string) {
      const note = await shared.get(id);
      return note === undefined ? own.get(id) : asEverywhere(note);
    },
    list: async () =>
      [...(await own.list()), ...(await listEverywhere())].sort((a, b) => (a.id < b.id ? -1 : 1)),
    async remove(id: string) {
      if (!(await shared.remove(id))) return own.remove(id);
      appendDurably(removed, `${id}\n`);
      onEverywhereChange(await listEverywhere());
      return true;
    },
    path: async (id: string) => (await shared.path(id)) ?? own.path(id),
    inspect: async () => [...(await own.inspect()), ...(await shared.inspect())],
    stamps: team === undefined ? own.stamps : () => new Map([...own.stamps(), ...team.stamps()]),
    readFile: async (name: string) => (await team?.readFile(name)) ?? own.readFile(name),
    listEverywhere,
    /** Whether a note for every project had this id and was removed. */
    wasRemovedEverywhere: (id: string) => readIfThere(removed)?.split('\n').includes(id) ?? false,
  };
}

/** A user may have deleted the field from the file. */
const asEverywhere = (note: Note): Note => ({ ...note, everywhere: true });
