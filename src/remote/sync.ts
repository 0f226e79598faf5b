import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { text } from '../base/json.ts';
import type { NoteAction } from '../domain/event.ts';
import { isEverywhere, isFromTeam, type Note, teammateOf } from '../domain/note.ts';
import { maxNotesPerRequest, maxRemovedPerRequest } from '../domain/team-note.ts';
import { textHash } from '../memory/capture/event-writer.ts';
import { forget } from '../memory/notes/forget.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { copyOfNote, reviseNote, saveNote } from '../memory/notes/remember.ts';
import { buriedHashes, copyHash, noteHash, sharedHash } from '../memory/notes/tombstones.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { thoroughLimits, withIndex } from '../recall/with-index.ts';
import { harmlessLine } from '../text/fence.ts';
import type { Synced } from '../wire/answers/team.ts';
import { cacheMemories, cacheOf } from './cache-memories.ts';
import type { Membership } from './membership.ts';
import { pulledNote } from './pulled-note.ts';
import { requestServer, type Server } from './request-server.ts';
import { disputesToSend, newestDispute, withDisputes } from './sync-disputes.ts';
import type { PulledChange, PushedNote, SyncRequest } from './sync-request.ts';
import {
  contentHashOf,
  copyIdOf,
  localIdOf,
  notesToSend,
  otherIdOf,
  readState,
  type SharedNote,
  type SyncState,
  writeState,
} from './sync-state.ts';

const emptyReport = () => ({
  pushed: 0,
  pulled: 0,
  /**
   * Notes removed here because they were forgotten on the server, and notes removed on the server because they were
   * forgotten here.
   */
  forgottenHere: 0,
  forgottenThere: 0,
  /** Notes that were changed here and on the server; both texts are kept. */
  conflicts: 0,
  /** Own notes that someone else removed from the team; they stay here as private notes. */
  unshared: 0,
  /** Names of those who removed the notes of `forgottenHere` and of `unshared`. */
  forgottenBy: [] as string[],
  unsharedBy: [] as string[],
  /** Notes that the server rejected. They are sent again only after their content changes. */
  refused: 0,
  /** Why, as far as the server said so. */
  refusals: [] as string[],
  /** Teammates' notes of which the team now knows that this user calls them wrong. */
  disputed: 0,
  /** Disputes that the team knows, but that do not keep the notes from teammates' sessions. */
  recorded: 0,
  /** Notes here about which a dispute was stated, answered or taken back. */
  disputes: 0,
  /** Issues, comments and jobs of the team whose copy here was stored, replaced or removed. */
  memories: 0,
});
export type SyncReport = ReturnType<typeof emptyReport>;

export interface SyncParts {
  parts: OpenProject;
  membership: Membership;
  token: string | undefined;
  /** Ids of notes that the user has just pushed, with their current text. */
  chosen?: string[];
}

interface SyncBounds {
  timeoutMs: number;
  maxRounds: number;
}

export const interactiveBounds: SyncBounds = { timeoutMs: 30_000, maxRounds: 10_000 };
/** For a sync after a drain, or in a request of the viewer, which must end soon. */
export const quickBounds: SyncBounds = { timeoutMs: 5_000, maxRounds: 20 };

/**
 * Syncs the notes of this machine with a team server. What to send follows from the notes themselves, so there is no
 * queue that could be lost. Every step is idempotent, so a lost response, a kill or two concurrent syncs do no harm. A
 * note that was forgotten on one side is removed on the other.
 */
export async function syncNotes(
  { parts, membership, token, chosen = [] }: SyncParts,
  { timeoutMs, maxRounds }: SyncBounds,
): Promise<SyncReport> {
  const server: Server = { url: membership.url, token };
  const { teamSync: path, teamMemories } = parts.paths.project(parts.project);
  const exchange = (body: SyncRequest) =>
    requestServer<Synced>(server, {
      method: 'POST',
      path: `/api/v1/projects/${membership.project}/sync`,
      body,
      timeoutMs,
    });
  const run = await openSyncRun(parts, readState(path));
  for (const id of chosen) {
    recordChoice(run, run.localNotes.get(id));
    // The server may have another text of this note that the user did not take over. The user's goes there now.
    const shared = Object.values(run.state.notes).find((one) => one.id === id && one.isYours);
    if (shared !== undefined) shared.hash = '';
  }
  let isComplete = false;
  let lastProgress = -1;
  try {
    for (let round = 0; round < maxRounds; round++) {
      const request = await composeRequest(run);
      const isIdle = isComplete && isEmpty(request);
      if (isIdle || (isComplete && lastProgress === progressOf(run))) break;
      lastProgress = progressOf(run);
      run.needsAllChanges = false;
      // The copy of the team's other memories is compared once; the further rounds are about notes.
      const cache = round === 0 ? cacheOf(teamMemories, membership) : undefined;
      const cached = cache?.memories.map(({ id, revision }) => `${id}.${revision}`);
      const answer = await exchange({ ...request, cached });
      if (cache !== undefined && answer.memories !== undefined)
        run.report.memories = cacheMemories(teamMemories, cache, answer.memories, run.notes.redactor);
      const isRestored = isServerRestored(run.state, answer);
      if (answer.epoch !== undefined) run.state.epoch = answer.epoch;
      if (isRestored) {
        resetState(run.state);
        isComplete = false;
      } else {
        await applyOutcomes(run, request, answer);
        await applyChanges(run, answer.changes);
        run.state.after = run.needsAllChanges ? 0 : answer.version;
        isComplete = answer.isComplete && !run.needsAllChanges;
      }
      run.state.syncedAt = isoTime(parts.clock.now());
      delete run.state.failedAt;
      delete run.state.failure;
      writeState(path, run.state);
    }
  } catch (error) {
    run.state.failedAt = isoTime(parts.clock.now());
    run.state.failure = messageOf(error);
    writeState(path, run.state);
    throw error;
  }
  return run.report;
}

const isEmpty = ({ notes, removed, disputes, settled }: SyncRequest): boolean =>
  notes.length + removed.length + disputes.length + settled.length === 0;

/**
 * A number that grows with every change. If a round did not increase it, that round was the last one, even if the
 * server says that there is more.
 */
const progressOf = ({ state, report }: SyncRun): number =>
  state.after +
  Object.values(report).reduce<number>(
    (sum, count) => sum + (typeof count === 'number' ? count : count.length),
    0,
  );

const openSyncRun = async (parts: OpenProject, state: SyncState) => ({
  parts,
  notes: notePartsOf(parts),
  state,
  localNotes: new Map((await parts.notes.list()).map((note) => [note.id, note])),
  /**
   * True if a note was changed or forgotten here while a request was under way, or if a text is needed that this machine
   * has received before and no longer has. All changes are then requested again.
   */
  needsAllChanges: false,
  report: emptyReport(),
});
type SyncRun = Awaited<ReturnType<typeof openSyncRun>>;

function recordChoice({ state }: SyncRun, note: Note | undefined): void {
  if (note !== undefined) state.chosen = { ...state.chosen, [note.id]: contentHashOf(note) };
}

/**
 * Returns the ids of those notes that were forgotten or rejected here. Notes without text no longer exist here. Uses the
 * index if there is one, because reading a large log takes seconds.
 */
async function forgottenOf({ parts }: SyncRun, notes: { id: string; text?: string }[]): Promise<Set<string>> {
  const { device } = parts;
  const found = new Set<string>();
  if (notes.length === 0) return found;
  await withIndex(parts, thoroughLimits, async (index) => {
    const hashes = index === undefined ? buriedHashes(parts.log) : undefined;
    for (const { id, text } of notes) {
      const own =
        text === undefined
          ? [noteHash(device, id), sharedHash(device, id)]
          : [noteHash(device, id), textHash(device, text), copyHash(device, text)];
      for (const hash of own) if (hashes?.has(hash) ?? (await index?.isTombstoned(hash))) found.add(id);
    }
  });
  return found;
}

/** A note that the user made private, called wrong or replaced by a newer statement is no longer the team's. */
const isWithdrawn = (note: Note | undefined): boolean =>
  note?.visibility === 'private' || note?.state === 'superseded';

/** Notes to send: shared ones with new content. Notes to remove: own ones that were forgotten or withdrawn. */
async function composeRequest(run: SyncRun): Promise<SyncRequest> {
  const { state, localNotes } = run;
  const known = new Map(
    Object.entries(state.notes).map(([reference, shared]) => [shared.id, { reference, shared }]),
  );
  const notes = notesToSend(state, localNotes.values())
    .slice(0, maxNotesPerRequest)
    .map((note) => {
      const entry = known.get(note.id);
      return pushedNote(run, note, entry?.reference ?? note.id, entry?.shared.revision ?? 0);
    });
  const kept = Object.entries(state.notes).filter(([, shared]) => shared.isGone !== true);
  const missing = kept.filter(([, shared]) => !localNotes.has(shared.id));
  const buried = await forgottenOf(
    run,
    missing.map(([, { id }]) => ({ id })),
  );
  const removed = kept
    .filter(([, { id, isYours, isPushed }]) =>
      localNotes.has(id)
        ? isYours && isPushed === true && isWithdrawn(localNotes.get(id))
        : isYours && buried.has(id),
    )
    .map(([reference]) => reference);
  // If a note's file is missing and there is no tombstone, nobody decided to forget the note, so it stays in the team.
  for (const [reference, shared] of missing) if (!removed.includes(reference)) shared.isGone = true;
  const { disputes, settled } = disputesToSend(state, localNotes);
  return {
    after: state.after,
    notes,
    removed: removed.slice(0, maxRemovedPerRequest),
    disputes,
    settled,
  };
}

/** Redacts again, because the rules may have improved since the note was written. */
function pushedNote({ notes, parts }: SyncRun, note: Note, reference: string, base: number): PushedNote {
  const { redact, redactDeep } = notes.redactor;
  return {
    id: reference,
    kind: note.kind,
    text: redact(note.text),
    concepts: redactDeep(note.concepts),
    files: redactDeep(note.files),
    created: note.created,
    updated: note.updated,
    device: parts.device.id,
    rev: note.rev,
    base,
  };
}

async function applyOutcomes(run: SyncRun, request: SyncRequest, answer: Synced): Promise<void> {
  const { state, localNotes, report } = run;
  for (const { id, outcome, revision, problem } of answer.outcomes) {
    const before = state.notes[id];
    const note = localNotes.get(before?.id ?? id);
    if (note === undefined) continue;
    const shared = { id: note.id, revision, hash: contentHashOf(note), isYours: before?.isYours ?? true };
    if (outcome === 'kept') {
      state.notes[id] = { ...shared, isPushed: true };
      report.pushed += 1;
    } else if (outcome === 'refused' && !shared.isYours) {
      // A note of somebody else that the user has changed here. The user's text becomes a note of their own, and the
      // other one gets its author's text again.
      await keepLocalCopy(run, note);
      state.notes[id] = { ...shared, ...before, revision: 0, hash: shared.hash };
      run.needsAllChanges = true;
    } else if (outcome === 'refused') {
      state.notes[id] = { ...shared, ...before, hash: shared.hash };
      report.refused += 1;
      if (problem !== undefined) addName(report.refusals, `${problem.detail}. ${problem.hint}`);
    } else if (outcome === 'conflict') {
      // The server's text will replace a note that was received from there; the local text is kept as a copy.
      if (isFromTeam(note)) await keepLocalCopy(run, note);
    } else {
      state.notes[id] = { ...shared, revision: 0, hash: '', isGone: true };
      await unshare(run, note, '');
    }
  }
  for (const reference of request.removed) {
    const shared = state.notes[reference];
    if (shared !== undefined) shared.isGone = true;
    report.forgottenThere += 1;
  }
  await applyDisputeOutcomes(run, request, answer);
}

async function applyDisputeOutcomes(run: SyncRun, request: SyncRequest, answer: Synced): Promise<void> {
  const { state, localNotes, report } = run;
  const stated = new Map(request.disputes.map(({ id, correction = '' }) => [id, correction]));
  for (const { id, outcome } of answer.disputes ?? []) {
    const [shared, correction] = [state.notes[id], stated.get(id)];
    if (shared === undefined || correction === undefined) continue;
    shared.disputed = correction;
    report[disputeCounts[outcome] ?? 'refused'] += 1;
    if (outcome !== 'refused') await shareCorrection(run, correction);
  }
  for (const id of request.settled) {
    const shared = state.notes[id];
    if (shared === undefined) continue;
    delete shared.disputed;
    const answered = newestDispute(localNotes.get(shared.id) ?? {});
    if (shared.isYours && answered !== undefined) shared.answered = answered;
  }
}

const disputeCounts = { kept: 'disputed', recorded: 'recorded', refused: 'refused' } as const;

/** A correction of a team's note is for the team, like one of the user's own shared note. */
async function shareCorrection(run: SyncRun, id: string): Promise<void> {
  const note = run.localNotes.get(id);
  const isKnown = Object.values(run.state.notes).some((shared) => shared.id === id);
  if (note === undefined || isKnown || note.state !== 'active' || note.trust < 3 || isEverywhere(note))
    return;
  await saveIfUnchanged(run, reviseNote(run.notes, note, { visibility: 'team' }), 'share');
}

async function applyChanges(run: SyncRun, changes: PulledChange[]): Promise<void> {
  const { state, localNotes } = run;
  const pulled = changes.flatMap((change) => {
    const shared = state.notes[change.id];
    const id = shared?.id ?? localIdOf(change.id);
    const isNews = shared === undefined || (shared.isGone !== true && shared.revision < change.revision);
    return change.note === undefined || !isNews
      ? []
      : [{ change, note: pulledNote(run.notes, id, change, localNotes.get(id)) }];
  });
  const buried = await forgottenOf(
    run,
    pulled.map(({ note }) => note),
  );
  for (const { change, note } of pulled)
    if (note.text !== '') await applyPulledNote(run, change, note, buried.has(note.id));
  const toForget: string[] = [];
  for (const change of changes)
    if (change.note === undefined) toForget.push(...(await applyRemoval(run, change)));
    else await applyDisputes(run, change);
  if (toForget.length === 0) return;
  const { notes } = await forget(run.parts, { ids: toForget }, run.notes.context);
  for (const id of toForget) localNotes.delete(id);
  run.report.forgottenHere += notes;
}

async function applyPulledNote(
  run: SyncRun,
  change: PulledChange,
  note: Note,
  isBuried: boolean,
): Promise<void> {
  const { state, localNotes } = run;
  const shared = state.notes[change.id];
  const own = localNotes.get(note.id);
  const pushed = shared?.isPushed === true ? { isPushed: true as const } : {};
  const remember = (id: string, hash: string) => {
    state.notes[change.id] = { id, revision: change.revision, hash, isYours: change.isYours, ...pushed };
  };
  if (isBuried) {
    remember(note.id, '');
    // A note of this user that was forgotten here can come back, for example if the server was restored from a backup.
    // The next round removes it there again.
    if (!change.isYours) (state.notes[change.id] as SharedNote).isGone = true;
  } else if (own !== undefined && contentHashOf(own) === contentHashOf(note)) {
    remember(note.id, contentHashOf(own));
  } else if (own !== undefined && shared === undefined && own.visibility === 'private') {
    // The server must not replace a local note that was never shared.
    const separate = { ...note, id: otherIdOf(change.id), rev: 1 };
    if (!(await saveIfUnchanged(run, separate, 'create'))) return;
    remember(separate.id, contentHashOf(separate));
    run.report.pulled += 1;
  } else if (own !== undefined && !isFromTeam(own)) {
    await keepOwnText(run, change, { own, received: note });
  } else {
    if (!(await isUnchanged(run, note.id))) return;
    if (own !== undefined && shared?.hash !== contentHashOf(own)) await keepLocalCopy(run, own);
    if (!(await saveIfUnchanged(run, note, own === undefined ? 'create' : 'edit'))) return;
    remember(note.id, contentHashOf(note));
    run.report.pulled += 1;
  }
}

/**
 * Nothing that comes from the server replaces what the user wrote here: an agent can read the token of this machine, and
 * send a text in the user's name. The server's text becomes a candidate of its own. If an owner of the project has taken
 * the note over, the user's note is no longer the team's.
 */
async function keepOwnText(
  run: SyncRun,
  change: PulledChange,
  { own, received }: { own: Note; received: Note },
): Promise<void> {
  const candidate: Note = {
    ...received,
    id: copyIdOf(received),
    rev: 1,
    visibility: 'private',
    pinned: false,
  };
  if (!(await isUnchanged(run, own.id))) return;
  const isKnown = run.localNotes.has(candidate.id) || (await forgottenOf(run, [candidate])).size > 0;
  if (!isKnown && !(await saveIfUnchanged(run, candidate, 'create'))) return;
  const shared = { id: own.id, revision: change.revision, hash: contentHashOf(own), isYours: change.isYours };
  run.state.notes[change.id] = change.isYours ? { ...shared, isPushed: true } : { ...shared, isGone: true };
  if (!isKnown) run.report.conflicts += 1;
  if (!change.isYours) await unshare(run, own, teammateOf(received));
}

/** A dispute is about the team's text, so a note that the user has changed here does not get it. */
async function applyDisputes(run: SyncRun, change: PulledChange): Promise<void> {
  const shared = run.state.notes[change.id];
  const note = shared === undefined ? undefined : run.localNotes.get(shared.id);
  if (note === undefined || shared?.isGone === true || shared?.hash !== contentHashOf(note)) return;
  const disputed = withDisputes(note, change, run.notes.redactor);
  if (disputed === undefined) return;
  const revised = reviseNote(run.notes, disputed, {});
  if (await saveIfUnchanged(run, revised, 'dispute')) run.report.disputes += 1;
}

/** Returns the id of the local note if it is to be forgotten here too. */
async function applyRemoval(run: SyncRun, change: PulledChange): Promise<string[]> {
  const { state, localNotes } = run;
  const shared = state.notes[change.id];
  const id = shared?.id ?? localIdOf(change.id);
  const own = localNotes.get(id);
  if (shared === undefined && own?.visibility !== 'team') return [];
  // The user withdrew this note from the team on this machine, and the local copy was meant to stay.
  if (shared?.isGone === true && own !== undefined) return [];
  state.notes[change.id] = { id, revision: 0, hash: '', isYours: change.isYours, isGone: true };
  if (own === undefined) return [];
  // If someone else removes a note from the team, its author keeps it, and so does a user who has rewritten it.
  const isRemovedByYou = change.isYours && change.isRemovedByYou;
  const isKept = !isRemovedByYou && (change.isYours || own.trust === 3 || !isFromTeam(own));
  const by = harmlessLine(text(change.removedBy), maxNameLength);
  if (isKept) await unshare(run, own, by);
  else addName(run.report.forgottenBy, isRemovedByYou ? 'you' : by);
  return isKept ? [] : [id];
}

/** `by` removed it from the team, or took it over. */
async function unshare(run: SyncRun, note: Note, by: string): Promise<void> {
  if (note.visibility === 'private') return;
  if (!(await saveIfUnchanged(run, reviseNote(run.notes, note, { visibility: 'private' }), 'unshare')))
    return;
  run.report.unshared += 1;
  addName(run.report.unsharedBy, by);
}

const maxNameLength = 80;

function addName(names: string[], name: string): void {
  if (name !== '' && !names.includes(name)) names.push(name);
}

/** Keeps the local text as a separate note before the server's text replaces it. */
async function keepLocalCopy(run: SyncRun, note: Note): Promise<void> {
  const copy = copyOfNote(run.notes, note, copyIdOf(note));
  if (run.localNotes.has(copy.id) || (await forgottenOf(run, [copy])).size > 0) return;
  if (!(await isUnchanged(run, note.id)) || !(await saveIfUnchanged(run, copy, 'create'))) return;
  if (run.state.chosen?.[note.id] === contentHashOf(note)) recordChoice(run, copy);
  run.report.conflicts += 1;
}

async function saveIfUnchanged(run: SyncRun, note: Note, action: NoteAction): Promise<boolean> {
  if (!(await isUnchanged(run, note.id))) return false;
  await saveNote(run.notes, note, action);
  run.localNotes.set(note.id, note);
  return true;
}

/** False if the note was edited or forgotten locally during the request; it must then not be overwritten. */
async function isUnchanged(run: SyncRun, id: string): Promise<boolean> {
  const now = await run.parts.notes.get(id);
  if (isDeepStrictEqual(now, run.localNotes.get(id))) return true;
  if (now === undefined) run.localNotes.delete(id);
  else run.localNotes.set(id, now);
  run.needsAllChanges = true;
  return false;
}

/** True if the server was restored from a backup. */
const isServerRestored = ({ after, epoch }: SyncState, answer: Synced): boolean =>
  answer.version < after || (epoch !== undefined && answer.epoch !== undefined && answer.epoch !== epoch);

/** Forgets what was synced, so that everything is sent and requested again. */
function resetState(state: SyncState): void {
  state.after = 0;
  for (const shared of Object.values(state.notes)) {
    shared.revision = 0;
    delete shared.disputed;
    delete shared.answered;
    if (shared.isYours) shared.hash = '';
    if (shared.isYours && shared.isGone === true) delete shared.isGone;
  }
}
