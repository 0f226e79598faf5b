import { hashId } from '../base/hash.ts';
import type { AgentName, EventEnvelope } from '../domain/event.ts';
import type { WorkSession } from '../domain/work-session.ts';
import type { LogPosition, LogRecord } from '../store/events/event-log.ts';
import { goalOf, isSameGoal, isWeakGoal } from './goal.ts';

/**
 * Where memory, git and code meet so that work can stop in one agent and go on in another. A work session is
 * not stored anywhere: which there are, and which events belong to each, is folded from the log. Two processes
 * can therefore never disagree about one, and nothing of it can be lost but with the log.
 */
export interface Ledger {
  position: LogPosition;
  sessions: Map<string, WorkSession>;
  /** By agent session: the work session it was in, from when on. '' stands for none. */
  memberships: Map<string, Membership[]>;
  /** By process: the agent session that last spoke through it. */
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

/** What counts as work; the rest is bookkeeping. */
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
/** On a branch that everything happens on, what began long ago is something else. */
const sharedBranches = ['main', 'master', 'trunk', 'develop', 'dev', ''];
const hourMs = 60 * 60 * 1000;
const sharedReachMs = 12 * hourMs;
const ownReachMs = 14 * 24 * hourMs;

export function foldRecord(ledger: Ledger, record: LogRecord): void {
  if (record.entry.kind !== 'event') return;
  const { event } = record.entry;
  if (event.kind !== 'work' && event.clientPid > 0 && event.agentSession !== '')
    ledger.clients.set(event.clientPid, { agent: event.agent, agentSession: event.agentSession });
  if (event.kind === 'work') foldStep(ledger, event);
  else if (kindsOfWork.includes(event.kind) && event.agentSession !== '') foldWork(ledger, event, record);
}

function foldWork(ledger: Ledger, event: EventEnvelope, { file, offset, end }: LogRecord): void {
  const at = timeOf(event);
  const own = event.kind === 'prompt' && event.trust >= 2 && event.body.subagent === undefined;
  const joined = sessionAt(ledger, event.agentSession, at);
  const id = joined === '' && own ? joinOrBegin(ledger, event, at) : joined;
  const session = ledger.sessions.get(id);
  if (session === undefined) return;
  session.updatedAt = Math.max(session.updatedAt, at);
  session.baseCommit ||= event.head;
  if (!session.agents.includes(event.agent)) session.agents.push(event.agent);
  if (own && !session.isDeclared && isWeakGoal(session.goal)) session.goal = goalOf(event.body.text);
  const last = session.spans.findLast(
    (span) => span.agentSession === event.agentSession && span.file === file,
  );
  if (last === undefined)
    session.spans.push({ agentSession: event.agentSession, file, from: offset, to: end });
  else last.to = end;
}

/**
 * By when it happened and not by when it was written: the transcript's account of a turn comes after the hook's,
 * and may come after the work session was closed.
 */
export function sessionAt({ memberships }: Ledger, agentSession: string, at: number): string {
  const entries = memberships.get(agentSession);
  if (entries === undefined) return '';
  return (
    (entries.length === 1 ? entries[0] : (entries.findLast(({ from }) => from <= at) ?? entries[0]))
      ?.session ?? ''
  );
}

/** An agent just starts working: in the work session that goes on here, or in a new one. */
function joinOrBegin(ledger: Ledger, event: Extract<EventEnvelope, { kind: 'prompt' }>, at: number): string {
  const goal = goalOf(event.body.text);
  const found = [...ledger.sessions.values()]
    .filter((session) => goesOnHere(session, event, goal, at))
    .reduce<WorkSession | undefined>(
      (best, session) => (best === undefined || session.updatedAt > best.updatedAt ? session : best),
      undefined,
    );
  const id = found?.id ?? `session_${at}_${hashId('work', event.agentSession).slice(0, 4)}`;
  if (found === undefined) begin(ledger, event, id, goal);
  else delete found.handedTo;
  join(ledger, event.agentSession, id, at);
  return id;
}

function goesOnHere(session: WorkSession, event: EventEnvelope, goal: string, at: number): boolean {
  if (session.status !== 'open' || session.branch !== event.branch) return false;
  const isShared = sharedBranches.includes(session.branch);
  if (isShared && session.checkout !== event.checkout) return false;
  const idleMs = Math.abs(at - session.updatedAt);
  const { handedTo } = session;
  if (handedTo?.agent === event.agent && Math.abs(at - handedTo.at) <= sharedReachMs) return true;
  if (isSameGoal(session.goal, goal)) return idleMs <= ownReachMs;
  if (isShared) return session.isDeclared && idleMs <= sharedReachMs;
  return idleMs <= ownReachMs;
}

function foldStep(ledger: Ledger, event: Extract<EventEnvelope, { kind: 'work' }>): void {
  const { session: id, step, goal = '', status, to } = event.body;
  const at = timeOf(event);
  // The server's own word may be old: an agent that clears its context begins another session in the same process.
  const agentSession = ledger.clients.get(event.clientPid)?.agentSession ?? event.agentSession;
  const session =
    ledger.sessions.get(id) ??
    (step === 'open' ? declared(ledger, agentSession, id, at) : undefined) ??
    begin(ledger, event, id, goal);
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

/** What an agent began and then gives a name is one work session, not two. */
function declared(ledger: Ledger, agentSession: string, id: string, at: number): WorkSession | undefined {
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

function begin(ledger: Ledger, event: EventEnvelope, id: string, goal: string): WorkSession {
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
