import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Note } from '../domain/note.ts';
import { textHash } from '../memory/capture/event-writer.ts';
import { notePartsOf } from '../memory/notes/distil-sessions.ts';
import { forget } from '../memory/notes/forget.ts';
import { copyOfNote, type NoteParts, reviseNote, saveNote } from '../memory/notes/remember.ts';
import { buriedHashes, copyHash, noteHash, sharedHash } from '../memory/notes/tombstones.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { rulesOnly } from '../memory/redact/redact.ts';
import { thoroughLimits, withIndex } from '../recall/with-index.ts';
import { askServer, type Server } from './ask-server.ts';
import type { Membership } from './membership.ts';
import { pulledNote } from './pulled-note.ts';
import {
  maxNotesAtOnce,
  maxRemovedAtOnce,
  type PulledChange,
  type PushedNote,
  type SyncAnswer,
  type SyncRequest,
} from './sync-shapes.ts';
import {
  copyIdOf,
  localIdOf,
  notesToSend,
  otherIdOf,
  readState,
  type SharedNote,
  type SyncState,
  saysOf,
  writeState,
} from './sync-state.ts';

/**
 * Brings the notes of this machine and of the team's server together. What is to go up is read from the notes
 * themselves, so that there is no queue that could be lost; every step may be repeated, so that a lost answer, a kill
 * or two processes at once do no harm. What was forgotten on either side is gone on both.
 */
export interface SyncReport {
  pushed: number;
  pulled: number;
  /** Removed here because it was forgotten there, and the other way round. */
  forgottenHere: number;
  forgottenThere: number;
  /** Notes that two people had changed; both texts are kept. */
  conflicts: number;
  /** Notes of one's own that somebody took out of the team; they are kept here. */
  unshared: number;
  /** The server would not take them; they are sent again when they say something else. */
  refused: number;
}

export interface SyncParts {
  parts: OpenProject;
  membership: Membership;
  token: string | undefined;
  /** Ids of notes that the user just pushed by hand: they go up as they are now. */
  chosen?: string[];
}

export interface SyncBounds {
  timeoutMs: number;
  maxRounds: number;
}

export const patientBounds: SyncBounds = { timeoutMs: 30_000, maxRounds: 10_000 };

export async function syncNotes(
  { parts, membership, token, chosen = [] }: SyncParts,
  { timeoutMs, maxRounds }: SyncBounds,
): Promise<SyncReport> {
  const server: Server = { url: membership.url, token };
  const path = parts.paths.project(parts.project).teamSync;
  const exchange = (body: SyncRequest) =>
    askServer<SyncAnswer>(server, {
      method: 'POST',
      path: `/api/projects/${membership.project}/sync`,
      body,
      timeoutMs,
    });
  const desk = await openSyncRun(parts, readState(path));
  for (const id of chosen) choose(desk, desk.here.get(id));
  let isComplete = false;
  let reached = -1;
  try {
    for (let round = 0; round < maxRounds; round++) {
      const request = await whatToSend(desk);
      const isIdle = isComplete && request.notes.length + request.removed.length === 0;
      if (isIdle || (isComplete && reached === reachOf(desk))) break;
      reached = reachOf(desk);
      desk.isOvertaken = false;
      const answer = await exchange(request);
      const isAnew = hasBegunAnew(desk.state, answer);
      if (answer.epoch !== undefined) desk.state.epoch = answer.epoch;
      if (isAnew) {
        startOver(desk.state);
        isComplete = false;
      } else {
        await settleOutcomes(desk, request, answer);
        await settleChanges(desk, answer.changes);
        // What could not be settled is asked for once more.
        if (!desk.isOvertaken) {
          desk.state.after = answer.version;
          isComplete = answer.isComplete;
        }
      }
      if (answer.wantsKnowledge === true) desk.state.wantsKnowledge = true;
      else delete desk.state.wantsKnowledge;
      desk.state.syncedAt = isoTime(parts.clock.now());
      delete desk.state.failedAt;
      delete desk.state.failure;
      writeState(path, desk.state);
    }
  } catch (error) {
    desk.state.failedAt = isoTime(parts.clock.now());
    desk.state.failure = messageOf(error);
    writeState(path, desk.state);
    throw error;
  }
  return desk.report;
}

/** A round that moves nothing is the last one, whatever a server says. */
const reachOf = ({ state, report }: SyncRun): number =>
  state.after + Object.values(report).reduce((sum, count) => sum + count, 0);

interface SyncRun {
  parts: OpenProject;
  notes: NoteParts;
  state: SyncState;
  /** By id, as they are here. */
  here: Map<string, Note>;
  /** Which of these were forgotten or rejected here, by id; without a text, those that are no longer here. */
  buried(notes: { id: string; text?: string }[]): Promise<Set<string>>;
  toForget: string[];
  /** Somebody changed or forgot a note here while the server was asked. */
  isOvertaken: boolean;
  report: SyncReport;
}

async function openSyncRun(parts: OpenProject, state: SyncState): Promise<SyncRun> {
  return {
    parts,
    state,
    notes: notePartsOf(parts),
    here: new Map((await parts.notes.list()).map((note) => [note.id, note])),
    buried: burialsOf(parts),
    toForget: [],
    isOvertaken: false,
    report: {
      pushed: 0,
      pulled: 0,
      forgottenHere: 0,
      forgottenThere: 0,
      conflicts: 0,
      unshared: 0,
      refused: 0,
    },
  };
}

function choose({ state }: SyncRun, note: Note | undefined): void {
  if (note !== undefined) state.chosen = { ...state.chosen, [note.id]: saysOf(note) };
}

/** From the index where there is one; the log of years takes seconds to read. */
const burialsOf =
  (parts: OpenProject): SyncRun['buried'] =>
  async (notes) => {
    const { device } = parts;
    const found = new Set<string>();
    if (notes.length === 0) return found;
    await withIndex(parts, thoroughLimits, async (index) => {
      const hashes = index === undefined ? buriedHashes(parts.log) : undefined;
      if (index !== undefined && !(await index.hasTombstones())) return;
      for (const { id, text } of notes) {
        const own =
          text === undefined
            ? [noteHash(device, id), sharedHash(device, id)]
            : [noteHash(device, id), textHash(device, text), copyHash(device, text)];
        for (const hash of own) if (hashes?.has(hash) ?? (await index?.isTombstoned(hash))) found.add(id);
      }
    });
    return found;
  };

/**
 * Notes that the user chose and that say something else than the server knows; and, of those that went up from here,
 * the ones that were forgotten or made private.
 */
async function whatToSend(desk: SyncRun): Promise<SyncRequest> {
  const { state, here } = desk;
  const known = new Map(
    Object.entries(state.notes).map(([reference, shared]) => [shared.id, { reference, shared }]),
  );
  const notes = notesToSend(state, here.values())
    .slice(0, maxNotesAtOnce)
    .map((note) => {
      const entry = known.get(note.id);
      return pushedNote(desk, note, entry?.reference ?? note.id, entry?.shared.revision ?? 0);
    });
  const kept = Object.entries(state.notes).filter(([, shared]) => shared.isGone !== true);
  const missing = kept.filter(([, shared]) => !here.has(shared.id));
  const buried = await desk.buried(missing.map(([, { id }]) => ({ id })));
  const removed = kept
    .filter(([, { id, isYours, isPushed }]) =>
      here.has(id)
        ? isYours && isPushed === true && here.get(id)?.visibility === 'private'
        : isYours && buried.has(id),
    )
    .map(([reference]) => reference);
  // A file that is only missing says nothing about what the team should know.
  for (const [reference, shared] of missing) if (!removed.includes(reference)) shared.isGone = true;
  return { after: state.after, notes, removed: removed.slice(0, maxRemovedAtOnce) };
}

/** Redacted once more before it leaves: the rules may have learnt since it was written. */
function pushedNote({ notes, parts }: SyncRun, note: Note, reference: string, base: number): PushedNote {
  const { redact, redactDeep } = notes.redactor ?? rulesOnly;
  return {
    id: reference,
    kind: note.kind,
    text: redact(note.text),
    concepts: redactDeep(note.concepts),
    files: redactDeep(note.files),
    created: note.created,
    updated: note.updated,
    author: parts.actor,
    device: parts.device.id,
    rev: note.rev,
    base,
    isPrivate: false,
  };
}

async function settleOutcomes(desk: SyncRun, request: SyncRequest, answer: SyncAnswer): Promise<void> {
  const { state, here, report } = desk;
  for (const { id, outcome, revision } of answer.outcomes) {
    const localId = state.notes[id]?.id ?? id;
    const note = here.get(localId);
    if (note === undefined) continue;
    const before = state.notes[id];
    if (outcome === 'kept') {
      const isYours = before?.isYours ?? true;
      state.notes[id] = { id: localId, revision, hash: saysOf(note), isYours, isPushed: true };
      report.pushed += 1;
    } else if (outcome === 'refused') {
      const isYours = before?.isYours ?? true;
      state.notes[id] = { revision, ...before, id: localId, hash: saysOf(note), isYours };
      report.refused += 1;
    } else if (outcome === 'conflict') {
      // Theirs takes the place when it is told; this one goes on under a name of its own.
      await keepBoth(desk, note);
    } else {
      state.notes[id] = {
        id: localId,
        revision: 0,
        hash: '',
        isYours: before?.isYours ?? true,
        isGone: true,
      };
      await unshare(desk, note);
    }
  }
  for (const reference of request.removed) {
    const shared = state.notes[reference];
    if (shared !== undefined) shared.isGone = true;
    report.forgottenThere += 1;
  }
}

async function settleChanges(desk: SyncRun, changes: PulledChange[]): Promise<void> {
  const { state, here } = desk;
  const brought = changes.flatMap((change) => {
    const shared = state.notes[change.id];
    const id = shared?.id ?? localIdOf(change.id);
    const isNews = shared === undefined || (shared.isGone !== true && shared.revision < change.revision);
    return change.note === undefined || !isNews
      ? []
      : [{ change, note: pulledNote(desk.notes, id, change, here.get(id)) }];
  });
  const buried = await desk.buried(brought.map(({ note }) => note));
  for (const { change, note } of brought)
    if (note.text !== '') await settleBrought(desk, change, note, buried.has(note.id));
  for (const change of changes) if (change.note === undefined) await settleRemoval(desk, change);
  await forgetHere(desk);
}

async function settleBrought(
  desk: SyncRun,
  change: PulledChange,
  note: Note,
  isBuried: boolean,
): Promise<void> {
  const { state, here } = desk;
  const shared = state.notes[change.id];
  const own = here.get(note.id);
  const pushed = shared?.isPushed === true ? { isPushed: true as const } : {};
  const remember = (id: string, hash: string) => {
    state.notes[change.id] = { id, revision: change.revision, hash, isYours: change.isYours, ...pushed };
  };
  if (isBuried) {
    remember(note.id, '');
    // Of one's own it is asked for back with the next exchange, as when a server's old backup has it again.
    if (!change.isYours) (state.notes[change.id] as SharedNote).isGone = true;
  } else if (own !== undefined && saysOf(own) === saysOf(note)) {
    remember(note.id, saysOf(own));
  } else if (own !== undefined && shared === undefined && own.visibility === 'private') {
    // A note of this machine that was never shared is not for anybody else to replace.
    const apart = { ...note, id: otherIdOf(change.id), rev: 1 };
    if (!(await put(desk, apart, 'create'))) return;
    remember(apart.id, saysOf(apart));
    desk.report.pulled += 1;
  } else {
    if (!(await isAsKnown(desk, note.id))) return;
    if (own !== undefined && shared?.hash !== saysOf(own)) await keepBoth(desk, own);
    if (!(await put(desk, note, own === undefined ? 'create' : 'edit'))) return;
    remember(note.id, saysOf(note));
    desk.report.pulled += 1;
  }
}

async function settleRemoval(desk: SyncRun, change: PulledChange): Promise<void> {
  const { state, here, toForget } = desk;
  const shared = state.notes[change.id];
  const id = shared?.id ?? localIdOf(change.id);
  const own = here.get(id);
  if (shared === undefined && own?.visibility !== 'team') return;
  // This machine asked for it, and what is still here was meant to stay here.
  if (shared?.isGone === true && own !== undefined) return;
  state.notes[change.id] = { id, revision: 0, hash: '', isYours: change.isYours, isGone: true };
  if (own === undefined) return;
  // Somebody else may take a note out of the team, and not out of its author's own memory, nor out of the memory of
  // whoever has put it into words of their own.
  const isTheirs = change.isYours ? !change.isRemovedByYou : own.trust === 3;
  if (isTheirs) await unshare(desk, own);
  else toForget.push(id);
}

async function unshare(desk: SyncRun, note: Note): Promise<void> {
  if (note.visibility === 'private') return;
  if (await put(desk, reviseNote(desk.notes, note, { visibility: 'private' }), 'edit'))
    desk.report.unshared += 1;
}

/** The text of this machine as a note of its own, before the other one takes its place. */
async function keepBoth(desk: SyncRun, note: Note): Promise<void> {
  const copy = copyOfNote(desk.notes, note, copyIdOf(note));
  if (desk.here.has(copy.id) || (await desk.buried([copy])).size > 0) return;
  if (!(await isAsKnown(desk, note.id)) || !(await put(desk, copy, 'create'))) return;
  if (desk.state.chosen?.[note.id] === saysOf(note)) choose(desk, copy);
  desk.report.conflicts += 1;
}

async function put(desk: SyncRun, note: Note, action: 'create' | 'edit'): Promise<boolean> {
  if (!(await isAsKnown(desk, note.id))) return false;
  await saveNote(desk.notes, note, action);
  desk.here.set(note.id, note);
  return true;
}

/** A server takes a while to answer: what was edited or forgotten here meanwhile is not put back. */
async function isAsKnown(desk: SyncRun, id: string): Promise<boolean> {
  const now = await desk.parts.notes.get(id);
  if (isDeepStrictEqual(now, desk.here.get(id))) return true;
  if (now === undefined) desk.here.delete(id);
  else desk.here.set(id, now);
  desk.isOvertaken = true;
  return false;
}

async function forgetHere(desk: SyncRun): Promise<void> {
  const ids = desk.toForget.splice(0);
  if (ids.length === 0) return;
  const { notes } = await forget(desk.parts, { ids }, desk.notes.context);
  for (const id of ids) desk.here.delete(id);
  desk.report.forgottenHere += notes;
}

/** An older backup of the server was put back: it counts in another epoch, or, from older servers, less than before. */
const hasBegunAnew = ({ after, epoch }: SyncState, answer: SyncAnswer): boolean =>
  answer.version < after || (epoch !== undefined && answer.epoch !== undefined && answer.epoch !== epoch);

/** The server does not know what it did: everything is told and asked once more. */
function startOver(state: SyncState): void {
  state.after = 0;
  for (const shared of Object.values(state.notes)) {
    shared.revision = 0;
    if (shared.isYours) shared.hash = '';
    if (shared.isYours && shared.isGone === true) delete shared.isGone;
  }
}
