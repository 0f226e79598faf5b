import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import { distilByWording } from '../../distil/by-wording.ts';
import { cureConcept, type Distiller, type Proposal, type SessionTurns } from '../../distil/distiller.ts';
import type { NoteAction } from '../../domain/event.ts';
import { isForeign, type Note } from '../../domain/note.ts';
import type { LogIndex } from '../../store/store.ts';
import { titleOfText } from '../../text/note-text.ts';
import { textHash } from '../capture/event-writer.ts';
import type { Device } from '../projects/device.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectRedactor } from '../redact/project-redactor.ts';
import { readSessionTurns } from '../sessions/session-turns.ts';
import { distilAuthor, distilMark } from './distil-mark.ts';
import { addEvidence, closedBy, findSame } from './note-lifecycle.ts';
import { type NoteParts, reviseNote, saveNote, titleOf } from './remember.ts';
import { noteHash, turnHash } from './tombstones.ts';
import { isAsWritten } from './untouched-note.ts';

/**
 * Turns what is new in agent sessions into notes, once per state of a session. A note's id is made of where it
 * was drawn from, so looking again finds it and changes nothing; what the user rejected, forgot or deleted does
 * not come back, and what they edited is theirs.
 */
export interface DistilLimits {
  isOver(): boolean;
}

/** After a large import the rest waits for the next drain. */
const maxSessions = 200;

export async function distilSessions(
  parts: OpenProject,
  index: LogIndex,
  limits: DistilLimits,
  distiller: Distiller = distilByWording,
): Promise<number> {
  const done = await index.transcriptStamps();
  const waiting = (await index.sessionStates()).filter(
    (session) => done.get(distilMark(session.agentSession)) !== stampOf(distiller, session),
  );
  if (waiting.length === 0) return 0;
  // Oldest first, so that a later session closes what an earlier one decided, and never the other way round.
  const chosen = waiting.slice(0, maxSessions).reverse();
  const desk = await openDistilRun(parts, index);
  let written = 0;
  for (const session of chosen) {
    if (limits.isOver()) break;
    const turns = await readSessionTurns(parts.log, index, session.agentSession);
    const proposals = await distiller.distil(await withoutForgotten(desk, turns));
    written += await settle(desk, turns.agentSession, proposals);
    await index.markTranscript(distilMark(session.agentSession), stampOf(distiller, session));
  }
  return written;
}

const stampOf = (distiller: Distiller, { events, last }: { events: number; last: number }): string =>
  `${distiller.id}:${events}:${last}`;

/** Where notes are written: what there is, and what must not come back. */
export interface DistilRun {
  parts: NoteParts;
  index: LogIndex;
  device: Device;
  notes: Map<string, Note>;
}

export async function openDistilRun(parts: OpenProject, index: LogIndex): Promise<DistilRun> {
  const notes = new Map((await parts.notes.list()).map((note) => [note.id, note]));
  return { parts: notePartsOf(parts), index, device: parts.device, notes };
}

export const notePartsOf = (parts: OpenProject): NoteParts => ({
  notes: parts.notes,
  log: parts.log,
  userHome: parts.userHome,
  clock: parts.clock,
  redactor: projectRedactor(parts),
  context: {
    device: parts.device.id,
    actor: parts.actor,
    agent: 'backstory',
    agentVersion: '',
    agentSession: '',
    clientPid: 0,
    project: parts.project,
    checkout: '',
    branch: '',
    head: '',
  },
});

export async function withoutForgotten(
  { index, device }: Pick<DistilRun, 'index' | 'device'>,
  session: SessionTurns,
): Promise<SessionTurns> {
  if (!(await index.hasTombstones())) return session;
  const turns = [];
  for (const turn of session.turns) {
    if (!(await index.isTombstoned(turnHash(device, session.agentSession, turn.id)))) turns.push(turn);
  }
  return { ...session, turns };
}

/** `by` keeps apart what different distillers drew from the same place. */
export async function settle(
  desk: DistilRun,
  agentSession: string,
  proposals: Proposal[],
  by = '',
): Promise<number> {
  const ordinals = new Map<string, number>();
  let written = 0;
  for (const proposal of proposals) {
    const place = by + (proposal.kind === 'summary' ? 'summary' : `${proposal.turn} ${proposal.kind}`);
    const ordinal = ordinals.get(place) ?? 0;
    ordinals.set(place, ordinal + 1);
    const id = uuidOf(hashId('distil', agentSession, place, String(ordinal)));
    // Only the distiller that goes by what ran may say that it saw it.
    const concepts = proposal.concepts.filter((concept) => by === '' || concept !== cureConcept);
    if (await settleOne(desk, id, { ...proposal, concepts }, agentSession)) written += 1;
  }
  return written;
}

async function settleOne(
  desk: DistilRun,
  id: string,
  proposal: Proposal,
  agentSession: string,
): Promise<boolean> {
  const { parts, notes } = desk;
  const note = toNote(parts, id, proposal);
  if (await isBuried(desk, note, proposal.turn, agentSession)) return false;
  const known = notes.get(id);
  if (known !== undefined) return renew(desk, known, note);
  // It was written once and is there no more: somebody took it away.
  const created = hashId('note', id, '1', 'create');
  if ((await desk.index.events([created])).get(created)?.state === 'live') return false;
  // What a clone brought along is no voice of this project's, and follows its file.
  const same = findSame(
    note,
    [...notes.values()].filter((other) => !isForeign(other)),
  );
  if (same !== undefined) return repeat(desk, same, note);
  const closed = closedBy(note, [...notes.values()]);
  const fresh = closedAlready(desk, note);
  await saveNote(parts, fresh, 'create');
  notes.set(id, fresh);
  for (const old of closed) {
    // Its own time stays: that it holds no longer makes it no newer.
    const changes = { state: 'superseded' as const, validTo: note.validFrom, updated: old.updated };
    await revise(desk, old, changes, 'supersede');
  }
  return true;
}

/** Of very many sessions the newest are read first, so what closes a note may be there before it. */
function closedAlready({ notes }: DistilRun, note: Note): Note {
  const closer = [...notes.values()].find(
    (newer) => newer.validFrom > note.validFrom && closedBy(newer, [note]).length > 0,
  );
  return closer === undefined ? note : { ...note, state: 'superseded', validTo: closer.validFrom };
}

/** A drain takes a while: what the user edited, rejected or forgot since it began is not put back. */
async function revise(
  desk: DistilRun,
  old: Note,
  changes: Partial<Note>,
  action: NoteAction,
): Promise<boolean> {
  const { parts, notes } = desk;
  if (!isDeepStrictEqual(await parts.notes.get(old.id), old)) return false;
  const revised = { ...reviseNote(parts, old, changes), ...changes };
  await saveNote(parts, revised, action);
  notes.set(old.id, revised);
  return true;
}

/** Rejected or forgotten, as this note or in these words; or drawn from a turn of which something was forgotten. */
async function isBuried(
  { index, device }: DistilRun,
  note: Note,
  turn: string,
  agentSession: string,
): Promise<boolean> {
  if (!(await index.hasTombstones())) return false;
  const hashes = [
    noteHash(device, note.id),
    textHash(device, note.text),
    // A summary is of the whole session, and what was forgotten has been left out of it.
    ...(note.kind === 'summary' ? [] : [turnHash(device, agentSession, turn)]),
  ];
  for (const hash of hashes) if (await index.isTombstoned(hash)) return true;
  const fates = await index.events(note.derivedFrom);
  return [...fates.values()].some(({ state }) => state === 'forgotten');
}

/** The user's own words hold at once; what an agent or a tool said, or may be meant for now, waits for a second voice. */
const isSettled = ({ trust, isWeak, isAgreed }: Proposal): boolean =>
  isAgreed === true || (trust >= 2 && isWeak !== true);

function toNote(parts: NoteParts, id: string, proposal: Proposal): Note {
  const text = parts.redactor?.redact(proposal.text) ?? proposal.text;
  const at = isoTime(proposal.at);
  return {
    id,
    kind: proposal.kind,
    title: titleOf(titleOfText(text)),
    state: isSettled(proposal) ? 'active' : 'candidate',
    trust: proposal.trust,
    pinned: false,
    concepts: proposal.concepts,
    files: proposal.files,
    created: at,
    updated: at,
    rev: 1,
    parents: [],
    author: distilAuthor,
    visibility: 'private',
    validFrom: at,
    validTo: '',
    derivedFrom: proposal.evidence,
    text,
  };
}

/** The turn went on since the note was written. What the user edited or pinned is theirs, and stays. */
async function renew(desk: DistilRun, known: Note, fresh: Note): Promise<boolean> {
  const isOurs = known.author === distilAuthor && known.trust === fresh.trust && !known.pinned;
  if (!isOurs || known.text.trim() === fresh.text.trim() || known.state === 'archived') return false;
  if (!(await isAsWritten(desk.parts.log, desk.index, known))) return false;
  const { text, title, files, updated } = fresh;
  const derivedFrom = [...new Set([...known.derivedFrom, ...fresh.derivedFrom])];
  return revise(desk, known, { text, title, files, derivedFrom, updated }, 'edit');
}

/** Said again, in another session: one note, with one more piece of evidence. */
async function repeat(desk: DistilRun, same: Note, again: Note): Promise<boolean> {
  // What the user wrote or accepted needs no evidence, and would be forgotten with it.
  const isTheirs = same.author !== distilAuthor && same.trust >= 2;
  if (isTheirs || (same.author === distilAuthor && !(await isAsWritten(desk.parts.log, desk.index, same))))
    return false;
  const rows = await desk.index.events([...same.derivedFrom, ...again.derivedFrom]);
  const changes = addEvidence(same, again, (event) => rows.get(event)?.agentSession ?? '');
  return changes !== undefined && revise(desk, same, { ...changes, updated: again.updated }, 'repeat');
}
