import { removeIfThere, removeStaleTemporaries } from '../../base/files.ts';
import type { EventContext, EventEnvelope } from '../../domain/event.ts';
import type { Note } from '../../domain/note.ts';
import { catchUp } from '../../recall/catch-up.ts';
import { checkLog } from '../../store/events/check-log.ts';
import type { LogRecord } from '../../store/events/event-log.ts';
import { eraseDamaged } from '../../store/events/quarantine.ts';
import { forgetEvents } from '../../store/events/rewrite-events.ts';
import { createSnapshotFiles } from '../../store/snapshots/snapshot-files.ts';
import type { LogIndex } from '../../store/store.ts';
import { textHash } from '../capture/event-writer.ts';
import { bringIn, drainLimits, renderPrelude } from '../drain.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { recoverLog } from '../recover-log.ts';
import { waitForWriter } from '../wait-for-writer.ts';
import { distilMark } from './distil-mark.ts';
import { notePartsOf } from './distil-sessions.ts';
import {
  contains,
  type ForgetRequest,
  isAskedEvent,
  isAskedNote,
  isAskedPart,
  wordsOf,
} from './forget-request.ts';
import { isEcho, quotesOf } from './quotes.ts';
import { saveNote } from './remember.ts';
import { asShared } from './share.ts';
import { isOwnTheme, isTheme, namesIn, themeNote } from './theme-note.ts';
import { minNotes } from './themes.ts';
import { bury, copyHash, noteHash, sharedHash, turnHash } from './tombstones.ts';

/**
 * Takes a text out of everything we keep: a tombstone first, so that a crash half-way is finished by the next
 * reading; then snapshots; then the lines in the log, in place; then the notes, the index and the prelude. With a
 * note go the events that say what it says, and with an event the notes that were drawn from it. The agent's own
 * transcript is the agent's; what was forgotten is not read from it again, and its turn is not distilled again.
 */
export interface Forgotten {
  events: number;
  notes: number;
}

export async function forget(
  parts: OpenProject,
  request: ForgetRequest,
  context: EventContext,
): Promise<Forgotten> {
  // The index and the quarantine may hold the text of a line that is damaged in the log, and there nobody finds it.
  if (checkLog(parts.paths.project(parts.project).events).damage.length > 0) await recoverLog(parts);
  const writing = await waitForWriter(parts, lockWaitMs);
  try {
    // What the transcripts have of it comes in now, to be found and forgotten with the rest, and not later.
    if (writing !== undefined) await bringIn(parts, writing.index, { ...drainLimits, isOver: () => false });
    return await takeOut(parts, request, context, writing?.index);
  } finally {
    await writing?.close();
  }
}

/** What would go, as far as it is known now; transcripts that wait may hold more of it. */
export async function countForgettable(parts: OpenProject, request: ForgetRequest): Promise<Forgotten> {
  const { asked, doomed, derived } = await meantBy(parts, request);
  return { events: new Set(doomed.map(({ event }) => event.id)).size, notes: asked.length + derived.length };
}

async function meantBy(parts: OpenProject, request: ForgetRequest) {
  const all = await parts.notes.list();
  const asked = askedNotes(all, request);
  const doomed = doomedEvents(parts, request, asked);
  const gone = new Set([...doomed.map(({ event }) => event.id), ...asked.map(({ id }) => id)]);
  return { asked, doomed, gone, derived: drawnFrom(all, gone) };
}

/**
 * Who wants a theme forgotten wants what it says forgotten, and that stands in its notes. But where its notes are
 * meant, the theme is only made of them, and is made again without them.
 */
function askedNotes(all: Note[], request: ForgetRequest): Note[] {
  const isNamed = ({ id }: Note): boolean => request.everything === true || request.ids.includes(id);
  const themes = all.filter((note) => isTheme(note) && isNamed(note));
  const within = new Set(themes.flatMap(({ derivedFrom }) => derivedFrom));
  return all.filter((note) =>
    isOwnTheme(note) ? isNamed(note) : isAskedNote(note, request) || within.has(note.id),
  );
}

async function takeOut(
  parts: OpenProject,
  request: ForgetRequest,
  context: EventContext,
  index: LogIndex | undefined,
): Promise<Forgotten> {
  const { asked, doomed, gone, derived } = await meantBy(parts, request);
  if (asked.length + doomed.length + derived.length === 0) {
    // A pinned snippet stands in no event.
    clearSnapshots(parts, request, new Set());
    return { events: 0, notes: 0 };
  }
  const events = doomed.map(({ event }) => event);
  buryWithTombstone(parts, { events, notes: asked, derived }, context);
  // They hold words of what goes, and are made again without them, which their old events would forbid.
  const stale = new Set(derived.map(({ id }) => id));
  const lines = [...readEvents(parts)].filter(
    ({ event }) => event.kind === 'note' && stale.has(event.body.note),
  );
  clearSnapshots(parts, request, new Set([...gone, ...derived.map(({ id }) => id)]));
  forgetEvents(
    parts.paths.project(parts.project).events,
    [...doomed, ...lines].map(({ record, event }) => ({
      file: record.file,
      offset: record.offset,
      id: event.id,
    })),
  );
  eraseDamaged(
    parts.paths.project(parts.project).events,
    (text) => isAskedPart(text, request) || [...gone].some((id) => text.includes(id)),
  );
  // Once more: somebody may have folded it meanwhile from the log as it was.
  removeIfThere(parts.paths.project(parts.project).workSessions);
  for (const note of [...asked, ...derived]) await parts.notes.remove(note.id);
  removeStaleTemporaries(parts.paths.project(parts.project).notes, parts.clock.now() - abandonedAfterMs);
  for (const theme of derived.filter(isOwnTheme)) await makeAgain(parts, theme);
  if (index !== undefined) await lookAgain(index, derived, gone);
  await clearIndex(parts, index);
  return { events: new Set(events.map(({ id }) => id)).size, notes: asked.length + derived.length };
}

/** What a write leaves behind that was killed; a younger one may still be being written. */
const abandonedAfterMs = 5_000;

/** Of a theme, what its other notes say. The hash of what it said before is forgotten with it. */
async function makeAgain(parts: OpenProject, theme: Note): Promise<void> {
  const kept = (await parts.notes.list()).filter(({ id }) => theme.derivedFrom.includes(id));
  if (kept.length < minNotes) return;
  const own = notePartsOf(parts);
  const fresh = themeNote(theme.id, kept, namesIn(theme.concepts));
  await saveNote(own, { ...fresh, rev: theme.rev + 1 }, 'edit');
}

/** What was also said in a session that stays is drawn from that session anew, in the words it has there. */
async function lookAgain(index: LogIndex, derived: Note[], gone: ReadonlySet<string>): Promise<void> {
  const left = derived.flatMap(({ derivedFrom }) => derivedFrom).filter((from) => !gone.has(from));
  const sessions = new Set([...(await index.events(left)).values()].map((row) => row.agentSession));
  for (const session of sessions) await index.markTranscript(distilMark(session), '');
}

/** Notes made of what goes, and notes made of those. */
function drawnFrom(all: Note[], gone: Set<string>): Note[] {
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

/** Before the log: the words of an event that is gone could no longer be looked for. */
function clearSnapshots(parts: OpenProject, request: ForgetRequest, ids: ReadonlySet<string>): void {
  const own = parts.paths.project(parts.project);
  createSnapshotFiles(own.snapshots).scrub({ ids, hasText: (part) => isAskedPart(part, request) });
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
function doomedEvents(parts: OpenProject, request: ForgetRequest, notes: Note[]): Doomed[] {
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
  const isQuoted = quotedIn(parts, notes);
  return [...readEvents(parts)].filter(
    ({ event }) => asked.has(event.id) || isPiece(event) || isAskedEvent(event, request) || isQuoted(event),
  );
}

/** Whether an event says what one of these notes quotes, or in the same turn says it again in other words. */
function quotedIn(parts: OpenProject, notes: Note[]): (event: EventEnvelope) => boolean {
  const bySource = new Map<string, Note[]>();
  for (const note of notes)
    for (const id of note.derivedFrom) bySource.set(id, [...(bySource.get(id) ?? []), note]);
  const ofSession = new Map<string, Set<Note>>();
  const ofTurn = new Map<string, Set<Note>>();
  const file = (under: Map<string, Set<Note>>, key: string, note: Note) =>
    under.set(key, (under.get(key) ?? new Set()).add(note));
  for (const { event } of bySource.size === 0 ? [] : readEvents(parts)) {
    for (const note of bySource.get(event.id) ?? []) {
      file(ofSession, event.agentSession, note);
      if (note.derivedFrom[0] === event.id) file(ofTurn, turnOf(event), note);
    }
  }
  return (event) => {
    const near = ofSession.get(event.agentSession);
    if (near === undefined || event.kind === 'note' || event.kind === 'tombstone') return false;
    const json = JSON.stringify(event);
    const words = wordsOf(event);
    return (
      [...near].some((note) => quotesOf(note).some((quote) => contains(json, quote))) ||
      (words !== '' && [...(ofTurn.get(turnOf(event)) ?? [])].some((note) => isEcho(note, words)))
    );
  };
}

const turnOf = ({ agentSession, body }: EventEnvelope): string =>
  `${agentSession} ${'turn' in body ? body.turn : ''}`;

function familiesOf(parts: OpenProject, wanted: string[]): Set<string> {
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

function* readEvents(parts: OpenProject): Generator<Doomed> {
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
    ...notes.map(({ id }) => noteHash(device, id)),
    ...derived.flatMap((note) => [note.text, asShared(own, note).text].map((text) => copyHash(device, text))),
    ...derived.map(({ id }) => sharedHash(device, id)),
    ...[...events, ...saidIn(parts, notes)].flatMap(({ agentSession, body }) =>
      'turn' in body && body.turn !== undefined ? [turnHash(device, agentSession, body.turn)] : [],
    ),
  ]);
  bury(parts, context, { targets, keyedHashes: [...keyedHashes] });
}

/** The events that notes were drawn from first of all; an edited note quotes them no longer. */
function saidIn(parts: OpenProject, notes: Note[]): EventEnvelope[] {
  const first = new Set(notes.flatMap(({ derivedFrom }) => derivedFrom.slice(0, 1)));
  if (first.size === 0) return [];
  return [...readEvents(parts)].map(({ event }) => event).filter(({ id }) => first.has(id));
}

/** A forgotten text must not survive because a drain was busy; but nobody waits for ever. */
const lockWaitMs = 30_000;

async function clearIndex(parts: OpenProject, index: LogIndex | undefined): Promise<void> {
  parts.access.eraseOthers();
  if (index === undefined) {
    // Both are derived; without them the text is gone, and the next writer makes them anew.
    parts.access.erase();
    removeIfThere(parts.paths.project(parts.project).prelude);
    return;
  }
  await catchUp(parts, index, { maxBytes: Number.MAX_SAFE_INTEGER });
  await index.scrub();
  await renderPrelude(parts, index);
}
