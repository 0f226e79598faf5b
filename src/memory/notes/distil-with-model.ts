import { isDeepStrictEqual } from 'node:util';
import { isoDay } from '../../base/clock.ts';
import { randomHex } from '../../base/ids.ts';
import { isUnanswered, type SessionTurns } from '../../distil/distiller.ts';
import { distilInstructions, distilMaxTokens } from '../../distil/model-instructions.ts';
import { writeRecord } from '../../distil/session-record.ts';
import { readAnswer } from '../../distil/with-model.ts';
import type { Note } from '../../domain/note.ts';
import type { WriteRequest } from '../../models/write.ts';
import { catchUp } from '../../recall/catch-up.ts';
import { summaryNoteId } from '../../recall/extracted-note-id.ts';
import { quickLimits, withIndex } from '../../recall/with-index.ts';
import { attemptsBySession, type SessionAttempts } from '../../spend/session-attempts.ts';
import type { LogIndex, SessionState } from '../../store/store.ts';
import { accountIn } from '../../text/session-account.ts';
import { drainLimits, renderPrelude } from '../drain.ts';
import { activationOfProject } from '../projects/activation.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectRedactor } from '../redact/project-redactor.ts';
import { readSessionTurns } from '../sessions/session-turns.ts';
import { waitForWriter } from '../wait-for-writer.ts';
import {
  applyConfirmations,
  type ConfirmRequest,
  confirmRequest,
  isUnconfirmed,
} from './confirm-statements.ts';
import { distilAuthor } from './distil-mark.ts';
import { openDistilRun, saveAccount, withoutForgotten } from './distil-sessions.ts';
import { knownStatements } from './known-statements.ts';
import { type LearnRun, readRuns } from './learning-runs.ts';
import { type Consent, consentOf, coversNote } from './model-consent.ts';
import { saveModelStatements } from './model-statements.ts';
import { notePartsOf } from './note-parts.ts';
import {
  type PendingAnswer,
  readPending,
  recordOf,
  referencesOf,
  removePending,
  savePending,
} from './pending-answer.ts';

/**
 * Sends idle agent sessions to the model that the user chose, each part once. A second call confirms the statements that
 * were saved from each session, by this model or by the agent. The writer lock is not held during the
 * calls; it is taken afterwards to write the notes. The ledger records what was sent and survives a rebuild of
 * the index, so nothing is paid for twice.
 */
export interface ModelExtractionOptions {
  /** True if the user started this run. Then sessions whose last call failed are tried again. */
  retries?: boolean;
  /** No call starts after this time; the last one may run longer. */
  beginWithinMs?: number;
  /** The past sessions that a person lets the model read, newest first, under a cap of their own. */
  run?: LearnRun;
  signal?: AbortSignal;
  onSession?(report: ModelExtractionReport): void;
}

export interface ModelExtractionReport {
  asked: number;
  notes: number;
  confirmed: number;
  failed: number;
  refused?: string;
}

const idleMs = 10 * 60_000;
/** Hooks that no agent waits for may record the last answer this long after the end of the session. */
const lateMs = 30_000;
/** Minimum number of characters to send of a session. A model call for less text is not worth its price. */
const minTextLength = 200;

export async function distilWithModel(
  parts: OpenProject,
  options: ModelExtractionOptions = {},
): Promise<ModelExtractionReport> {
  const report: ModelExtractionReport = { asked: 0, notes: 0, confirmed: 0, failed: 0 };
  const { write: ask, modelCalls } = parts;
  if (ask === undefined || modelCalls === undefined) return report;
  const activation = activationOfProject(parts);
  if (!activation.on || activation.config.distil === 'off') return report;
  const started = parts.clock.now();
  const { run, signal } = options;
  const isInTime = () =>
    signal?.aborted !== true &&
    (run !== undefined || parts.clock.now() - started <= (options.beginWithinMs ?? drainLimits.maxMs));
  const ofRun = run === undefined ? {} : { run: run.id };
  /** Returns how many notes the answer changed, undefined if the call failed, or why it was refused. */
  const call = async (
    kind: 'distil' | 'confirm',
    { agentSession, until }: { agentSession: string; until: number },
    request: Pick<WriteRequest, 'isStillWanted' | 'instructions' | 'data' | 'maxTokens'>,
    about: Pick<PendingAnswer, 'items' | 'entries' | 'statements'>,
    store: (answer: string) => Promise<number | undefined>,
  ) => {
    const outcome = await ask(
      {
        ...request,
        purpose: { kind, project: parts.project, agentSession, until, ...ofRun },
        onAnswer: (text, attempt) => savePending(parts, { agentSession, attempt, text, ...ofRun, ...about }),
        ...(options.retries === true ? { isUrgent: true } : {}),
        ...(run === undefined ? {} : { cap: run }),
      },
      signal,
    );
    if (outcome.kind === 'refused') return outcome;
    const changed = outcome.kind === 'written' ? await store(outcome.text) : undefined;
    if (changed === undefined) report.failed += 1;
    else stored(parts, outcome.attempt, changed);
    return changed;
  };
  const seen = new Set<string>();
  const confirmed = new Set<string>();
  /** Confirms statements that wait, of one session or of all. Returns why it stopped, if a call was refused. */
  const confirmWaiting = async (only?: string): Promise<string | undefined> => {
    while (isInTime()) {
      const next = await nextConfirmation(parts, confirmed, options, only);
      if (next === undefined) return undefined;
      confirmed.add(next.agentSession);
      const { items, ...request } = next.request;
      const changed = await call(
        'confirm',
        next,
        { ...request, isStillWanted: isInTime },
        { items },
        (answer) => confirm(parts, next, answer, run),
      );
      if (typeof changed !== 'object') report.confirmed += changed ?? 0;
      else if (changed.isTooLarge !== true) return isInTime() ? changed.why : undefined;
    }
    return undefined;
  };
  report.notes += await applyPending(parts);
  // A run that was killed may have left statements of its last session unconfirmed.
  const stopped = run === undefined ? undefined : await confirmWaiting();
  if (stopped !== undefined) return { ...report, refused: stopped };
  let failures = 0;
  while (isInTime()) {
    const next = await nextSession(parts, seen, options);
    if (next === undefined) break;
    seen.add(next.agentSession);
    // Whether the session still has to be sent. This is checked again just before the call, because choosing a session
    // and waiting for the lock may take seconds.
    const isStillWanted = () =>
      isInTime() && isDeepStrictEqual(knownOf(parts).get(next.agentSession), next.known);
    const request = {
      isStillWanted,
      instructions: distilInstructions,
      data: next.sent.text,
      maxTokens: distilMaxTokens,
    };
    const kept = await call('distil', next, request, referencesOf(next.sent), (answer) =>
      keep(parts, next, answer, run),
    );
    if (typeof kept === 'object') {
      if (kept.isTooLarge === true) report.failed += 1;
      else if (isStillWanted()) return { ...report, refused: kept.why };
      continue;
    }
    report.asked += 1;
    report.notes += kept ?? 0;
    failures = kept === undefined ? failures + 1 : 0;
    if (run === undefined) continue;
    // The later sessions are confirmed before the model reads earlier ones, because what they say wins.
    const refused = kept === undefined ? undefined : await confirmWaiting(next.agentSession);
    options.onSession?.(report);
    if (refused !== undefined) return { ...report, refused };
    if (failures === maxFailures) return { ...report, refused: `${maxFailures} calls in a row failed` };
  }
  const refused = await confirmWaiting();
  return refused === undefined ? report : { ...report, refused };
}

function stored(parts: OpenProject, attempt: string, notes: number): void {
  parts.modelCalls?.ledger.keep(attempt, notes);
  removePending(parts);
}

/** Applies the answer that a killed process has received, and returns how many notes changed. */
async function applyPending(parts: OpenProject): Promise<number> {
  const pending = readPending(parts);
  if (pending === undefined) return 0;
  const { agentSession, attempt, text, items } = pending;
  const run = readRuns(parts.paths.project(parts.project)).find(({ id }) => id === pending.run);
  const turns = await withIndex(parts, quickLimits, async (index) =>
    index === undefined ? undefined : coveredTurns(parts, index, agentSession, consentOf(parts)),
  );
  const changed =
    turns === undefined || run?.undoneAt !== undefined
      ? undefined
      : items === undefined
        ? await keep(parts, { agentSession, turns, sent: recordOf(pending, turns.turns) }, text, run)
        : await confirm(parts, { request: { items }, turns }, text, run);
  if (changed === undefined) removePending(parts);
  else stored(parts, attempt, changed);
  return changed ?? 0;
}

export async function coveredTurns(
  { device, log }: OpenProject,
  index: LogIndex,
  agentSession: string,
  { covers }: Consent,
): Promise<SessionTurns> {
  const whole = await withoutForgotten({ index, device }, await readSessionTurns(log, index, agentSession));
  return { ...whole, turns: whole.turns.filter(({ at }) => covers({ agentSession, at })) };
}

/** How many calls of a run may fail in a row before it stops. */
const maxFailures = 3;

/** What the ledger says about each session. What a person took back counts as not read. */
export function knownOf(
  { modelCalls, project, paths }: OpenProject,
  kind: 'distil' | 'confirm' = 'distil',
): Map<string, SessionAttempts> {
  const undone = new Set(
    readRuns(paths.project(project)).flatMap(({ id, undoneAt }) => (undoneAt === undefined ? [] : [id])),
  );
  const attempts = modelCalls?.ledger.read().attempts ?? [];
  return attemptsBySession(
    attempts.filter(({ purpose }) => !undone.has(purpose.run ?? '')),
    project,
    kind,
  );
}

type PreparedSession = NonNullable<Awaited<ReturnType<typeof prepareSession>>>;

/** Which sessions a call may be about: those of a run, or else those that went on after the consent. */
const mayAsk =
  (
    { run, retries = false }: ModelExtractionOptions,
    { since }: Consent,
    known: Map<string, SessionAttempts>,
  ) =>
  (state: SessionState): boolean =>
    (run === undefined ? state.last > since : run.sessions.includes(state.agentSession)) &&
    isWanted(state, known.get(state.agentSession), retries);

/** Returns the session that has waited longest for extraction, or the newest of a run. */
async function nextSession(
  parts: OpenProject,
  seen: ReadonlySet<string>,
  options: ModelExtractionOptions,
): Promise<PreparedSession | undefined> {
  const consent = consentOf(parts);
  const known = knownOf(parts);
  return withIndex(parts, quickLimits, async (index) => {
    if (index === undefined) return undefined;
    const newestFirst = (await index.sessionStates())
      .filter(mayAsk(options, consent, known))
      .filter(({ agentSession }) => !seen.has(agentSession));
    for (const state of options.run === undefined ? newestFirst.toReversed() : newestFirst) {
      if (!(await isIdle(parts, index, state))) continue;
      const prepared = await prepareSession(parts, index, state, {
        known: known.get(state.agentSession),
        consent,
      });
      if (prepared !== undefined) return prepared;
    }
    return undefined;
  });
}

/** After a failure it is not tried again automatically, unless the session has continued since. */
function isWanted({ last }: SessionState, known: SessionAttempts | undefined, retries: boolean): boolean {
  if (known === undefined) return true;
  if (last <= known.doneUntil) return false;
  return known.failed === undefined || retries || known.failed.until < last;
}

/** A call after every turn would cost as much as the agent's work itself. */
export async function isIdle(
  parts: Pick<OpenProject, 'clock'>,
  index: LogIndex,
  { agentSession, last }: Pick<SessionState, 'agentSession' | 'last'>,
): Promise<boolean> {
  if (parts.clock.now() - last >= idleMs) return true;
  const edge = (await index.steps({ agentSession, kinds: ['session'] })).at(-1);
  return edge?.kind === 'session' && edge.phase === 'end' && edge.at >= last - lateMs;
}

/**
 * Undefined if there is nothing to send. `turns` are all since the user's consent; `sent` has only those that were not
 * sent before.
 */
export async function prepareSession(
  parts: OpenProject,
  index: LogIndex,
  { agentSession, last }: SessionState,
  { known, consent }: { known: SessionAttempts | undefined; consent: Consent },
) {
  const turns = await coveredTurns(parts, index, agentSession, consent);
  // It may be recorded after the end of the session, with a time before the end; a call made now would never see it.
  if (parts.clock.now() - last < idleMs && isUnanswered(turns.turns)) return undefined;
  const news = { ...turns, turns: turns.turns.filter(({ at }) => at > (known?.doneUntil ?? 0)) };
  if (!news.turns.some(({ prompt }) => prompt !== undefined)) return undefined;
  const statements = await knownStatements(parts.notes, index, {
    turns: turns.turns,
    until: last,
    consent,
  });
  const summary = await parts.notes.get(summaryNoteId(agentSession));
  const mayTell =
    summary !== undefined && coversNote(consent, summary, await index.events(summary.derivedFrom));
  const account = mayTell ? accountIn(summary.text) : [];
  const record = writeRecord(news, randomHex(8), statements, isoDay(last), account);
  const length = [...record.entries.values()].reduce((sum, { text }) => sum + text.length, 0);
  if (length < minTextLength) return undefined;
  const sent = { ...record, text: projectRedactor(parts).redact(record.text) };
  return { agentSession, known, until: last, turns, sent };
}

/** Returns how many notes are new; undefined if the answer is invalid or the writer lock was not free. */
async function keep(
  parts: OpenProject,
  { agentSession, turns, sent }: Pick<PreparedSession, 'agentSession' | 'turns' | 'sent'>,
  answer: string,
  run: LearnRun | undefined,
): Promise<number | undefined> {
  const read = readAnswer(answer, sent, turns);
  if (read === undefined) return undefined;
  return writeNotes(parts, async (index) => {
    // The user made Backstory forget a part of the sent text during the call, and the answer may repeat it. So it is
    // discarded.
    if (await hasForgotten(parts, index, { turns, sent })) return 0;
    const opened = await openDistilRun(parts, index);
    const learning = run === undefined ? opened : { ...opened, learnedIn: run.id };
    await saveAccount(learning, turns, read.account);
    return saveModelStatements(learning, agentSession, read.statements);
  });
}

/** Undefined if the writer lock was not free. */
async function writeNotes(
  parts: OpenProject,
  change: (index: LogIndex) => Promise<number | undefined>,
): Promise<number | undefined> {
  const writing = await waitForWriter(parts, lockWaitMs);
  if (writing === undefined) return undefined;
  try {
    const { index } = writing;
    const bounds = { maxBytes: drainLimits.maxBytes };
    await catchUp(parts, index, bounds);
    const changed = await change(index);
    if (changed !== undefined && changed > 0) await catchUp(parts, index, bounds);
    await renderPrelude(parts, index);
    return changed;
  } finally {
    await writing.close();
  }
}

async function nextConfirmation(
  parts: OpenProject,
  seen: ReadonlySet<string>,
  options: ModelExtractionOptions,
  only?: string,
) {
  // A run reads whole sessions, so it does not judge what was extracted from them without a model.
  const isJudged = ({ learnedIn, author }: Note): boolean =>
    options.run === undefined || learnedIn !== undefined || author !== distilAuthor;
  const notes = (await parts.notes.list()).filter((note) => !isUnconfirmed(note) || isJudged(note));
  const waiting = notes.filter(isUnconfirmed);
  if (waiting.length === 0) return undefined;
  const consent = consentOf(parts);
  // A model may leave an item out. It is asked again only if the user requests it or the session continues.
  const isRequested = options.retries === true && options.run === undefined;
  const known = isRequested ? new Map<string, SessionAttempts>() : knownOf(parts, 'confirm');
  return withIndex(parts, quickLimits, async (index) => {
    if (index === undefined) return undefined;
    const sources = await index.events([...new Set(waiting.flatMap(({ derivedFrom }) => derivedFrom))]);
    const sessions = new Set([...sources.values()].map(({ agentSession }) => agentSession));
    for (const state of (await index.sessionStates()).filter(mayAsk(options, consent, known))) {
      const { agentSession, last } = state;
      if (!sessions.has(agentSession) || seen.has(agentSession) || agentSession !== (only ?? agentSession))
        continue;
      if (!(await isIdle(parts, index, state))) continue;
      const turns = await coveredTurns(parts, index, agentSession, consent);
      const earlier = await knownStatements(parts.notes, index, {
        turns: turns.turns,
        until: last,
        consent,
      });
      const mayShow = new Map(earlier.map((one) => [one.note, one.text]));
      const covered = notes.filter((note) => !isUnconfirmed(note) || coversNote(consent, note, sources));
      const request = confirmRequest(covered, turns, mayShow, projectRedactor(parts).redact);
      if (request !== undefined) return { agentSession, until: last, request, turns };
    }
    return undefined;
  });
}

/** Applies the confirmations and returns how many notes changed; undefined as for `keep`. */
const confirm = (
  parts: OpenProject,
  { request, turns }: { request: Pick<ConfirmRequest, 'items'>; turns: SessionTurns },
  answer: string,
  run: LearnRun | undefined,
): Promise<number | undefined> =>
  writeNotes(parts, async (index) => {
    const still = await withoutForgotten({ index, device: parts.device }, turns);
    if (still.turns.length < turns.turns.length) return 0;
    return applyConfirmations(notePartsOf(parts), request, answer, run?.id);
  });

async function hasForgotten(
  { device }: OpenProject,
  index: LogIndex,
  { turns, sent }: Pick<PreparedSession, 'turns' | 'sent'>,
): Promise<boolean> {
  const rows = await index.events([...sent.entries.values()].map(({ event }) => event));
  if ([...rows.values()].some(({ state }) => state === 'forgotten')) return true;
  return (await withoutForgotten({ index, device }, turns)).turns.length < turns.turns.length;
}

/** Longer than any background run holds the lock, because an answer that cannot be written is paid for and lost. */
export const lockWaitMs = drainLimits.maxMs + 10_000;
