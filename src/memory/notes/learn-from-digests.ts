import { isoDay } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { hashId } from '../../base/hash.ts';
import type { Turn } from '../../distil/distiller.ts';
import { type Claim, proveStatement } from '../../distil/prove-statement.ts';
import { digestsOf } from '../../distil/session-digest.ts';
import type { KnownStatement } from '../../distil/session-record.ts';
import { quickLimits, thoroughLimits, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import type { LogIndex } from '../../store/store.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { textHash } from '../capture/event-writer.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectRedactor } from '../redact/project-redactor.ts';
import { readSessionExchanges, type SessionExchange } from '../sessions/session-exchanges.ts';
import { coveredTurns, isIdle } from './distil-with-model.ts';
import { knownStatements } from './known-statements.ts';
import type { LearnChoice, LearnPlan } from './learn.ts';
import { type LearnRun, readRuns, saveRun } from './learning-runs.ts';
import { everything } from './model-consent.ts';

export interface Digest {
  text: string;
  day: string;
  /** Of a session with several digests: which one this is, "2 of 3". */
  part?: string;
  isContinued: boolean;
  /** Number of sessions that come after this digest. */
  left: number;
  /** Statements that hold so far, or that the run found already, the closest first. */
  known: KnownStatement[];
}

/** The id under which a digest shows a prompt, and under which the agent quotes it. */
const promptIdOf = (agentSession: string, event: string): string =>
  `${sessionPart(agentSession)}-${event.slice(0, 6)}`;
const sessionPart = (agentSession: string): string => hashId(agentSession).slice(0, 4);

/** The runs in which a person lets the running agent read past sessions, oldest first. */
const agentRuns = ({ paths, project }: OpenProject): LearnRun[] =>
  readRuns(paths.project(project)).filter(({ by, undoneAt }) => by === 'agent' && undoneAt === undefined);

/** The newest sessions that the agent may not read yet and that have a digest. */
export async function planDigests(
  parts: OpenProject,
  { since = 0, sessions = Number.POSITIVE_INFINITY }: LearnChoice,
): Promise<LearnPlan> {
  const permitted = new Set(agentRuns(parts).flatMap((run) => run.sessions));
  const planned: LearnPlan['sessions'] = [];
  await withIndex(withoutMeaning(parts), thoroughLimits, async (index) => {
    for (const state of (await index?.sessionStates()) ?? []) {
      const { agentSession, last } = state;
      if (index === undefined || last < since || planned.length >= sessions) break;
      if (permitted.has(agentSession) || !(await isIdle(parts, index, state))) continue;
      const { digests } = await sessionDigests(parts, index, agentSession);
      const tokens = digests.reduce((sum, text) => sum + estimateTokens(text) + callTokens, 0);
      if (digests.length > 0) planned.push({ agentSession, last, tokens });
    }
  });
  return { sessions: planned, tokens: planned.reduce((sum, one) => sum + one.tokens, 0), usd: 0 };
}
/** Tokens of the known statements of a digest, and of the calls that save what was learned. */
const callTokens = 600;

async function sessionDigests(
  parts: OpenProject,
  index: LogIndex,
  agentSession: string,
): Promise<{ turns: Turn[]; digests: string[] }> {
  const session = await coveredTurns(parts, index, agentSession, everything);
  return { turns: session.turns, digests: digestsOf(session, (event) => promptIdOf(agentSession, event)) };
}

/** The next digest that was not given yet. Undefined if no session is permitted; `done` if all were given. */
export async function nextDigest(parts: OpenProject): Promise<Digest | 'done' | undefined> {
  const runs = agentRuns(parts);
  if (runs.length === 0) return undefined;
  const { redact } = projectRedactor(parts);
  return withIndex(withoutMeaning(parts), quickLimits, async (index) => {
    if (index === undefined)
      throw new AppError('INDEX_UNAVAILABLE', 'the memory is being indexed', {
        hint: 'Try again in a minute',
      });
    for (const run of runs) {
      let { sessions: read, digests: given } = run.given ?? { sessions: 0, digests: 0 };
      for (; read < run.sessions.length; read += 1, given = 0) {
        const { turns, digests } = await sessionDigests(parts, index, run.sessions[read] ?? '');
        const text = digests[given];
        if (text === undefined) continue;
        const isLast = given + 1 === digests.length;
        saveRun(parts.paths.project(parts.project), {
          ...run,
          given: isLast ? { sessions: read + 1, digests: 0 } : { sessions: read, digests: given + 1 },
        });
        const until = turns.at(-1)?.at ?? 0;
        return {
          text: redact(text),
          day: isoDay(until),
          ...(digests.length === 1 ? {} : { part: `${given + 1} of ${digests.length}` }),
          isContinued: !isLast,
          left: run.sessions.length - read - 1,
          // The agent can recall every note, so nothing is left out.
          known: await knownStatements(parts.notes, index, {
            ...{ turns, until, learnedIn: run.id },
            consent: everything,
          }),
        };
      }
    }
    return 'done';
  });
}

/**
 * Proves a statement by the prompt with this id. Throws unless a person lets the agent read the session, the quote is in
 * that prompt, and the user has not rejected the statement.
 */
export async function provePast(parts: OpenProject, id: string, claim: Claim) {
  const { run, exchanges } = await findPrompt(parts, id);
  const proof = proveStatement(claim, exchanges);
  const said = exchanges[proof.exchange];
  if (said === undefined || said !== exchanges.at(-1))
    throw new AppError('INVALID_ARGUMENT', `the prompt ${id} does not have this quote`, {
      hint: 'Copy words that the user typed there, letter for letter. Pasted plans, lists and logs do not count',
    });
  const hash = textHash(parts.device, proof.text);
  if (await withIndex(withoutMeaning(parts), quickLimits, async (index) => index?.isTombstoned(hash)))
    throw new AppError('CONFLICT', 'the user rejected this statement', { hint: 'Leave it out' });
  return { run, said, proof };
}

/** Finds a prompt by the id in its digest, with the exchanges of its session up to it. */
async function findPrompt(
  parts: OpenProject,
  id: string,
): Promise<{ run: string; exchanges: SessionExchange[] }> {
  for (const { id: run, sessions } of agentRuns(parts))
    for (const session of sessions.filter((one) => id.startsWith(`${sessionPart(one)}-`))) {
      const exchanges = await readSessionExchanges(parts, session);
      const at = exchanges.findIndex(({ event }) => promptIdOf(session, event) === id);
      if (at !== -1) return { run, exchanges: exchanges.slice(0, at + 1) };
    }
  throw new AppError('INVALID_ARGUMENT', `no session that you may read has the prompt ${id.slice(0, 20)}`, {
    hint: 'Give the id before "the person says", or leave out `prompt`',
  });
}
