import { isDeepStrictEqual } from 'node:util';
import { randomHex } from '../../base/ids.ts';
import type { SessionTurns, Turn } from '../../distil/distiller.ts';
import { type SessionRecord, writeRecord } from '../../distil/session-record.ts';
import { distilInstructions, distilMaxTokens, readAnswer } from '../../distil/with-model.ts';
import { catchUp } from '../../recall/catch-up.ts';
import { quickLimits, withIndex } from '../../recall/with-index.ts';
import { type AskedSession, askedSessions } from '../../spend/asked-sessions.ts';
import type { LogIndex, SessionState } from '../../store/store.ts';
import { drainLimits, mayDistil, renderPrelude } from '../drain.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectRedactor } from '../redact/project-redactor.ts';
import { readRows, readSessionTurns } from '../sessions/session-turns.ts';
import { waitForWriter } from '../wait-for-writer.ts';
import { openDistilRun, settle, withoutForgotten } from './distil-sessions.ts';

/**
 * Asks the model the user chose about agent sessions that have come to rest, each once, and only about what is
 * new in it. Nobody waits for the model: the writer lock is free while it thinks, and is taken for a moment to
 * settle what it proposed, like any proposal. What was sent is known from the ledger, which no rebuild forgets,
 * so nothing is paid for twice.
 */
export interface AskOptions {
  /** The user asked for it: sessions that failed are tried again. */
  retries?: boolean;
  /** No call is begun later than this; the last one may take as long as a call may. */
  beginWithinMs?: number;
}

export interface AskReport {
  asked: number;
  notes: number;
  failed: number;
  /** Why it stopped before it was through. */
  refused?: string;
}

const idleMs = 10 * 60_000;
/** Characters. Less than this is hardly worth the price of asking. */
const minSaid = 200;

export async function distilWithModel(parts: OpenProject, options: AskOptions = {}): Promise<AskReport> {
  const report: AskReport = { asked: 0, notes: 0, failed: 0 };
  if (parts.write === undefined || parts.asking === undefined || !mayDistil(parts)) return report;
  const started = parts.clock.now();
  const isInTime = () => parts.clock.now() - started <= (options.beginWithinMs ?? drainLimits.maxMs);
  const seen = new Set<string>();
  while (isInTime()) {
    const next = await nextSession(parts, seen, options);
    if (next === undefined) break;
    seen.add(next.agentSession);
    // Asked again just before the call: to choose a session and to wait for one that died may have taken seconds.
    const isStillWanted = () =>
      isInTime() && isDeepStrictEqual(knownOf(parts).get(next.agentSession), next.known);
    const outcome = await parts.write({
      isStillWanted,
      instructions: distilInstructions,
      data: next.sent.text,
      maxTokens: distilMaxTokens,
      purpose: {
        kind: 'distil',
        project: parts.project,
        agentSession: next.agentSession,
        until: next.until,
      },
      ...(options.retries === true ? { isUrgent: true } : {}),
    });
    if (outcome.kind === 'refused' && outcome.isTooLarge === true) {
      report.failed += 1;
      continue;
    }
    if (outcome.kind === 'refused' && !isStillWanted()) continue;
    if (outcome.kind === 'refused') return { ...report, refused: outcome.why };
    report.asked += 1;
    const kept = outcome.kind === 'written' ? await keep(parts, next, outcome.text) : undefined;
    if (outcome.kind === 'written' && kept !== undefined) parts.asking.ledger.keep(outcome.attempt, kept);
    if (kept === undefined) report.failed += 1;
    else report.notes += kept;
  }
  return report;
}

/** When the user said yes. */
const sinceOf = ({ asking }: OpenProject): number => asking?.since ?? Number.POSITIVE_INFINITY;

const knownOf = ({ asking, project }: OpenProject): Map<string, AskedSession> =>
  askedSessions(asking?.ledger.read().attempts ?? [], project);

interface Asked {
  agentSession: string;
  /** What the ledger knew of it when it was chosen. */
  known: AskedSession | undefined;
  /** Of its newest event. */
  until: number;
  turns: SessionTurns;
  sent: SessionRecord;
}

/** The one that has waited longest. */
async function nextSession(
  parts: OpenProject,
  seen: ReadonlySet<string>,
  options: AskOptions,
): Promise<Asked | undefined> {
  const since = sinceOf(parts);
  const known = knownOf(parts);
  return withIndex(parts, quickLimits, async (index) => {
    if (index === undefined) return undefined;
    const states = (await index.sessionStates())
      .filter(({ agentSession, last }) => last > since && !seen.has(agentSession))
      .filter((state) => isWanted(state, known.get(state.agentSession), options.retries === true))
      .reverse();
    for (const state of states) {
      if (!(await isIdle(parts, index, state))) continue;
      const asked = await prepare(parts, index, state, known.get(state.agentSession));
      if (asked !== undefined) return asked;
    }
    return undefined;
  });
}

/** What failed is not tried again by itself, unless the session has gone on since. */
function isWanted({ last }: SessionState, known: AskedSession | undefined, retries: boolean): boolean {
  if (known === undefined) return true;
  if (last <= known.doneUntil) return false;
  return known.failed === undefined || retries || known.failed.until < last;
}

/** Ended, or left alone for a while: asking after every turn would cost as much as the work itself. */
async function isIdle(
  parts: OpenProject,
  index: LogIndex,
  { agentSession, last }: SessionState,
): Promise<boolean> {
  if (parts.clock.now() - last >= idleMs) return true;
  const edge = await index.sessionBoundary(agentSession);
  if (edge === undefined || edge.at < last) return false;
  const event = readRows(parts.log, [edge]).get(edge.id);
  return event?.kind === 'session' && event.body.phase === 'end';
}

async function prepare(
  parts: OpenProject,
  index: LogIndex,
  { agentSession, last }: SessionState,
  known: AskedSession | undefined,
): Promise<Asked | undefined> {
  const whole = await withoutForgotten(
    { index, device: parts.device },
    await readSessionTurns(parts.log, index, agentSession),
  );
  const consented = whole.turns.filter(({ at }) => at > sinceOf(parts));
  const turns = { ...whole, turns: consented.filter(({ at }) => at > (known?.doneUntil ?? 0)) };
  if (!turns.turns.some(({ prompt }) => prompt !== undefined)) return undefined;
  const noted = await notedOf(parts, consented);
  const record = writeRecord(turns, randomHex(8), noted);
  const said = [...record.entries.values()].reduce((sum, { text }) => sum + text.length, 0);
  if (said < minSaid) return undefined;
  const sent = { ...record, text: projectRedactor(parts).redact(record.text) };
  return { agentSession, known, until: last, turns, sent };
}

/**
 * What is known of these turns already, so that it is not said again in other words. A note that was drawn from
 * anything else as well may hold words from before the user said yes, and is not sent.
 */
async function notedOf({ notes }: OpenProject, consented: Turn[]): Promise<string[]> {
  const sendable = new Set(
    consented.flatMap(({ prompt, acts }) => [prompt?.event ?? '', ...acts.map(({ event }) => event)]),
  );
  return (await notes.list())
    .filter(({ kind, state }) => kind !== 'summary' && state !== 'archived')
    .filter(({ derivedFrom }) => derivedFrom.length > 0 && derivedFrom.every((id) => sendable.has(id)))
    .map(({ text }) => text.replace(/\s+/g, ' '));
}

/** How many notes came of it; undefined when it cannot be read, or nobody let us write. */
async function keep(
  parts: OpenProject,
  { agentSession, turns, sent }: Asked,
  answer: string,
): Promise<number | undefined> {
  const proposals = readAnswer(answer, turns, sent);
  if (proposals === undefined || proposals.length === 0) return proposals?.length;
  const writing = await waitForWriter(parts, lockWaitMs);
  if (writing === undefined) return undefined;
  try {
    const { index } = writing;
    const bounds = { maxBytes: drainLimits.maxBytes };
    await catchUp(parts, index, bounds);
    // Something of what was sent has been forgotten meanwhile: the answer may hold it.
    if (await hasForgotten(parts, index, { turns, sent })) return 0;
    const desk = await openDistilRun(parts, index);
    const written = await settle(desk, agentSession, proposals, 'model ');
    if (written > 0) await catchUp(parts, index, bounds);
    await renderPrelude(parts, index);
    return written;
  } finally {
    await writing.close();
  }
}

async function hasForgotten(
  { device }: OpenProject,
  index: LogIndex,
  { turns, sent }: Pick<Asked, 'turns' | 'sent'>,
): Promise<boolean> {
  const rows = await index.events([...sent.entries.values()].map(({ event }) => event));
  if ([...rows.values()].some(({ state }) => state === 'forgotten')) return true;
  return (await withoutForgotten({ index, device }, turns)).turns.length < turns.turns.length;
}

/** Longer than a drain may hold it: the answer is paid for, and lost when nobody lets us write. */
export const lockWaitMs = drainLimits.maxMs + 10_000;
