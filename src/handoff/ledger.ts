import { hashId } from '../base/hash.ts';
import { type AgentName, type EventEnvelope, isAcceptedPlan } from '../domain/event.ts';
import type { WorkSession } from '../domain/work-session.ts';
import type { LogPosition, LogRecord } from '../store/events/event-log.ts';
import { harmlessLine } from '../text/fence.ts';

/**
 * The work sessions of a project. A work session lets work stop in one agent and continue in another. Work sessions are
 * derived from the event log and not stored, so two processes never disagree about them and they cannot be lost while
 * the log exists.
 */
export interface Ledger {
  position: LogPosition;
  sessions: Map<string, WorkSession>;
  /** For each agent session: the work sessions it belonged to, and from when on. '' stands for none. */
  memberships: Map<string, Membership[]>;
  /** For each agent process: the last agent session that ran in it. */
  clients: Map<number, Client>;
}

export interface Membership {
  from: number;
  session: string;
}

export interface Client {
  agent: AgentName;
  agentSession: string;
}

export const emptyLedger = (): Ledger => ({
  position: {},
  sessions: new Map(),
  memberships: new Map(),
  clients: new Map(),
});

/** Events that belong to a work session. Other kinds are bookkeeping. */
const kindsOfWork: EventEnvelope['kind'][] = [
  'prompt',
  'answer',
  'edit',
  'command',
  'read',
  'served',
  'tool',
  'compaction',
];
/** Branches on which unrelated tasks follow each other. A work session on one of them ends sooner. */
const sharedBranches = ['main', 'master', 'trunk', 'develop', 'dev', ''];
const hourMs = 60 * 60 * 1000;
const maxIdleOnSharedBranchMs = 12 * hourMs;
const maxIdleMs = 14 * 24 * hourMs;

export function applyRecord(ledger: Ledger, record: LogRecord): void {
  if (record.entry.kind !== 'event') return;
  const { event } = record.entry;
  if (event.kind !== 'work' && event.clientPid > 0 && event.agentSession !== '')
    ledger.clients.set(event.clientPid, { agent: event.agent, agentSession: event.agentSession });
  if (event.kind === 'work') applyStep(ledger, event);
  else if (kindsOfWork.includes(event.kind) && event.agentSession !== '') applyWork(ledger, event, record);
}

function applyWork(ledger: Ledger, event: EventEnvelope, { file, offset, end }: LogRecord): void {
  const at = timeOf(event);
  const isUserPrompt =
    event.kind === 'prompt' &&
    (event.trust >= 2 || isAcceptedPlan(event)) &&
    event.body.subagent === undefined &&
    event.body.asked === undefined;
  const joined = sessionAt(ledger, event.agentSession, at);
  const id = joined === '' && isUserPrompt ? joinOrCreate(ledger, event, at) : joined;
  const session = ledger.sessions.get(id);
  if (session === undefined) return;
  session.updatedAt = Math.max(session.updatedAt, at);
  session.baseCommit ||= event.head;
  if (!session.agents.includes(event.agent)) session.agents.push(event.agent);
  if (isUserPrompt && !session.isDeclared && isWeakGoal(session.goal)) session.goal = goalOf(event.body.text);
  const last = session.spans.findLast(
    (span) => span.agentSession === event.agentSession && span.file === file,
  );
  if (last === undefined)
    session.spans.push({ agentSession: event.agentSession, file, from: offset, to: end });
  else last.to = end;
}

/** By the time of the event: the drain may write a transcript's events after the session was closed. */
export function sessionAt({ memberships }: Ledger, agentSession: string, at: number): string {
  const entries = memberships.get(agentSession) ?? [];
  return (entries.findLast(({ from }) => from <= at) ?? entries[0])?.session ?? '';
}

function joinOrCreate(ledger: Ledger, event: Extract<EventEnvelope, { kind: 'prompt' }>, at: number): string {
  const goal = goalOf(event.body.text);
  const [found] = [...ledger.sessions.values()]
    .filter((session) => isContinuedBy(session, event, goal, at))
    .sort((a, b) => b.updatedAt - a.updatedAt);
  const id = found?.id ?? `session_${at}_${hashId('work', event.agentSession).slice(0, 4)}`;
  if (found === undefined) createSession(ledger, event, id, goal);
  else delete found.handedTo;
  join(ledger, event.agentSession, id, at);
  return id;
}

function isContinuedBy(session: WorkSession, event: EventEnvelope, goal: string, at: number): boolean {
  if (session.status !== 'open' || session.branch !== event.branch) return false;
  const isShared = sharedBranches.includes(session.branch);
  if (isShared && session.checkout !== event.checkout) return false;
  const idleMs = Math.abs(at - session.updatedAt);
  const { handedTo } = session;
  if (handedTo?.agent === event.agent && Math.abs(at - handedTo.at) <= maxIdleOnSharedBranchMs) return true;
  if (isSameGoal(session.goal, goal)) return idleMs <= maxIdleMs;
  if (isShared) return session.isDeclared && idleMs <= maxIdleOnSharedBranchMs;
  return idleMs <= maxIdleMs;
}

function applyStep(ledger: Ledger, event: Extract<EventEnvelope, { kind: 'work' }>): void {
  const { session: id, step, goal = '', status, to } = event.body;
  const at = timeOf(event);
  // The session id that the MCP server got at its start may be outdated: clearing the context starts another session
  // in the same process. So the session is looked up by process.
  const agentSession = ledger.clients.get(event.clientPid)?.agentSession ?? event.agentSession;
  const session =
    ledger.sessions.get(id) ??
    (step === 'open' ? renameImplicit(ledger, agentSession, id, at) : undefined) ??
    createSession(ledger, event, id, goal);
  session.updatedAt = Math.max(session.updatedAt, at);
  if (step === 'close') {
    session.status = status ?? 'resolved';
    delete session.handedTo;
    for (const [member, entries] of ledger.memberships)
      if (entries.at(-1)?.session === id) join(ledger, member, '', at);
    return;
  }
  if (to !== undefined) session.handedTo = { agent: to, at };
  if (step === 'snapshot') return;
  session.status = 'open';
  delete session.handedTo;
  if (step === 'open') {
    session.isDeclared = true;
    if (goal !== '') {
      session.goal = goal;
      session.goalBy = event.trust >= 2 ? 'user' : 'agent';
    }
  }
  if (agentSession !== '') join(ledger, agentSession, id, at);
}

/** If an agent opens a named work session, the unnamed one that began with its first prompt gets that name. */
function renameImplicit(
  ledger: Ledger,
  agentSession: string,
  id: string,
  at: number,
): WorkSession | undefined {
  const session = ledger.sessions.get(sessionAt(ledger, agentSession, at));
  if (session === undefined || session.isDeclared || session.status !== 'open') return undefined;
  if (session.spans.some((span) => span.agentSession !== agentSession)) return undefined;
  ledger.sessions.delete(session.id);
  for (const entries of ledger.memberships.values())
    for (const entry of entries) if (entry.session === session.id) entry.session = id;
  session.id = id;
  ledger.sessions.set(id, session);
  return session;
}

function createSession(ledger: Ledger, event: EventEnvelope, id: string, goal: string): WorkSession {
  const at = timeOf(event);
  const session: WorkSession = {
    id,
    goal,
    isDeclared: false,
    goalBy: event.trust >= 2 ? 'user' : 'agent',
    branch: event.branch,
    checkout: event.checkout,
    baseCommit: event.head,
    status: 'open',
    createdAt: at,
    updatedAt: at,
    agents: [],
    spans: [],
  };
  ledger.sessions.set(id, session);
  return session;
}

function join({ memberships }: Ledger, agentSession: string, session: string, from: number): void {
  const entries = memberships.get(agentSession) ?? [];
  if (entries.at(-1)?.session === session) return;
  entries.push({ from, session });
  memberships.set(agentSession, entries);
}

const timeOf = ({ at }: EventEnvelope): number => Date.parse(at) || 0;

const maxGoalLength = 240;

function goalOf(prompt: string): string {
  const line = prompt.split('\n').find((candidate) => /\p{L}/u.test(candidate)) ?? '';
  return harmlessLine(line.replace(/^[#>*\s-]+/, ''), maxGoalLength);
}

/** Prompts such as "go on" or "hi" do not say what the work is. */
const isWeakGoal = (goal: string): boolean => wordsOf(goal).length < 3 && !/[^\u0000-\u02ff]/.test(goal);

export const isSameGoal = (a: string, b: string): boolean =>
  !isWeakGoal(a) && wordsOf(a).join(' ') === wordsOf(b).join(' ');

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
