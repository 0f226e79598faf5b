import { problemOf } from '../../api/problem.ts';
import { AppError } from '../../base/errors.ts';
import type { PushedNote, SyncRequest } from '../../remote/sync-request.ts';
import type { Synced } from '../../wire/answers/team.ts';
import { cachedSources, maxCachedMemories, teamMemoryOf } from '../../wire/answers/team-memory.ts';
import { type MemoryInput, prepare } from '../memories/prepare.ts';
import type { TeamParts } from '../parts.ts';
import { checkPermission, forReaders, forWriters, isPermitted } from '../people/permissions.ts';
import type { NoteChange, NoteState, ProjectWork, TokenHash } from '../store/team-store.ts';

type NoteOutcome = Synced['outcomes'][number];

const changeBatchSize = 200;

/**
 * Runs one sync: saves the notes of a laptop and returns changes for it. A note is saved if it is based on the server's
 * current revision; otherwise the laptop gets a conflict and keeps both versions. Syncs are idempotent: sending
 * a note again after a lost response changes nothing.
 */
export async function syncNotes(parts: TeamParts, token: TokenHash, project: string, request: SyncRequest) {
  const { store, embedder, redactor } = parts;
  const member = await store.member(token, project);
  checkPermission(member, forReaders);
  // A laptop takes a withdrawal as done once it is answered, so it is refused as a whole.
  if (request.removed.length > 0) checkPermission(member, forWriters);
  // Notes are refused one by one: a reader who shares one still gets the changes of the team.
  const mayWrite = isPermitted(member, forWriters);
  const sent = mayWrite ? request.notes : [];
  const refused = (mayWrite ? [] : request.notes).map(
    ({ id }): NoteOutcome => ({ id, outcome: 'refused', revision: 0 }),
  );
  const given = sent.map((note): MemoryInput => {
    const { id, text, base: _, ...metadata } = note;
    return {
      source: 'note',
      sourceRef: id,
      text: redactor.redact(text),
      metadata: redactor.redactDeep(metadata as unknown as Record<string, unknown>),
      at: Date.parse(note.updated) || parts.clock.now(),
    };
  });
  // Embed before the transaction: it may take seconds, and rows must not stay locked meanwhile.
  const prepared = await prepare(project, given, embedder);
  return store.inProject(token, project, async (work) => {
    const states = await statesOf(work, request);
    const pushed = sent.map((note, at) => {
      const state = states.get(note.id);
      return { note, state, memory: prepared[at], outcome: outcomeOf(note, state, prepared[at]?.text ?? '') };
    });
    const changed = pushed.flatMap(({ outcome, state, memory }) =>
      outcome === 'kept' && memory !== undefined && !isSame(memory, state) ? [memory] : [],
    );
    if (changed.length > 0) await work.save(changed, embedder);
    const withdrawn = request.removed.length === 0 ? [] : await work.withdrawNotes(request.removed);
    if (changed.length > 0) await work.audit('notes.push', project, { notes: changed.length });
    if (withdrawn.length > 0) await work.audit('notes.remove', project, { notes: withdrawn });
    const disputes = await applyDisputes(work, project, request);
    const newStates = await statesOf(work, request);
    const outcomes = pushed.map(
      ({ note, outcome }): NoteOutcome => ({
        id: note.id,
        outcome,
        revision: newStates.get(note.id)?.revision ?? 0,
        ...(outcome === 'refused' ? { problem: problemOf(notYourNote()) } : {}),
      }),
    );
    const { changes, version, isComplete, epoch } = await work.noteChanges(request.after, changeBatchSize);
    const memories = request.cached === undefined ? {} : { memories: await news(work, request.cached) };
    return {
      outcomes: [...outcomes, ...refused],
      disputes,
      changes: changes.map(changeForClient),
      version,
      epoch,
      isComplete,
      ...memories,
    };
  });
}

/**
 * Stores and settles the caller's disputes. They are refused one by one: a reader who calls a note wrong still gets the
 * changes of the team.
 */
async function applyDisputes(work: ProjectWork, project: string, { disputes, settled }: SyncRequest) {
  const mayWrite = isPermitted(work.member, forWriters);
  const stored = mayWrite && disputes.length > 0 ? await work.recordDisputes(disputes) : [];
  if (mayWrite && settled.length > 0) await work.settleDisputes(settled);
  if (stored.length > 0) await work.audit('notes.dispute', project, { notes: stored.map(({ id }) => id) });
  const silences = new Map(stored.map((one) => [one.id, one.silences]));
  return disputes.map(({ id }) => ({ id, outcome: disputeOutcome(silences.get(id)) }));
}

const disputeOutcome = (silences: boolean | undefined): 'kept' | 'recorded' | 'refused' => {
  if (silences === undefined) return 'refused';
  return silences ? 'kept' : 'recorded';
};

/**
 * Compares the laptop's copy of the newest issues, comments and jobs with the current ones. The laptop names what it
 * has, so that the server keeps no state for it, and a memory that was removed, or is no longer among the newest, is
 * removed there too.
 */
async function news({ browse }: ProjectWork, cached: string[]) {
  const revisions = await browse.newestRevisions(cachedSources, maxCachedMemories);
  const current = new Set(revisions.map(({ id, revision }) => `${id}.${revision}`));
  const known = new Set(cached);
  const ids = revisions.filter(({ id, revision }) => !known.has(`${id}.${revision}`)).map(({ id }) => id);
  const changed = (await browse.filterIds(ids, {})).map((memory) => teamMemoryOf(memory));
  const kept = new Set(ids);
  const gone = cached
    .filter((entry) => !current.has(entry))
    .map((entry) => entry.slice(0, entry.lastIndexOf('.')))
    .filter((id) => !kept.has(id));
  const writers = await browse.writersOf(revisions.map(({ id }) => id));
  return { changed, gone, writers };
}

async function statesOf(work: ProjectWork, { notes }: SyncRequest): Promise<Map<string, NoteState>> {
  const states = notes.length === 0 ? [] : await work.noteStates(notes.map(({ id }) => id));
  return new Map(states.map((state) => [state.sourceRef, state]));
}

const notYourNote = (): AppError =>
  new AppError('FORBIDDEN', 'this note is by somebody else, and only its author can change it', {
    hint: 'If it is wrong: backstory edit ID --wrong --now "…". To state your own view: backstory remember "…"',
  });

const isSame = ({ text }: { text: string }, state: NoteState | undefined): boolean =>
  state !== undefined && !state.isRemoved && state.text === text;

/** Decides whether a note may replace the server's version. */
export function outcomeOf(
  { base, device, rev }: Pick<PushedNote, 'base' | 'device' | 'rev'>,
  state: NoteState | undefined,
  text: string,
): NoteOutcome['outcome'] {
  if (state === undefined) return 'kept';
  if (state.isRemoved) return 'forgotten';
  // Whatever it is based on. An owner of the project replaces notes of others with POST /memory, not with a laptop.
  if (!state.isYours) return state.text === text ? 'kept' : 'refused';
  if (state.revision === base || state.text === text) return 'kept';
  // The laptop that pushed the stored revision sends a newer one. It did not get the response to its last push, so this
  // is no conflict.
  const isFollowUp = state.metadata.device === device && Number(state.metadata.rev) < rev;
  return isFollowUp ? 'kept' : 'conflict';
}

function changeForClient({ sourceRef, revision, isRemoved, text, metadata, ...change }: NoteChange) {
  const { isYours, isRemovedByYou, disputes, by } = change;
  const shared = { id: sourceRef, revision, isYours, isRemovedByYou };
  // `id` and `text` come last: other programs may have saved the note with metadata of the same names.
  return isRemoved
    ? { ...shared, ...(by === undefined ? {} : { removedBy: by }) }
    : {
        ...shared,
        // The author is whose token saved it.
        note: { ...metadata, ...(by === undefined ? {} : { author: by }), id: sourceRef, text },
        ...(disputes.length === 0 ? {} : { disputes }),
      };
}
