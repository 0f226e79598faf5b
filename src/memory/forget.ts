import { hashId } from '../base/hash.ts';
import type { EventContext, EventEnvelope } from '../domain/event.ts';
import { catchUp } from '../recall/catch-up.ts';
import type { LogRecord } from '../store/events/event-log.ts';
import { toEvent } from './capture.ts';
import { type DrainParts, renderPrelude } from './drain.ts';
import { textHash } from './event-writer.ts';

/**
 * Takes a text out of everything we keep: a tombstone first, so that a crash half-way is finished by the next
 * reading; then the lines in the log, in place; then the notes, the index and the prelude. The agent's own
 * transcript is the agent's; what was forgotten is not read from it again.
 */
export interface ForgetRequest {
  /** Events and notes, by id. */
  ids: string[];
  /** Everything that contains this text, letter for letter. */
  containing?: string;
}

export interface Forgotten {
  events: number;
  notes: number;
}

export async function forget(
  parts: DrainParts,
  request: ForgetRequest,
  context: EventContext,
): Promise<Forgotten> {
  const notes = (await parts.notes.list()).filter(
    (note) => request.ids.includes(note.id) || contains(JSON.stringify(note), request.containing),
  );
  const doomed = doomedEvents(parts, request);
  if (notes.length === 0 && doomed.length === 0) return { events: 0, notes: 0 };
  const events = doomed.map(({ event }) => event);
  buryWithTombstone(
    parts,
    events,
    notes.map(({ text }) => text),
    context,
  );
  for (const { record, event } of doomed) parts.log.forget(record.file, record.offset, event.id);
  for (const note of notes) await parts.notes.remove(note.id);
  await clearIndex(parts);
  return { events: new Set(events.map(({ id }) => id)).size, notes: notes.length };
}

interface Doomed {
  record: LogRecord;
  event: EventEnvelope;
}

/** The events themselves, what they superseded, and what superseded them: all are the same words. */
function doomedEvents(parts: DrainParts, request: ForgetRequest): Doomed[] {
  const families: string[][] = [];
  const ids = new Set(request.ids);
  for (const { event } of readEvents(parts)) {
    const superseded = 'supersedes' in event.body ? (event.body.supersedes ?? []) : [];
    if (superseded.length > 0) families.push([event.id, ...superseded]);
    if (event.kind !== 'tombstone' && contains(JSON.stringify(event), request.containing)) ids.add(event.id);
  }
  let size = -1;
  while (size !== ids.size) {
    size = ids.size;
    for (const family of families) if (family.some((id) => ids.has(id))) for (const id of family) ids.add(id);
  }
  return [...readEvents(parts)].filter(({ event }) => ids.has(event.id));
}

function* readEvents(parts: DrainParts): Generator<Doomed> {
  for (const record of parts.log.read({})) {
    if (record.entry.kind === 'event') yield { record, event: record.entry.event };
  }
}

/** The text as it stands in JSON, so that a quote or a line break in it is found too. */
const contains = (json: string, wanted: string | undefined): boolean =>
  wanted !== undefined && wanted !== '' && json.includes(JSON.stringify(wanted).slice(1, -1));

function buryWithTombstone(
  parts: DrainParts,
  events: EventEnvelope[],
  noteTexts: string[],
  context: EventContext,
): void {
  const targets = [...new Set(events.map(({ id }) => id))];
  const texts = [...noteTexts, ...events.flatMap(({ body }) => ('text' in body ? [body.text] : []))];
  const keyedHashes = [...new Set(texts.map((text) => textHash(parts.device, text)))];
  const id = hashId('tombstone', ...targets, ...keyedHashes, String(parts.clock.now()));
  const tombstone = toEvent(
    { kind: 'tombstone', id, origin: 'user', trust: 3, body: { targets, keyedHashes } },
    { ...context, root: '', exclude: [], userHome: parts.userHome },
    parts.clock,
  );
  if (tombstone !== undefined) parts.log.append([tombstone]);
}

const lockWaitMs = 30_000;

/** Waits for the writer lock: a forgotten text must not survive because a drain was busy. */
async function clearIndex(parts: DrainParts): Promise<void> {
  parts.access.forgetOtherVersions();
  const until = parts.clock.now() + lockWaitMs;
  let writing = parts.access.forWriting();
  while (writing === undefined && parts.clock.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    writing = parts.access.forWriting();
  }
  if (writing === undefined) {
    // The index is derived; without it the text is gone, and the next writer makes a new one.
    parts.access.discard();
    return;
  }
  try {
    await catchUp(parts, writing.index, { maxBytes: Number.MAX_SAFE_INTEGER });
    await writing.index.scrub();
    await renderPrelude(parts, writing.index);
  } finally {
    await writing.close();
  }
}
