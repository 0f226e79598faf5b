import { removeIfThere, removeStaleTemporaries } from '../../base/files.ts';
import type { EventContext, EventEnvelope } from '../../domain/event.ts';
import { isEverywhere, type Note, shortNoteId } from '../../domain/note.ts';
import { catchUp } from '../../recall/catch-up.ts';
import { checkLog } from '../../store/events/check-log.ts';
import type { LogRecord } from '../../store/events/event-log.ts';
import { eraseDamaged } from '../../store/events/quarantine.ts';
import { forgetEvents } from '../../store/events/rewrite-events.ts';
import { createSnapshotFiles } from '../../store/snapshots/snapshot-files.ts';
import type { LogIndex } from '../../store/store.ts';
import type { Forgotten } from '../../wire/answers/memory.ts';
import { textHash } from '../capture/event-writer.ts';
import { drainLimits, ingest, renderPrelude } from '../drain.ts';
import { removePrelude } from '../prelude/prelude-file.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { recoverLog } from '../recover-log.ts';
import { forgetTeamMemories } from '../team-cache.ts';
import { waitForWriter } from '../wait-for-writer.ts';
import { restoreClosedBy } from './closing.ts';
import { distilMark } from './distil-mark.ts';
import {
  type ForgetRequest,
  jsonContains,
  matchesEvent,
  matchesNote,
  matchesSnapshotPart,
  matchesTeamMemory,
  textOf,
} from './forget-request.ts';
import { notePartsOf } from './note-parts.ts';
import { removePending } from './pending-answer.ts';
import { isRestatement, quotesOf } from './quotes.ts';
import { asShared } from './share.ts';
import { bury, copyHash, noteHash, sessionHash, sharedHash, turnHash } from './tombstones.ts';

/**
 * Removes text from everything that Backstory stores. It writes a tombstone first, so that an interrupted removal is
 * completed later. Forgetting a note also forgets the events that it quotes; forgetting an event also removes the notes
 * extracted from it. The agent's transcript stays, but forgotten text is not read from it again and its turn is not
 * extracted again.
 */
export async function forget(
  parts: OpenProject,
  request: ForgetRequest,
  context: EventContext,
): Promise<Forgotten> {
  // A damaged log is repaired first. Otherwise the text of a damaged line might exist only in the index and in
  // quarantined lines, where it would not be found.
  if (checkLog(parts.paths.project(parts.project).events).damage.length > 0) await recoverLog(parts);
  const writing = await waitForWriter(parts, lockWaitMs);
  try {
    // Read the transcripts now, so that their copies are found and forgotten too instead of being captured later.
    if (writing !== undefined) await ingest(parts, writing.index, { ...drainLimits, isOver: () => false });
    return await removeSelected(parts, request, context, writing?.index);
  } finally {
    await writing?.close();
  }
}

/** The notes and events that `forget` would remove now. Transcripts that have not been read yet may contain more. */
export interface Forgettable {
  notes: Note[];
  derived: Note[];
  events: EventEnvelope[];
}

export async function findForgettable(parts: OpenProject, request: ForgetRequest): Promise<Forgettable> {
  const { notes, lines, derived } = await select(parts, request);
  const events = new Map(lines.map(({ event }) => [event.id, event]));
  return { notes, derived, events: [...events.values()] };
}

async function select(parts: OpenProject, request: ForgetRequest) {
  const all = await parts.notes.list();
  const notes = all.filter((note) => matchesNote(note, requestFor(note, request)));
  const lines = selectEvents(parts, request, notes);
  const gone = new Set([...lines.map(({ event }) => event.id), ...notes.map(({ id }) => id)]);
  return { notes, lines, gone, derived: derivedNotes(all, gone) };
}

/** Everything of this project, or of a time or source in it, does not include a note for every project. */
function requestFor(note: Note, request: ForgetRequest): ForgetRequest {
  if (!isEverywhere(note)) return request;
  const { ids, containing, words } = request;
  return {
    ids,
    ...(containing === undefined ? {} : { containing }),
    ...(words === undefined ? {} : { words }),
  };
}

async function removeSelected(
  parts: OpenProject,
  request: ForgetRequest,
  context: EventContext,
  index: LogIndex | undefined,
): Promise<Forgotten> {
  removePending(parts);
  const { notes, lines, gone, derived } = await select(parts, request);
  const copies = forgetTeamMemories(parts.paths.project(parts.project).teamMemories, (memory) =>
    matchesTeamMemory(memory, request),
  );
  if (notes.length + lines.length + derived.length === 0) {
    // Nothing in the log matches, but a snippet pinned in a snapshot is in no event and may match.
    clearSnapshots(parts, request, new Set());
    return { events: 0, notes: copies };
  }
  const events = lines.map(({ event }) => event);
  buryWithTombstone(parts, { events, notes, derived }, context);
  // Notes derived from forgotten events quote the forgotten text. They are removed, but may be extracted again without
  // it. The log's record that such a note was created would prevent that, so it is removed too.
  const stale = new Set(derived.map(({ id }) => id));
  const noteLines = [...readEvents(parts)].filter(
    ({ event }) => event.kind === 'note' && stale.has(event.body.note),
  );
  clearSnapshots(parts, request, new Set([...gone, ...derived.map(({ id }) => id)]));
  forgetEvents(
    parts.paths.project(parts.project).events,
    [...lines, ...noteLines].map(({ record, event }) => ({
      file: record.file,
      offset: record.offset,
      id: event.id,
    })),
  );
  eraseDamaged(
    parts.paths.project(parts.project).events,
    (text) => matchesSnapshotPart(text, request) || [...gone].some((id) => text.includes(id)),
  );
  // Removed a second time: another process may have rebuilt this cache from the unchanged log in the meantime.
  removeIfThere(parts.paths.project(parts.project).workSessions);
  for (const note of [...notes, ...derived]) await parts.notes.remove(note.id);
  for (const folder of [parts.paths.project(parts.project).notes, parts.paths.everywhere.notes])
    removeStaleTemporaries(folder, parts.clock.now() - abandonedAfterMs);
  const closers = new Set([...gone, ...derived.map(({ id }) => id)]);
  await restoreClosedBy(notePartsOf(parts), closers, 'forgotten', [...notes, ...derived]);
  if (index !== undefined) await requestExtraction(index, derived, gone);
  await clearIndex(parts, index);
  return {
    events: new Set(events.map(({ id }) => id)).size,
    // With issues, comments and jobs of the team, of which the copy on this machine is removed.
    notes: notes.length + derived.length + copies,
  };
}

/** Temporary files of this age were left by a killed process; younger ones may still be in use. */
const abandonedAfterMs = 5_000;

/** Marks the sessions of the remaining evidence for extraction, so that a statement which also occurs there becomes a note again. */
async function requestExtraction(index: LogIndex, derived: Note[], gone: ReadonlySet<string>): Promise<void> {
  const left = derived.flatMap(({ derivedFrom }) => derivedFrom).filter((from) => !gone.has(from));
  const sessions = new Set([...(await index.events(left)).values()].map((row) => row.agentSession));
  for (const session of sessions) await index.setProgressMark(distilMark(session), '');
}

function derivedNotes(all: Note[], gone: Set<string>): Note[] {
  const known = new Set(gone);
  let derived: Note[] = [];
  for (let size = -1; size !== derived.length; ) {
    size = derived.length;
    derived = all.filter(
      ({ id, derivedFrom }) => !gone.has(id) && derivedFrom.some((from) => known.has(from)),
    );
    for (const { id } of derived) known.add(id);
  }
  return derived;
}

/** Must run before the log is changed, because it needs the text of the events. */
function clearSnapshots(parts: OpenProject, request: ForgetRequest, ids: ReadonlySet<string>): void {
  const own = parts.paths.project(parts.project);
  createSnapshotFiles(own.snapshots).scrub({ ids, hasText: (part) => matchesSnapshotPart(part, request) });
  // A cache of work sessions. It contains goals taken from prompts, and is rebuilt from the log.
  removeIfThere(own.workSessions);
}

interface EventLine {
  record: LogRecord;
  event: EventEnvelope;
}

/**
 * Selects the matching events, the events that they supersede, and those that supersede them, because all have the same
 * text. Also events of the same turn of which one contains the other: a hook reports an answer as one text, and the
 * transcript in several parts.
 */
function selectEvents(parts: OpenProject, request: ForgetRequest, notes: Note[]): EventLine[] {
  const wanted = withSuperseded(parts, request.ids);
  const textsOfTurn = new Map<string, string[]>();
  for (const { event } of wanted.size === 0 ? [] : readEvents(parts)) {
    const text = textOf(event);
    if (wanted.has(event.id) && text !== '')
      textsOfTurn.set(turnKey(event), [...(textsOfTurn.get(turnKey(event)) ?? []), text]);
  }
  const isPart = (event: EventEnvelope): boolean => {
    const text = textOf(event);
    const others = text === '' ? [] : (textsOfTurn.get(turnKey(event)) ?? []);
    return others.some((other) => other.includes(text) || text.includes(other));
  };
  const isQuoted = quotedIn(parts, notes);
  return [...readEvents(parts)].filter(
    ({ event }) => wanted.has(event.id) || isPart(event) || matchesEvent(event, request) || isQuoted(event),
  );
}

/** Returns a test for events: whether one of these notes quotes the event, or the event restates a note of its turn. */
function quotedIn(parts: OpenProject, notes: Note[]): (event: EventEnvelope) => boolean {
  const bySource = new Map<string, Note[]>();
  for (const note of notes)
    for (const id of note.derivedFrom) bySource.set(id, [...(bySource.get(id) ?? []), note]);
  const ofSession = new Map<string, Set<Note>>();
  const ofTurn = new Map<string, Set<Note>>();
  const add = (map: Map<string, Set<Note>>, key: string, note: Note) =>
    map.set(key, (map.get(key) ?? new Set()).add(note));
  for (const { event } of bySource.size === 0 ? [] : readEvents(parts)) {
    for (const note of bySource.get(event.id) ?? []) {
      add(ofSession, event.agentSession, note);
      if (note.derivedFrom[0] === event.id) add(ofTurn, turnOf(event), note);
    }
  }
  return (event) => {
    const near = ofSession.get(event.agentSession);
    if (near === undefined || event.kind === 'note' || event.kind === 'tombstone') return false;
    const json = JSON.stringify(event);
    const text = textOf(event);
    return (
      [...near].some((note) => quotesOf(note).some((quote) => jsonContains(json, quote))) ||
      (text !== '' && [...(ofTurn.get(turnOf(event)) ?? [])].some((note) => isRestatement(note, text)))
    );
  };
}

const turnOf = ({ agentSession, body }: EventEnvelope): string =>
  `${agentSession} ${'turn' in body ? body.turn : ''}`;

function withSuperseded(parts: OpenProject, wanted: string[]): Set<string> {
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

const turnKey = (event: EventEnvelope): string => `${event.kind} ${turnOf(event)}`;

function* readEvents(parts: OpenProject): Generator<EventLine> {
  for (const record of parts.log.read({})) {
    if (record.entry.kind === 'event') yield { record, event: record.entry.event };
  }
}

function buryWithTombstone(
  parts: OpenProject,
  { events, notes, derived }: { events: EventEnvelope[]; notes: Note[]; derived: Note[] },
  context: EventContext,
): void {
  const { device } = parts;
  const own = notePartsOf(parts);
  const targets = [...new Set(events.map(({ id }) => id))];
  const texts = [
    ...notes.map(({ text }) => text),
    ...events.flatMap(({ body }) => ('text' in body ? [body.text] : [])),
  ];
  const keyedHashes = new Set([
    ...texts.map((text) => textHash(device, text)),
    ...notes.flatMap(({ id }) => [id, shortNoteId(id)].map((own) => noteHash(device, own))),
    ...derived.flatMap((note) => [note.text, asShared(own, note).text].map((text) => copyHash(device, text))),
    ...derived.map(({ id }) => sharedHash(device, id)),
    ...events.map(({ agentSession }) => sessionHash(device, agentSession)),
    ...[...events, ...firstSources(parts, notes)].flatMap(({ agentSession, body }) =>
      'turn' in body && body.turn !== undefined ? [turnHash(device, agentSession, body.turn)] : [],
    ),
  ]);
  bury(parts, context, { targets, keyedHashes: [...keyedHashes] });
}

/** The first source event of each note. No note is extracted from its turn again, even if an edited note no longer quotes it. */
function firstSources(parts: OpenProject, notes: Note[]): EventEnvelope[] {
  const first = new Set(notes.flatMap(({ derivedFrom }) => derivedFrom.slice(0, 1)));
  if (first.size === 0) return [];
  return [...readEvents(parts)].map(({ event }) => event).filter(({ id }) => first.has(id));
}

/** If a drain holds the lock for longer, the index is deleted instead of updated, and the next drain rebuilds it. */
const lockWaitMs = 30_000;

async function clearIndex(parts: OpenProject, index: LogIndex | undefined): Promise<void> {
  parts.access.eraseOthers();
  removePrelude(parts.paths.project(parts.project));
  if (index === undefined) {
    // The next process that may write rebuilds index and prelude from the log.
    parts.access.erase();
    return;
  }
  await catchUp(parts, index, { maxBytes: Number.MAX_SAFE_INTEGER });
  await index.scrub();
  await renderPrelude(parts, index);
}
