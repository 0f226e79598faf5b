import { removeIfThere } from '../base/files.ts';
import { hashId } from '../base/hash.ts';
import type { EventContext, EventEnvelope } from '../domain/event.ts';
import { catchUp } from '../recall/catch-up.ts';
import type { LogRecord } from '../store/events/event-log.ts';
import { createSnapshotFiles } from '../store/snapshots/snapshot-files.ts';
import type { IndexWriting, LogIndex } from '../store/store.ts';
import { toEvent } from './capture.ts';
import { bringIn, type DrainParts, drainLimits, renderPrelude } from './drain.ts';
import { textHash } from './event-writer.ts';

/**
 * Takes a text out of everything we keep: a tombstone first, so that a crash half-way is finished by the next
 * reading; then snapshots; then the lines in the log, in place; then the
 * notes, the index and the prelude. The agent's own
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
  const writing = await waitForWriter(parts);
  try {
    // What the transcripts have of it comes in now, to be found and forgotten with the rest, and not later.
    if (writing !== undefined) await bringIn(parts, writing.index, { ...drainLimits, isOver: () => false });
    return await takeOut(parts, request, context, writing?.index);
  } finally {
    await writing?.close();
  }
}

async function takeOut(
  parts: DrainParts,
  request: ForgetRequest,
  context: EventContext,
  index: LogIndex | undefined,
): Promise<Forgotten> {
  const notes = (await parts.notes.list()).filter(
    (note) => request.ids.includes(note.id) || contains(JSON.stringify(note), request.containing),
  );
  const doomed = doomedEvents(parts, request);
  if (notes.length === 0 && doomed.length === 0) {
    // A pinned snippet stands in no event.
    clearSnapshots(parts, request, new Set());
    return { events: 0, notes: 0 };
  }
  const events = doomed.map(({ event }) => event);
  buryWithTombstone(
    parts,
    events,
    notes.map(({ text }) => text),
    context,
  );
  clearSnapshots(parts, request, new Set([...events, ...notes].map(({ id }) => id)));
  for (const { record, event } of doomed) parts.log.forget(record.file, record.offset, event.id);
  for (const note of notes) await parts.notes.remove(note.id);
  await clearIndex(parts, index);
  return { events: new Set(events.map(({ id }) => id)).size, notes: notes.length };
}

/** Before the log: the words of an event that is gone could no longer be looked for. */
function clearSnapshots(parts: DrainParts, { containing }: ForgetRequest, ids: ReadonlySet<string>): void {
  const own = parts.paths.project(parts.project);
  createSnapshotFiles(own.snapshots).scrub({ ids, hasText: (json) => contains(json, containing) });
  // Derived, and goals are taken from prompts.
  removeIfThere(own.workSessions);
}

interface Doomed {
  record: LogRecord;
  event: EventEnvelope;
}

/**
 * The events themselves, what they superseded, and what superseded them: all are the same words. And of the
 * same turn what is a piece of them or holds them as a piece, because a hook tells an answer as one text and
 * the transcript in several.
 */
function doomedEvents(parts: DrainParts, request: ForgetRequest): Doomed[] {
  const asked = familiesOf(parts, request.ids);
  const said = new Map<string, string[]>();
  for (const { event } of asked.size === 0 ? [] : readEvents(parts)) {
    const words = wordsOf(event);
    if (asked.has(event.id) && words !== '')
      said.set(turnKey(event), [...(said.get(turnKey(event)) ?? []), words]);
  }
  const isPiece = (event: EventEnvelope): boolean => {
    const words = wordsOf(event);
    const others = words === '' ? [] : (said.get(turnKey(event)) ?? []);
    return others.some((other) => other.includes(words) || words.includes(other));
  };
  return [...readEvents(parts)].filter(
    ({ event }) =>
      asked.has(event.id) ||
      isPiece(event) ||
      (event.kind !== 'tombstone' && contains(JSON.stringify(event), request.containing)),
  );
}

function familiesOf(parts: DrainParts, wanted: string[]): Set<string> {
  const ids = new Set(wanted);
  const families: string[][] = [];
  for (const { event } of ids.size === 0 ? [] : readEvents(parts)) {
    const superseded = 'supersedes' in event.body ? (event.body.supersedes ?? []) : [];
    if (superseded.length > 0) families.push([event.id, ...superseded]);
  }
  let size = -1;
  while (size !== ids.size) {
    size = ids.size;
    for (const family of families) if (family.some((id) => ids.has(id))) for (const id of family) ids.add(id);
  }
  return ids;
}

const wordsOf = ({ body }: EventEnvelope): string => ('text' in body ? body.text.trim() : '');

const turnKey = ({ kind, agentSession, body }: EventEnvelope): string =>
  `${kind} ${agentSession} ${'turn' in body ? body.turn : ''}`;

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

/** A forgotten text must not survive because a drain was busy; but nobody waits for ever. */
async function waitForWriter({ access, clock }: DrainParts): Promise<IndexWriting | undefined> {
  const until = clock.now() + lockWaitMs;
  let writing = access.forWriting();
  while (writing === undefined && clock.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    writing = access.forWriting();
  }
  return writing;
}

async function clearIndex(parts: DrainParts, index: LogIndex | undefined): Promise<void> {
  parts.access.forgetOtherVersions();
  if (index === undefined) {
    // Both are derived; without them the text is gone, and the next writer makes them anew.
    parts.access.discard();
    removeIfThere(parts.paths.project(parts.project).prelude);
    return;
  }
  await catchUp(parts, index, { maxBytes: Number.MAX_SAFE_INTEGER });
  await index.scrub();
  await renderPrelude(parts, index);
}
