import { AppError } from '../base/errors.ts';
import { randomHex } from '../base/ids.ts';
import type { WorkSession, WorkStatus } from '../domain/work-session.ts';
import { harmlessLine } from '../text/fence.ts';
import { countActions, eventsOf } from './actions.ts';
import { isSameGoal, type Ledger, sessionAt } from './ledger.ts';
import { ledgerOf, recordStep, redactorOf, type WorkParts } from './work-parts.ts';

const maxGoalLength = 500;
/** The allowed form of a work session's id. Ids become part of folder names. */
const sessionId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

export function openSession(parts: WorkParts, wanted: { goal: string; id?: string }): WorkSession {
  const goal = harmlessLine(redactorOf(parts).redact(wanted.goal), maxGoalLength);
  if (wanted.id !== undefined && !sessionId.test(wanted.id)) {
    throw new AppError('INVALID_ARGUMENT', `${wanted.id.slice(0, 100)} is not a valid work session id`, {
      hint: 'Use up to 80 letters, digits, dots, dashes and underscores',
    });
  }
  const id = wanted.id ?? idFor(parts, ledgerOf(parts), goal);
  recordStep(parts, { session: id, step: 'open', ...(goal === '' ? {} : { goal }) });
  return findSession(ledgerOf(parts), id);
}

/** The open session with this goal on this branch; else the caller's own unnamed one; else a new one. */
function idFor(parts: WorkParts, ledger: Ledger, goal: string): string {
  const { place, project } = parts;
  const now = project.clock.now();
  const same = newestFirst(ledger).find(
    (session) =>
      session.status === 'open' && session.branch === place.branch && isSameGoal(session.goal, goal),
  );
  const own = ownSession(parts, ledger);
  if (same !== undefined) return same.id;
  return own?.status === 'open' && !own.isDeclared ? own.id : `session_${now}_${randomHex(2)}`;
}

export function closeSession(parts: WorkParts, id: string, status: Exclude<WorkStatus, 'open'>): WorkSession {
  findSession(ledgerOf(parts), id);
  recordStep(parts, { session: id, step: 'close', status });
  return findSession(ledgerOf(parts), id);
}

export const newestFirst = ({ sessions }: Ledger): WorkSession[] =>
  [...sessions.values()].sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));

export function findSession(ledger: Ledger, id: string): WorkSession {
  const session = ledger.sessions.get(id);
  if (session !== undefined) return session;
  throw new AppError('NOT_FOUND', `no work session has the id ${id.slice(0, 100)}`, {
    hint: 'The tool session_list lists the work sessions of this project',
  });
}

/** The work session of the calling process. Its hooks report its agent session. */
export function ownSession({ context, project }: WorkParts, ledger: Ledger): WorkSession | undefined {
  const agentSession = ledger.clients.get(context.clientPid)?.agentSession ?? context.agentSession;
  return ledger.sessions.get(sessionAt(ledger, agentSession, project.clock.now()));
}

/** The latest work session: of this checkout and branch, else of this checkout, else of the project. */
export function latestHere({ place }: Pick<WorkParts, 'place'>, ledger: Ledger): WorkSession | undefined {
  const all = newestFirst(ledger).filter(({ spans, isDeclared }) => spans.length > 0 || isDeclared);
  const here = all.filter(({ checkout }) => checkout === place.checkout);
  return here.find(({ branch }) => branch === place.branch) ?? here[0] ?? all[0];
}

export const actionLogSize = (parts: WorkParts, ledger: Ledger, session: WorkSession): number =>
  countActions(eventsOf(parts.project.log, ledger, session).events);
