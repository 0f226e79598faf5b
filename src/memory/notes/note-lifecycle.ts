import { isForeign, type Note } from '../../domain/note.ts';
import { plainWords } from '../../text/plain-words.ts';
import { distilAuthor } from './distil-mark.ts';

/** Rules for the lifecycle of notes: repetition and expiry. Pure; callers write the notes and events. */
export const isLive = ({ state }: Note): boolean => state === 'active' || state === 'candidate';

export const wordsOf = ({ text }: Note): string => plainWords(text);

/** Whether two notes have the same words, whatever their kinds: "we use pnpm" may be extracted as a rule or a decision. */
export const saysSame = (note: Note, other: Note): boolean =>
  note.id !== other.id &&
  note.kind !== 'summary' &&
  other.kind !== 'summary' &&
  wordsOf(note) === wordsOf(other);

export const findSame = (note: Note, notes: Note[]): Note | undefined =>
  notes.find((other) => isLive(other) && saysSame(note, other));

/**
 * Finds a superseded or withdrawn note that says the same as a proposed one. Such a proposal is not made a note again.
 * Only if the user says it once more, after the old note was closed, does it count as a new statement.
 */
export const findClosed = (note: Note, notes: Note[]): Note | undefined =>
  notes.find(
    (other) =>
      other.state === 'superseded' &&
      (note.trust < 2 || note.validFrom <= other.validTo) &&
      saysSame(note, other),
  );

/**
 * The changes to a note that is stated again. Its evidence grows, and a candidate becomes active if the new statement
 * needs no review. If the user repeats an agent's statement, the user's words replace the agent's.
 */
export function addEvidence(note: Note, again: Note): Partial<Note> | undefined {
  const derivedFrom = [...new Set([...note.derivedFrom, ...again.derivedFrom])];
  if (derivedFrom.length === note.derivedFrom.length) return undefined;
  const isByUser = again.trust >= 2 && note.trust < 2;
  return {
    derivedFrom,
    ...(isByUser ? { text: again.text, title: again.title, trust: again.trust } : {}),
    ...(isByUser || (again.state === 'active' && note.verdict === undefined)
      ? { state: 'active' as const }
      : {}),
  };
}

const dayMs = 24 * 60 * 60 * 1000;
const maxCandidateDays = 90;
const maxSessionsWithoutMention = 3;

/**
 * Whether a candidate was unused for so long that it is archived, if it was extracted, or an agent or an import proposed
 * it. Open items expire by `isOpenItemOver` instead.
 */
export function isExpired(note: Note, lastUsed: number, now: number): boolean {
  const isProposal = note.author === distilAuthor || (note.trust < 2 && !isForeign(note));
  const since = Math.max(Date.parse(note.updated) || now, lastUsed);
  return note.state === 'candidate' && !note.pinned && isProposal && now - since > maxCandidateDays * dayMs;
}

/**
 * Whether an open item was not mentioned in three later sessions in which the user typed something. It is counted by the
 * time at which things were said, so an item that is read from the past is over at once if the work has gone on.
 */
export function isOpenItemOver(
  note: Note,
  mention: { at: number; sessions: Set<string> },
  prompts: { at: number; agentSession: string }[],
): boolean {
  if (note.pinned || !isLive(note) || note.author !== distilAuthor) return false;
  const later = prompts.filter(
    ({ at, agentSession }) => at > mention.at && !mention.sessions.has(agentSession),
  );
  return new Set(later.map(({ agentSession }) => agentSession)).size >= maxSessionsWithoutMention;
}
