import { hashId } from '../../base/hash.ts';
import type { EventContext } from '../../domain/event.ts';
import { isForeign, type Note } from '../../domain/note.ts';
import type { LogIndex } from '../../store/store.ts';
import { toEvent } from '../capture/capture.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { notePartsOf } from './distil-sessions.ts';
import { isFaded } from './note-lifecycle.ts';
import { reviseNote, saveNote } from './remember.ts';

/**
 * What use and disuse do to notes. An agent that opens a note has used it; a proposal that was used twice counts,
 * and what nobody used for long is put away, where recall still finds it. Nothing is ever deleted for its age.
 */
const usesToCount = 2;
const maxUses = 20;

/** The first, the second, the third use have ids of their own, so that all an index needs to tell is whether they are there. */
const useId = (note: string, time: number): string => hashId('use', note, String(time));

/** Counted once between two drains, however often it is opened. */
export async function recordUse(parts: OpenProject, context: EventContext, note: Note): Promise<void> {
  const reading = parts.access.forReading();
  if (reading === undefined) return;
  try {
    const before = await usesOf(reading.index, note);
    if (before.length >= maxUses) return;
    const event = toEvent(
      {
        kind: 'note',
        id: useId(note.id, before.length + 1),
        origin: 'assistant',
        trust: 1,
        body: { note: note.id, action: 'use', contentHash: '', rev: note.rev },
      },
      { ...context, root: '', exclude: [], userHome: parts.userHome },
      parts.clock,
    );
    if (event !== undefined) parts.log.append([event]);
  } finally {
    await reading.index.close();
  }
}

/** When it was used, first to last. */
async function usesOf(index: LogIndex, note: Note): Promise<number[]> {
  const ids = Array.from({ length: maxUses }, (_, at) => useId(note.id, at + 1));
  const rows = await index.events(ids);
  return ids.flatMap((id) => rows.get(id)?.at ?? []);
}

export async function ageNotes(parts: OpenProject, index: LogIndex): Promise<number> {
  const desk = notePartsOf(parts);
  const now = parts.clock.now();
  let changed = 0;
  for (const note of await parts.notes.list()) {
    const isOld = isFaded(note, 0, now);
    if (note.state !== 'candidate' && !isOld) continue;
    const enough = useId(note.id, usesToCount);
    // That an agent opened what somebody else brought is no word of the user's.
    const mayCount = note.state === 'candidate' && !isForeign(note);
    const isUsed = mayCount && (await index.events([enough])).has(enough);
    if (isUsed) {
      await saveNote(desk, reviseNote(desk, note, { state: 'active' }), 'use');
      changed += 1;
    } else if (isOld && isFaded(note, (await usesOf(index, note)).at(-1) ?? 0, now)) {
      // Its own time stays: being put away is not news about what it says.
      const archived = { ...reviseNote(desk, note, { state: 'archived' }), updated: note.updated };
      await saveNote(desk, archived, 'archive');
      changed += 1;
    }
  }
  return changed;
}
