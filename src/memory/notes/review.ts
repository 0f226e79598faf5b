import { isoTime } from '../../base/clock.ts';
import { likelihoodOf } from '../../distil/distil-session.ts';
import type { EventContext } from '../../domain/event.ts';
import {
  disputesOfOthers,
  isConfirmed,
  isFromRepository,
  type Note,
  openDisputes,
} from '../../domain/note.ts';
import { possibleChanges } from '../../recall/possible-changes.ts';
import { hasSettling } from '../../text/settling-words.ts';
import type { Device } from '../projects/device.ts';
import { isExtracted } from './agent-statement.ts';
import { closeStatement, restoreClosedBy, wouldReplace } from './closing.ts';
import { confirmedNote, type NoteParts, reviseNote, saveNote } from './remember.ts';
import { bury, rejectionHashes } from './tombstones.ts';

export interface Inbox {
  /** Candidates, disputed notes, and closed notes of which nobody knows what closed them. */
  candidates: Note[];
  /** Pairs of active notes: a statement, and a later one that may have changed it. */
  changes: [Note, Note][];
}

export function inboxOf(notes: Note[]): Inbox {
  const candidates = notes.filter((note) => isWaiting(note, notes)).sort(inInboxOrder);
  return { candidates, changes: changedPairs(notes) };
}

/** How many decisions wait for a person: the number that every surface shows. */
export const waitingIn = ({ candidates, changes }: Inbox): number => candidates.length + changes.length;

/** Likeliest first: what waits, and the user's sentences that sessions are told although nobody confirmed them. */
export const reviewable = (notes: Note[]): Note[] =>
  notes
    .filter((note) => isWaiting(note, notes) || (isExtracted(note) && !isConfirmed(note)))
    .sort(inInboxOrder);

const isWaiting = (note: Note, notes: Note[]): boolean =>
  isDisputed(note) || isProposingMatch(note) || isProposed(note) || isReplacing(note, notes);

/** Whether a told sentence would end another statement once the user confirms it. */
const isReplacing = (note: Note, notes: Note[]): boolean =>
  note.state === 'active' && !isConfirmed(note) && wouldReplace(note, notes).length > 0;

function changedPairs(notes: Note[]): [Note, Note][] {
  const changes = possibleChanges(notes);
  return notes.flatMap((note): [Note, Note][] => {
    const later = changes.get(note.id);
    return later === undefined ? [] : [[note, later]];
  });
}

/** Whether somebody in the team says that a note is wrong which the user wrote or accepted, and nobody answered yet. */
export const isDisputed = (note: Note): boolean => note.state === 'active' && openDisputes(note).length > 0;

/** Whether an agent proposes which tool calls go against a note that sessions are told already. */
export const isProposingMatch = (note: Note): boolean =>
  note.state === 'active' && note.proposedMatch !== undefined;

/** Notes from the repository do not count: `backstory share --trust` approves them together. */
const isProposed = (note: Note): boolean => note.state === 'candidate' && !isFromRepository(note);

/**
 * Sorts what a model learned from past sessions first, because it was understood in its session, and what the user chose
 * from what an agent proposed, because both are proven. Then by trust, by importance, and by how likely the text is something to keep. A whole number.
 */
export const inboxOrder = ({ learnedIn, trust, importance, text, proposal }: Note): number =>
  (learnedIn === undefined && (proposal === undefined || trust < 2) ? trust : 4) * 1e9 +
  (importance === 'high' ? 2 : importance === 'low' ? 0 : 1) * 1e8 +
  Math.round((hasSettling(text) ? 1 : likelihoodOf(text)) * 1e7);

const inInboxOrder = (a: Note, b: Note): number => inboxOrder(b) - inboxOrder(a) || (a.id < b.id ? -1 : 1);

/**
 * Approves a note on behalf of the user, so that the prelude may show it, with the matchers that its writer proposes. It closes the notes that it replaces according
 * to its writer, and those `against` which the user keeps it.
 */
export async function acceptNote(parts: NoteParts, note: Note, against: Note[] = []): Promise<Note> {
  // The user becomes the author, so that later extraction does not change it.
  const author = parts.context.actor || 'user';
  const trust = note.trust === 3 ? 3 : 2;
  const { proposedMatch, ...rest } = keptDespiteDisputes(parts, note);
  const now = isoTime(parts.clock.now());
  const accepted = confirmedNote(parts, rest, {
    trust,
    author,
    ...(proposedMatch === undefined ? {} : { match: proposedMatch }),
  });
  await saveNote(parts, accepted, 'approve');
  const named = wouldReplace(note, await parts.notes.list());
  for (const other of new Map([...against, ...named].map((one) => [one.id, one])).values())
    await closeStatement(parts, other, { by: accepted.id, at: now });
  return accepted;
}

/** Accepting a disputed note takes back the user's own dispute and answers those of others. */
function keptDespiteDisputes({ clock }: NoteParts, { disputes = [], ...note }: Note): Note {
  const others = disputesOfOthers({ disputes });
  const keptAt = isoTime(clock.now());
  return others.length === 0
    ? note
    : { ...note, disputes: others.map((dispute) => ({ keptAt, ...dispute })) };
}

/** The note is not proposed again, and its source events stay in the log. What it had closed is valid again. */
export async function rejectNote(
  parts: NoteParts,
  note: Note,
  { device, context }: { device: Device; context: EventContext },
): Promise<void> {
  // The statement is the user's. Only the matchers are the agent's.
  if (isProposingMatch(note) && !isDisputed(note)) {
    const { proposedMatch: _rejected, ...rest } = note;
    await saveNote(parts, reviseNote(parts, rest, {}), 'edit');
    return;
  }
  bury(parts, context, { targets: [], keyedHashes: rejectionHashes(device, note) });
  await parts.notes.remove(note.id);
  await restoreClosedBy(parts, new Set([note.id]), 'rejected', [note]);
}

/** The notes that a decision changed or removed, and the revision that each has since. */
export type Decision = { before: Note; rev: number | undefined }[];

/** Carries out a decision of a person. The result can be given to `takeBack`. */
export async function recordDecision<Result>(
  parts: NoteParts,
  carryOut: () => Result,
): Promise<{ result: Awaited<Result>; decision: Decision }> {
  const before = await parts.notes.list();
  const result = await carryOut();
  const revisions = new Map((await parts.notes.list()).map(({ id, rev }) => [id, rev]));
  const changed = before.filter(({ id, rev }) => revisions.get(id) !== rev);
  return { result, decision: changed.map((note) => ({ before: note, rev: revisions.get(note.id) })) };
}

/** Makes every note of a decision what it was before. Returns false, and changes nothing, if one has changed since. */
export async function takeBack(
  parts: NoteParts,
  decision: Decision,
  { device, context }: { device: Device; context: EventContext },
): Promise<boolean> {
  for (const { before, rev } of decision) if ((await parts.notes.get(before.id))?.rev !== rev) return false;
  const removed = decision.filter(({ rev }) => rev === undefined);
  if (removed.length > 0) {
    const lifted = removed.flatMap(({ before }) => rejectionHashes(device, before));
    bury(parts, context, { targets: [], keyedHashes: [], lifted });
  }
  for (const { before, rev = before.rev } of decision)
    await saveNote(parts, { ...reviseNote(parts, { ...before, rev }, {}), updated: before.updated }, 'edit');
  return true;
}
