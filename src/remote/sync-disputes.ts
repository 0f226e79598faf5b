import { isDeepStrictEqual } from 'node:util';
import { list, record, text } from '../base/json.ts';
import { type Dispute, type Note, openDisputes, ownDispute } from '../domain/note.ts';
import { maxDisputesPerRequest } from '../domain/team-note.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import type { PulledChange, StatedDispute } from './sync-request.ts';
import { localIdOf, type SharedNote, type SyncState } from './sync-state.ts';

/**
 * Disputes to state: teammates' notes that the user called wrong on this machine. Disputes to settle: those that the
 * user took back here, and those about the user's own notes that the user has answered. As for notes, all of it follows
 * from the notes and the state, so that there is no queue.
 */
export function disputesToSend(
  state: SyncState,
  notes: ReadonlyMap<string, Note>,
): { disputes: StatedDispute[]; settled: string[] } {
  const disputes: StatedDispute[] = [];
  const settled: string[] = [];
  for (const [id, shared] of Object.entries(state.notes)) {
    const note = notes.get(shared.id);
    const verdict = note === undefined ? undefined : verdictOf(note);
    if (shared.isYours) {
      if (shared.isGone !== true && note !== undefined && isAnswered(note, shared)) settled.push(id);
    } else if (verdict === undefined) {
      if (shared.disputed !== undefined) settled.push(id);
    } else if (
      shared.isGone !== true &&
      shared.revision > 0 &&
      shared.disputed !== (verdict.correction ?? '')
    ) {
      const { correction } = verdict;
      disputes.push({ id, revision: shared.revision, ...(correction === undefined ? {} : { correction }) });
    }
  }
  return {
    disputes: disputes.slice(0, maxDisputesPerRequest),
    settled: settled.slice(0, maxDisputesPerRequest),
  };
}

/** The user's dispute, as long as the note is not valid here. Accepting or editing the note takes it back. */
const verdictOf = (note: Note): Dispute | undefined =>
  note.state === 'superseded' ? ownDispute(note) : undefined;

const isAnswered = (note: Note, { answered }: SharedNote): boolean =>
  newestDispute(note) !== undefined && openDisputes(note).length === 0 && newestDispute(note) !== answered;

export const newestDispute = ({ disputes = [] }: Pick<Note, 'disputes'>): string | undefined =>
  disputes
    .map(({ at }) => at)
    .sort()
    .at(-1);

const maxDisputes = 20;
const maxNameLength = 80;

/**
 * The note with the disputes that the server knows; undefined if it has them already. A dispute that the user has just
 * stated here stays until the server has it, and so does the user's answer to one.
 */
export function withDisputes(
  note: Note,
  { disputes: given }: PulledChange,
  redactor: Redactor,
): Note | undefined {
  const { disputes: known = [], ...rest } = note;
  const received = list(given)
    .slice(-maxDisputes)
    .map((each) => receivedDispute(each, redactor));
  const verdict = verdictOf(note);
  const disputes = [
    ...received.map((dispute) => {
      const before = known.find(({ by, at }) => by === dispute.by && at === dispute.at);
      return before?.keptAt === undefined ? dispute : { ...dispute, keptAt: before.keptAt };
    }),
    ...(verdict === undefined || ownDispute({ disputes: received }) !== undefined ? [] : [verdict]),
  ];
  if (isDeepStrictEqual(disputes, known)) return undefined;
  return disputes.length === 0 ? rest : { ...rest, disputes };
}

/** Reads a dispute from a server, which may send anything. */
function receivedDispute(given: unknown, { redact }: Redactor): Dispute {
  const { by, at, isYours, isOverLimit, correction, keptAt } = record(given);
  return {
    by: redact(text(by).slice(0, maxNameLength)) || 'a teammate',
    at: text(at).slice(0, 30),
    ...(isYours === true ? { isYours } : {}),
    ...(isOverLimit === true ? { isOverLimit } : {}),
    ...(text(correction) === '' ? {} : { correction: localIdOf(text(correction)) }),
    ...(text(keptAt) === '' ? {} : { keptAt: text(keptAt).slice(0, 30) }),
  };
}
