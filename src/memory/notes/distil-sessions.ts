import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { distilSession } from '../../distil/distil-session.ts';
import { type Distiller, isUncertain, type Proposal, type SessionTurns } from '../../distil/distiller.ts';
import { summaryOf } from '../../distil/summary.ts';
import type { ModelAnswer } from '../../distil/with-model.ts';
import type { NoteAction } from '../../domain/event.ts';
import { freshNote, isForeign, type Note } from '../../domain/note.ts';
import { extractedNoteId, summaryNoteId } from '../../recall/extracted-note-id.ts';
import type { LogIndex } from '../../store/store.ts';
import { plainWords } from '../../text/plain-words.ts';
import { accountIn, accountLines, modelTurns, withAccount } from '../../text/session-account.ts';
import { textHash } from '../capture/event-writer.ts';
import type { Device } from '../projects/device.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { readSessionTurns } from '../sessions/session-turns.ts';
import { distilAuthor, distilMark } from './distil-mark.ts';
import { addEvidence, findClosed, findSame, wordsOf } from './note-lifecycle.ts';
import { notePartsOf } from './note-parts.ts';
import { quotesSentence } from './quotes-sentence.ts';
import { type NoteParts, reviseNote, saveNote, titleOf } from './remember.ts';
import { repositoryFileWith } from './repository-text.ts';
import { reviewable } from './review.ts';
import { noteHash, sessionHash, turnHash } from './tombstones.ts';
import { isUntouched } from './untouched-note.ts';

/**
 * Extracts notes from new or continued agent sessions. The id of a note is derived from its turn and its text, so
 * extraction is idempotent. Notes that the user rejected, forgot or deleted do not return, and notes that the user
 * edited are not changed.
 */
export interface DistilLimits {
  isOver(): boolean;
  onProgress?(done: number, total: number): void;
  /** Whether a person is asked about the likeliest of the uncertain sentences. */
  offersLikeliest?: true;
}

/** The sessions, newest first, that have changed since statements were extracted from them. */
export async function unreadSessions(index: LogIndex, distiller: Distiller = distilSession) {
  const done = await index.progressMarks();
  return (await index.sessionStates()).filter(
    (session) => done.get(distilMark(session.agentSession)) !== stampOf(distiller, session),
  );
}

export async function distilSessions(
  parts: OpenProject,
  index: LogIndex,
  limits: DistilLimits,
  distiller: Distiller = distilSession,
): Promise<number> {
  const waiting = await unreadSessions(index, distiller);
  if (waiting.length === 0) return 0;
  const run = await openDistilRun(parts, index);
  const uncertain: UncertainProposal[] = [];
  let written = 0;
  for (const [at, session] of waiting.reverse().entries()) {
    if (limits.isOver()) break;
    limits.onProgress?.(at, waiting.length);
    const all = await readSessionTurns(parts.log, index, session.agentSession);
    const turns = await withoutForgotten(run, all);
    const { agentSession } = turns;
    const proposals = await distiller.distil(turns);
    for (const one of proposals)
      if (isUncertain(one)) uncertain.push({ agentSession, one });
      else if (await applyProposal(run, one, agentSession)) written += 1;
    await index.setProgressMark(distilMark(agentSession), stampOf(distiller, session));
  }
  return limits.offersLikeliest === true ? written + (await offerLikeliest(run, uncertain)) : written;
}

const stampOf = (distiller: Distiller, { events, last }: { events: number; last: number }): string =>
  `${distiller.id}:${events}:${last}`;

export interface DistilRun {
  parts: NoteParts;
  index: LogIndex;
  device: Device;
  repositoryFileWith: ReturnType<typeof repositoryFileWith>;
  notes: Map<string, Note>;
  /** Ids of the notes that this run wrote. Their events are not in the index yet. */
  written: Set<string>;
  /** The run of `backstory learn`, if it is one. */
  learnedIn?: string;
}

export async function openDistilRun(parts: OpenProject, index: LogIndex): Promise<DistilRun> {
  const notes = new Map((await parts.notes.list()).map((note) => [note.id, note]));
  return {
    parts: notePartsOf(parts),
    index,
    device: parts.device,
    repositoryFileWith: repositoryFileWith(parts),
    notes,
    written: new Set(),
  };
}

export async function withoutForgotten(
  { index, device }: Pick<DistilRun, 'index' | 'device'>,
  session: SessionTurns,
): Promise<SessionTurns> {
  const turns = [];
  for (const turn of session.turns) {
    if (!(await index.isTombstoned(turnHash(device, session.agentSession, turn.id)))) turns.push(turn);
  }
  return { ...session, turns };
}

/** How many statements a person is asked about at once. */
export const maxOffered = 20;

interface UncertainProposal {
  agentSession: string;
  one: Proposal;
}

/** After an import, so that there is enough to choose from. */
async function offerLikeliest(run: DistilRun, found: UncertainProposal[]): Promise<number> {
  const left = maxOffered - reviewable([...run.notes.values()]).filter(({ trust }) => trust >= 2).length;
  let written = 0;
  for (const { agentSession, one } of found.toSorted((a, b) => likelihood(b) - likelihood(a))) {
    if (written >= left) break;
    // What was said twice is no evidence here: people repeat requests, too.
    const words = plainWords(one.text);
    const isKnown = [...run.notes.values()].some(
      (other) =>
        other.kind !== 'summary' && (wordsOf(other).includes(words) || words.includes(wordsOf(other))),
    );
    if (!isKnown && (await applyProposal(run, one, agentSession))) written += 1;
  }
  return written;
}

const likelihood = ({ one: { probability = 0 } }: UncertainProposal): number => probability;

const idOf = (agentSession: string, { kind, turn, text }: Proposal): string =>
  kind === 'summary' ? summaryNoteId(agentSession) : extractedNoteId(agentSession, `${turn} ${text}`);

async function applyProposal(run: DistilRun, proposal: Proposal, agentSession: string): Promise<boolean> {
  const { parts, notes } = run;
  const id = idOf(agentSession, proposal);
  const known = notes.get(id);
  const isPerhapsCopied =
    known === undefined &&
    proposal.kind !== 'summary' &&
    isSettled(proposal) &&
    (await run.repositoryFileWith(proposal.text, proposal.at)) !== undefined;
  const note = toNote(parts, id, isPerhapsCopied ? { ...proposal, isWeak: true } : proposal);
  if (await isBuried(run, note, proposal.turn, agentSession)) return false;
  if (known !== undefined) return proposal.kind === 'summary' && renewSummary(run, known, note, agentSession);
  if (await wasDeleted(run, id)) return false;
  // Looks for a note that says the same. Notes from a repository or a team are left out: they follow their own source,
  // and this session is no evidence for them.
  const same = findSame(
    note,
    [...notes.values()].filter((other) => !isForeign(other)),
  );
  if (same !== undefined) return recordRepetition(run, same, note);
  if (findClosed(note, [...notes.values()]) !== undefined) return false;
  // The agent may have saved it during this run.
  const current = await parts.notes.list();
  if (current.some((other) => quotesSentence(other, note)) || findSame(note, current) !== undefined)
    return false;
  await saveNote(parts, note, 'create');
  notes.set(id, note);
  run.written.add(id);
  return true;
}

/** According to the log the note was created, but its file is missing, so the user deleted it. */
export async function wasDeleted({ index }: Pick<DistilRun, 'index'>, id: string): Promise<boolean> {
  const created = hashId('note', id, '1', 'create');
  return (await index.events([created])).get(created)?.state === 'live';
}

/** Replaces the earlier account in the summary of the session. What it said about earlier turns stays. */
export async function saveAccount(
  run: DistilRun,
  session: SessionTurns,
  account: ModelAnswer['account'],
): Promise<void> {
  const id = summaryNoteId(session.agentSession);
  const known = run.notes.get(id);
  if (account === undefined) return;
  const before = modelTurns(known?.text ?? '');
  for (const { turn, ...told } of account.turns) before.set(turn, told);
  const lines = accountLines({ ...account, turns: [...before].map(([turn, told]) => ({ turn, ...told })) });
  for (const proposal of summaryOf(session, true)) {
    const text = withAccount(known?.text ?? proposal.text, lines);
    const evidence = [...new Set([...(known?.derivedFrom ?? proposal.evidence), ...account.evidence])];
    await applyProposal(run, { ...proposal, text, evidence }, session.agentSession);
  }
}

/** Skips the change if the user edited, rejected or forgot the note since the drain began. */
async function revise(
  run: DistilRun,
  old: Note,
  changes: Partial<Note>,
  action: NoteAction,
): Promise<boolean> {
  const { parts, notes } = run;
  if (!isDeepStrictEqual(await parts.notes.get(old.id), old)) return false;
  const revised = reviseNote(parts, old, changes);
  await saveNote(parts, revised, action);
  notes.set(old.id, revised);
  run.written.add(old.id);
  return true;
}

const isAsWritten = async ({ written, parts, index }: DistilRun, note: Note): Promise<boolean> =>
  written.has(note.id) || isUntouched(parts.log, index, note);

/** Whether the user rejected or forgot this note, its text, or a part of the turn that it is from. */
export async function isBuried(
  { index, device }: DistilRun,
  note: Note,
  turn: string,
  agentSession: string,
): Promise<boolean> {
  // A summary covers the whole session; forgotten turns have already been left out of it.
  const ofTurn = note.kind === 'summary' ? [] : [turnHash(device, agentSession, turn)];
  if (await index.isTombstoned(noteHash(device, note.id), textHash(device, note.text), ...ofTurn))
    return true;
  const sources = await index.events(note.derivedFrom);
  return [...sources.values()].some(({ state }) => state === 'forgotten');
}

/** Others wait until they are said so that they need no review, or reviewed. A summary states nothing that could be approved. */
const isSettled = ({ kind, trust, isWeak }: Proposal): boolean =>
  kind === 'summary' || (trust >= 2 && isWeak !== true);

function toNote(parts: NoteParts, id: string, proposal: Proposal): Note {
  const text = parts.redactor.redact(proposal.text);
  const { kind, trust, files } = proposal;
  const redacted = (words: string | undefined, name: 'quote' | 'proposal') =>
    words === undefined ? {} : { [name]: parts.redactor.redact(words) };
  return freshNote(isoTime(proposal.at), {
    ...redacted(proposal.quote, 'quote'),
    ...redacted(proposal.proposal, 'proposal'),
    id,
    kind,
    title: titleOf(text),
    state: isSettled(proposal) ? 'active' : 'candidate',
    trust,
    files,
    author: distilAuthor,
    derivedFrom: proposal.evidence,
    text,
  });
}

/**
 * The session has continued. A summary that the user edited or pinned stays unchanged. It is written anew each time, so
 * it no longer rests on what an earlier version quoted.
 */
async function renewSummary(
  run: DistilRun,
  known: Note,
  given: Note,
  agentSession: string,
): Promise<boolean> {
  const fresh = await keepAccount(run, known, given, agentSession);
  const mayChange = known.author === distilAuthor && !known.pinned && known.state !== 'archived';
  if (!mayChange || known.text.trim() === fresh.text.trim() || !(await isAsWritten(run, known))) return false;
  const { text, title, trust, files, derivedFrom, updated } = fresh;
  return revise(run, known, { text, title, trust, files, derivedFrom, updated }, 'edit');
}

/** The account of a model stays until the next one, unless something of the session was forgotten, which it may repeat. */
async function keepAccount(
  { index, device }: DistilRun,
  known: Note,
  fresh: Note,
  agentSession: string,
): Promise<Note> {
  const account = accountIn(known.text);
  const isNew = account.length === 0 || accountIn(fresh.text).length > 0;
  if (isNew || (await index.isTombstoned(sessionHash(device, agentSession)))) return fresh;
  const derivedFrom = [...new Set([...fresh.derivedFrom, ...known.derivedFrom])];
  return { ...fresh, text: withAccount(fresh.text, account), derivedFrom };
}

async function recordRepetition(run: DistilRun, same: Note, again: Note): Promise<boolean> {
  // A note that the user wrote or accepted gets no further source: if that source were forgotten, the note would be
  // deleted with it.
  const isUsers = same.author !== distilAuthor && same.trust >= 2;
  if (isUsers || (same.author === distilAuthor && !(await isAsWritten(run, same)))) return false;
  const changes = addEvidence(same, again);
  return changes !== undefined && revise(run, same, { ...changes, updated: again.updated }, 'repeat');
}
