import { hashId } from '../../base/hash.ts';
import type { EventContext } from '../../domain/event.ts';
import type { Note } from '../../domain/note.ts';
import type { LogIndex } from '../../store/store.ts';
import { recordOwnEvents } from '../capture/own-events.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { isExpired, isOpenItemOver } from './note-lifecycle.ts';
import { notePartsOf } from './note-parts.ts';
import { archiveNote } from './remember.ts';

/**
 * Archives notes that were not used for a long time; recall still finds them. An agent uses a note by opening it, which
 * approves nothing. Age never deletes a note.
 */
const maxUses = 20;
/** Enough for the sessions since an open item that is still told. */
const maxPrompts = 1_000;

/** Each use has a predictable event id, so uses are counted by looking up ids in the index. */
const useId = (note: string, time: number): string => hashId('use', note, String(time));

/** At most one use between two background runs counts, because the index does not contain newer uses. */
export async function recordUse(parts: OpenProject, context: EventContext, note: Note): Promise<void> {
  const reading = parts.access.forReading();
  if (reading === undefined) return;
  try {
    const before = await usesOf(reading.index, note);
    if (before.length >= maxUses) return;
    recordOwnEvents(parts, context, [
      {
        kind: 'note',
        id: useId(note.id, before.length + 1),
        origin: 'assistant',
        trust: 1,
        body: { note: note.id, action: 'use', contentHash: '', rev: note.rev },
      },
    ]);
  } finally {
    await reading.index.close();
  }
}

async function usesOf(index: LogIndex, note: Note): Promise<number[]> {
  const ids = Array.from({ length: maxUses }, (_, at) => useId(note.id, at + 1));
  const rows = await index.events(ids);
  return ids.flatMap((id) => rows.get(id)?.at ?? []);
}

const lastUseOf = async (index: LogIndex, note: Note): Promise<number> =>
  (await usesOf(index, note)).at(-1) ?? 0;

/** A candidate of a past session is as new to the user as the event that created it. Not yet indexed, it was just made. */
async function keptSince(index: LogIndex, note: Note): Promise<number> {
  const created = hashId('note', note.id, '1', 'create');
  const proposed = (await index.events([created])).get(created)?.at ?? Number.POSITIVE_INFINITY;
  return Math.max(proposed, await lastUseOf(index, note));
}

/** When a note was last said, opened or confirmed by a person, and in which sessions it was said. */
async function lastMention(index: LogIndex, note: Note): Promise<{ at: number; sessions: Set<string> }> {
  const said = [...(await index.events(note.derivedFrom)).values()];
  const times = [...said.map(({ at }) => at), await lastUseOf(index, note)];
  const confirmed = note.confirmedBy === 'person' || said.length === 0 ? Date.parse(note.updated) || 0 : 0;
  return { at: Math.max(...times, confirmed), sessions: new Set(said.map((row) => row.agentSession)) };
}

export async function ageNotes(parts: OpenProject, index: LogIndex): Promise<number> {
  const noteParts = notePartsOf(parts);
  const now = parts.clock.now();
  const notes = await parts.notes.list();
  const prompts = notes.some(({ kind }) => kind === 'open')
    ? await index.list({ kinds: ['prompt'], minTrust: 2 }, maxPrompts)
    : [];
  let changed = 0;
  for (const note of notes) {
    const isOver =
      note.kind === 'open'
        ? isOpenItemOver(note, await lastMention(index, note), prompts)
        : isExpired(note, 0, now) && isExpired(note, await keptSince(index, note), now);
    if (!isOver) continue;
    await archiveNote(noteParts, note);
    changed += 1;
  }
  return changed;
}
