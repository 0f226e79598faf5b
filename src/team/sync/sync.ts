import type { PushOutcome, TeamNote } from '../../domain/team-note.ts';
import { type GivenMemory, prepareSoon } from '../memories/prepare.ts';
import { reindexJob } from '../memories/save.ts';
import type { TeamParts } from '../parts.ts';
import { checkPermission, forReaders, forWriters } from '../people/permissions.ts';
import type { NoteChange, NoteState, ProjectWork, TokenHash } from '../store/team-store.ts';

/** What a laptop brings: notes with the revision they were made from, and those it wants back. */
export interface Brought {
  after: number;
  notes: (TeamNote & { base: number; isPrivate: boolean })[];
  removed: string[];
}

export interface NoteOutcome {
  id: string;
  outcome: PushOutcome;
  revision: number;
}

const changeBatchSize = 200;

/**
 * One exchange. A note is kept when it was made from the revision that stands here; else its writer hears of a
 * conflict and keeps both. Sent again because the answer was lost, it is the same note and changes nothing.
 */
export async function syncNotes(parts: TeamParts, token: TokenHash, project: string, brought: Brought) {
  const { store, redactor } = parts;
  const member = await store.member(token, project);
  checkPermission(member, forReaders);
  if (brought.notes.length + brought.removed.length > 0) checkPermission(member, forWriters);
  const given = brought.notes.map((note): GivenMemory => {
    const { id, text, base: _, isPrivate, ...about } = note;
    return {
      source: 'note',
      sourceRef: id,
      text: redactor.redact(text),
      metadata: redactor.redactDeep(about as unknown as Record<string, unknown>),
      reader: isPrivate ? member.person : undefined,
      at: Date.parse(note.updated) || parts.clock.now(),
    };
  });
  // Cut and embedded before anything is locked: a model may take seconds.
  const { prepared, model } = await prepareSoon(parts, project, given);
  return store.inProject(token, project, async (work) => {
    const states = await statesOf(work, brought);
    const embedded = brought.notes.map((note, at) => {
      const state = states.get(keyOf(note));
      return { note, state, memory: prepared[at], outcome: outcomeOf(note, state, prepared[at]?.text ?? '') };
    });
    const fresh = embedded.flatMap(({ outcome, state, memory }) =>
      outcome === 'kept' && memory !== undefined && !isSame(memory, state) ? [memory] : [],
    );
    if (fresh.length > 0) {
      const saved = await work.save(fresh, model);
      if (saved.some(({ embeddedAt }) => embeddedAt === null)) await work.askFor(reindexJob);
    }
    const taken = brought.removed.length === 0 ? [] : await work.takeBackNotes(brought.removed);
    if (fresh.length > 0) await work.note('notes.push', project, { notes: fresh.length });
    if (taken.length > 0) await work.note('notes.remove', project, { notes: taken });
    const now = await statesOf(work, brought);
    const outcomes = embedded.map(
      ({ note, outcome }): NoteOutcome => ({
        id: note.id,
        outcome,
        revision: now.get(keyOf(note))?.revision ?? 0,
      }),
    );
    const { changes, version, isComplete, epoch } = await work.noteChanges(brought.after, changeBatchSize);
    const wantsKnowledge = await work.knowledge.isWanted();
    return { outcomes, changes: changes.map(told), version, epoch, isComplete, wantsKnowledge };
  });
}

const keyOf = ({ id, isPrivate }: { id: string; isPrivate: boolean }): string => `${isPrivate} ${id}`;

async function statesOf(work: ProjectWork, { notes }: Brought): Promise<Map<string, NoteState>> {
  const states = new Map<string, NoteState>();
  for (const isPrivate of [false, true]) {
    const ids = notes.filter((note) => note.isPrivate === isPrivate).map(({ id }) => id);
    for (const state of ids.length === 0 ? [] : await work.noteStates(ids, isPrivate))
      states.set(keyOf({ id: state.sourceRef, isPrivate }), state);
  }
  return states;
}

const isSame = ({ text }: { text: string }, state: NoteState | undefined): boolean =>
  state !== undefined && !state.isRemoved && state.text === text;

/** Whether a note may take the place of what stands here. */
export function outcomeOf(
  { base, device, rev }: Pick<Brought['notes'][number], 'base' | 'device' | 'rev'>,
  state: NoteState | undefined,
  text: string,
): PushOutcome {
  if (state === undefined) return 'kept';
  if (state.isRemoved) return 'forgotten';
  if (state.revision === base || state.text === text) return 'kept';
  // The same machine, further on: it had no answer to what it sent before.
  const isOwnNext = state.metadata.device === device && Number(state.metadata.rev) < rev;
  return isOwnNext ? 'kept' : 'conflict';
}

function told({ sourceRef, revision, isRemoved, text, metadata, ...change }: NoteChange) {
  const { isPrivate, isYours, isRemovedByYou } = change;
  const shared = { id: sourceRef, revision, isPrivate, isYours, isRemovedByYou };
  // Only its own fields: a note may also have been added by other programs, with tags of theirs.
  return isRemoved ? shared : { ...shared, note: { ...metadata, id: sourceRef, text } };
}
