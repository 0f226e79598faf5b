import { isoTime, localDay } from '../../base/clock.ts';
import { randomHex } from '../../base/ids.ts';
import { confirmInstructions } from '../../distil/confirm.ts';
import { distilInstructions } from '../../distil/model-instructions.ts';
import { isExchange, type Note } from '../../domain/note.ts';
import { catchUp } from '../../recall/catch-up.ts';
import { summaryNoteId } from '../../recall/extracted-note-id.ts';
import { thoroughLimits, withIndex } from '../../recall/with-index.ts';
import { costOf, type Price } from '../../spend/budget.ts';
import { withAccount } from '../../text/session-account.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { drainLimits, renderPrelude } from '../drain.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { waitForWriter } from '../wait-for-writer.ts';
import { restoreClosedBy } from './closing.ts';
import { isUnconfirmed } from './confirm-statements.ts';
import { distilAuthor } from './distil-mark.ts';
import {
  distilWithModel,
  knownOf,
  lockWaitMs,
  type ModelExtractionReport,
  prepareSession,
} from './distil-with-model.ts';
import { type LearnRun, saveRun } from './learning-runs.ts';
import { everything } from './model-consent.ts';
import { isLive } from './note-lifecycle.ts';
import { notePartsOf } from './note-parts.ts';
import { reviseNote, saveNote } from './remember.ts';

/**
 * Learns from sessions that are older than the consent to a model. A person confirms the number of sessions and the
 * price of each run. The newest sessions are read first, so a run that is stopped early has learned the most useful
 * part, and what a later session says wins over an earlier one.
 */
export interface LearnChoice {
  since?: number;
  sessions?: number;
  /** Sessions that fit this number of tokens. */
  tokens?: number;
}

export interface LearnPlan {
  /** Newest first, without those that a model has read. */
  sessions: { agentSession: string; last: number; tokens: number }[];
  /** The cap of the run: what it costs at most. */
  tokens: number;
  usd: number;
}

export const periodOf = ({ sessions }: LearnPlan): string =>
  [sessions.at(-1), sessions[0]].map((session) => localDay(session?.last ?? 0)).join(' to ');

/** Tokens that a model writes about one session, in both calls. */
const answerTokens = 1_500;
/** Tokens of the statements that the second call compares. */
const comparedTokens = 1_500;
/** How much the real price may be above the estimate, because the provider's tokenizer is not known. */
const margin = 1.3;
/** A call is refused if its highest possible price does not fit any more. So there must be room for one such call. */
const lastCallTokens = 40_000;

export async function planLearning(
  parts: OpenProject,
  { since = 0, sessions = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY }: LearnChoice,
  { overheadTokens, price }: { overheadTokens: number; price: Price },
): Promise<LearnPlan> {
  const known = knownOf(parts);
  const fixed =
    estimateTokens(distilInstructions) +
    estimateTokens(confirmInstructions) +
    comparedTokens +
    2 * overheadTokens;
  const unconfirmed = (await parts.notes.list()).filter((note) => note.learnedIn && isUnconfirmed(note));
  const compared = knownOf(parts, 'confirm');
  const planned: LearnPlan['sessions'] = [];
  let [input, output] = [0, 0];
  await withIndex(parts, thoroughLimits, async (index) => {
    const sources = await index?.events(unconfirmed.flatMap(({ derivedFrom }) => derivedFrom));
    const left = new Set([...(sources?.values() ?? [])].map(({ agentSession }) => agentSession));
    for (const state of (await index?.sessionStates()) ?? []) {
      if (index === undefined || state.last < since || planned.length >= sessions) break;
      const attempts = known.get(state.agentSession);
      const isRead = attempts !== undefined && state.last <= attempts.doneUntil;
      // A run was killed between the two calls.
      const isLeft =
        left.has(state.agentSession) && state.last > (compared.get(state.agentSession)?.doneUntil ?? 0);
      if (isRead && !isLeft) continue;
      const prepared = isRead
        ? undefined
        : await prepareSession(parts, index, state, { known: attempts, consent: everything });
      if (prepared === undefined && !isRead) continue;
      const cost = Math.ceil((fixed + estimateTokens(prepared?.sent.text ?? '')) * margin);
      if (input + cost + output + answerTokens + lastCallTokens > tokens) break;
      planned.push({ agentSession: state.agentSession, last: state.last, tokens: cost + answerTokens });
      input += cost;
      output += answerTokens;
    }
  });
  const lastCall = { input: lastCallTokens * 0.7, output: lastCallTokens * 0.3 };
  return {
    sessions: planned,
    tokens: planned.length === 0 ? 0 : input + output + lastCallTokens,
    usd: planned.length === 0 ? 0 : costOf(input + lastCall.input, output + lastCall.output, price),
  };
}

/** Records what the person confirmed. Nothing may be read before. */
export function beginRun(
  { paths, project, clock }: OpenProject,
  { sessions, tokens, usd }: LearnPlan,
  by: LearnRun['by'],
): LearnRun {
  const run: LearnRun = {
    id: randomHex(4),
    at: isoTime(clock.now()),
    by,
    sessions: sessions.map(({ agentSession }) => agentSession),
    tokens,
    usd,
  };
  saveRun(paths.project(project), run);
  return run;
}

export const learn = (
  parts: OpenProject,
  run: LearnRun,
  options: { signal?: AbortSignal; onSession?(report: ModelExtractionReport): void } = {},
): Promise<ModelExtractionReport> => distilWithModel(parts, { ...options, run, retries: true });

/** The notes that a run has learned and that are told or wait. */
export const learnedIn = ({ id }: LearnRun, notes: Note[]): Note[] =>
  notes.filter((note) => note.learnedIn === id && isLive(note));

/**
 * Takes a run back: removes the statements that it wrote, unless a person has confirmed them, and its judgement of
 * others, which wait for review again. Returns how many notes changed; undefined if the notes could not be written.
 */
export async function undoRun(parts: OpenProject, run: LearnRun): Promise<number | undefined> {
  const writing = await waitForWriter(parts, lockWaitMs);
  if (writing === undefined) return undefined;
  try {
    // First, so that no process goes on with the run.
    saveRun(parts.paths.project(parts.project), { ...run, undoneAt: isoTime(parts.clock.now()) });
    const noteParts = notePartsOf(parts);
    const mine = (await parts.notes.list()).filter(
      (note) => note.learnedIn === run.id && note.confirmedBy !== 'person' && note.trust < 3 && !note.pinned,
    );
    const isWritten = ({ author, topic, quote }: Note): boolean =>
      run.by === 'agent' || (author === distilAuthor && (topic !== undefined || quote !== undefined));
    const written = mine.filter(isWritten);
    for (const { id } of written) await parts.notes.remove(id);
    await restoreClosedBy(noteParts, new Set(mine.map(({ id }) => id)), 'rejected');
    for (const note of mine.filter((one) => !isWritten(one))) {
      const { confirmedBy: _by, confirmedAt: _at, verdict: _verdict, learnedIn: _run, ...rest } = note;
      const isReading = note.quote !== undefined && !isExchange(note);
      const back = reviseNote(noteParts, rest, {
        state: 'candidate',
        ...(isReading ? { trust: 1 as const } : {}),
      });
      await saveNote(noteParts, back, 'confirm');
    }
    for (const session of run.sessions) {
      const summary = await parts.notes.get(summaryNoteId(session));
      const text = withAccount(summary?.text ?? '', []);
      if (summary !== undefined && text !== summary.text)
        await saveNote(noteParts, reviseNote(noteParts, summary, { text }), 'edit');
    }
    await catchUp(parts, writing.index, { maxBytes: drainLimits.maxBytes });
    await renderPrelude(parts, writing.index);
    return mine.length;
  } finally {
    await writing.close();
  }
}
