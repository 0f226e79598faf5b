import { AppError } from '../../base/errors.ts';
import type { Chunk } from '../../domain/chunk.ts';
import { type EventEnvelope, isDialog } from '../../domain/event.ts';
import { findNote, type Note } from '../../domain/note.ts';
import { chunksOfEvent, chunksOfNote } from '../../recall/chunks.ts';
import { standingsOf } from '../../recall/possible-changes.ts';
import { findChunk } from '../../recall/timeline.ts';
import { readUnindexed } from '../../recall/unindexed-events.ts';
import { type RecallLimits, type RecallParts, withIndex } from '../../recall/with-index.ts';
import { eventAt } from '../../store/events/event-log.ts';
import type { LogIndex } from '../../store/store.ts';
import type { NoteStanding } from '../../wire/answers/memory.ts';
import { earlierStatements, wouldReplace } from '../notes/closing.ts';
import { agentSessionNamed } from './agent-sessions.ts';

/** Whether a note holds, and the statements before and after it on its topic. */
export interface NoteLineage {
  standing: NoteStanding;
  /** The notes that it replaced, newest first. */
  earlier: Note[];
  /** The valid statements that end when the user accepts this one. */
  wouldReplace: Note[];
  /** Notes of teammates, or of the user, with which they dispute this one. */
  corrections: Note[];
}

export type Opened =
  | ({ kind: 'note'; note: Note; path: string } & NoteLineage)
  | {
      kind: 'event';
      event: EventEnvelope;
      chunk: Chunk;
      /** The end of the answer to which a short prompt such as "yes, do 1" replies. */
      repliesTo?: Chunk;
    };

/** Opens any id that recall, the prelude or the front matter of a note shows. Eight characters of it are enough. */
export async function openHit(parts: RecallParts, id: string, limits: RecallLimits): Promise<Opened> {
  const notes = await parts.notes.list();
  const note = await openNote(parts, notes, id);
  if (note !== undefined) return note;
  // An event that was replaced by its copy in the transcript is no longer in the index, but notes still name it.
  const sources = notes.flatMap(({ derivedFrom }) => derivedFrom);
  const found = await withIndex(parts, limits, async (index) => {
    const tail = await readUnindexed(parts, index, limits.tailBytes);
    const chunk = await findChunk(id, index, tail);
    const named = sources.find((source) => id.length >= 8 && source.startsWith(id));
    const eventId = chunk?.sourceId ?? named ?? id;
    const row = tail.replay.rows.get(eventId) ?? (await index?.events([eventId]))?.get(eventId);
    const replied = chunk === undefined ? undefined : await answerBefore(chunk, index);
    return { chunk, row, replied };
  });
  if (found.chunk?.source === 'note') {
    const owner = await openNote(parts, notes, found.chunk.sourceId);
    if (owner !== undefined) return owner;
  }
  const read = found.row === undefined ? undefined : eventAt(parts.log, found.row);
  const event = read?.id === found.row?.id ? read : undefined;
  const chunk = found.chunk ?? (event === undefined ? undefined : chunksOfEvent(event)[0]);
  if (event === undefined || chunk === undefined) throw await notFound(parts, id);
  return {
    kind: 'event',
    event,
    chunk,
    ...(found.replied === undefined ? {} : { repliesTo: found.replied }),
  };
}

/** Longer prompts can be understood without the answer before them. */
const maxReplyLength = 300;

async function answerBefore(chunk: Chunk, index: LogIndex | undefined): Promise<Chunk | undefined> {
  const { kind, origin, text, at } = chunk;
  if (kind !== 'prompt' || origin !== 'user' || text.length > maxReplyLength || isDialog(chunk))
    return undefined;
  const before = (await index?.adjacentMessages(chunk, 1))?.find((message) => message.at <= at);
  const last = before === undefined ? undefined : (await index?.get([before.sourceId]))?.at(-1);
  return last?.kind === 'answer' ? last : undefined;
}

/**
 * Returns the error for an unknown id. If the id belongs to a snapshot or an agent session, its hint is the command
 * that opens it.
 */
async function notFound(parts: RecallParts, id: string): Promise<AppError> {
  if (id.startsWith('snap_'))
    return new AppError('NOT_FOUND', `${id} is a snapshot`, { hint: `backstory handoff resume ${id}` });
  const session = await agentSessionNamed(parts, id);
  return session === undefined
    ? new AppError('NOT_FOUND', `no memory has the id ${id}`, { hint: 'backstory recall "…" shows ids' })
    : new AppError('NOT_FOUND', `${id} is an agent session`, { hint: `backstory recall --session ${id}` });
}

/** A chunk that represents the opened note or event. */
export const chunkOf = (opened: Opened, project: string): Chunk | undefined =>
  opened.kind === 'event' ? opened.chunk : chunksOfNote(opened.note, project)[0];

async function openNote(parts: RecallParts, notes: Note[], id: string): Promise<Opened | undefined> {
  const note = findNote(notes, id);
  if (note === undefined) return undefined;
  return {
    kind: 'note',
    note,
    path: (await parts.notes.path(note.id)) ?? '',
    standing: standingsOf(notes)(note),
    earlier: earlierStatements(note, notes),
    wouldReplace: wouldReplace(note, notes),
    corrections: notes.filter(({ id: other }) =>
      note.disputes?.some(({ correction }) => correction === other),
    ),
  };
}
