import { AppError } from '../../base/errors.ts';
import type { AgentSessionFilter } from '../../domain/agent-session.ts';
import { type EventEnvelope, type EventKind, originOf, promptText } from '../../domain/event.ts';
import { sumUsage } from '../../domain/usage.ts';
import { describeSessions } from '../../recall/describe-sessions.ts';
import { memoStepOf } from '../../recall/memo-step-record.ts';
import {
  quickLimits,
  type RecallParts,
  thoroughLimits,
  withIndex,
  withoutMeaning,
} from '../../recall/with-index.ts';
import type { AgentSession } from '../../wire/answers/memory.ts';
import type { SessionEvent, SessionStory } from '../../wire/answers/sessions.ts';
import { readRows } from './session-turns.ts';

export function listAgentSessions(parts: RecallParts, filter: AgentSessionFilter, limit: number) {
  return withIndex(withoutMeaning(parts), quickLimits, async (index) => {
    const found = index?.sessions.list(filter, limit + 1) ?? [];
    const isInTime = filter.since !== undefined || filter.until !== undefined;
    const works = new Map(
      isInTime ? found.map(({ id }) => [id, index?.sessions.workIn(id, filter)] as const) : [],
    );
    return {
      sessions: await describeSessions(index, found.slice(0, limit)),
      workIn: (id: string) => works.get(id),
      total: index?.sessions.count(filter) ?? 0,
      hasMore: found.length > limit,
    };
  });
}

/** Resolves the prefix of a session id, as shown in answers, to the full id. */
export function agentSessionNamed(parts: RecallParts, name: string): Promise<string | undefined> {
  return withIndex(withoutMeaning(parts), thoroughLimits, async (index) => index?.sessions.find(name));
}

/** Resolves the abbreviated id of the session in a filter, as shown in results. */
export async function withSession<T extends { agentSession?: string }>(
  parts: RecallParts,
  filter: T,
): Promise<T> {
  if (filter.agentSession === undefined) return filter;
  const agentSession = await agentSessionNamed(parts, filter.agentSession);
  if (agentSession === undefined) throw noSuchSession(filter.agentSession);
  return { ...filter, agentSession };
}

export const noSuchSession = (name: string): AppError =>
  new AppError('NOT_FOUND', `no agent session has the id ${name.slice(0, 100)}`, {
    hint: 'backstory recall "…" shows the session ids of its hits',
  });

type AgentSessionTurn = SessionStory['turns'][number];

const maxEvents = 5_000;
/** The kinds of events that are shown, and the fields of their bodies that are shown as they are. */
const shown: Partial<Record<EventKind, (keyof SessionEvent)[]>> = {
  prompt: [],
  answer: ['text'],
  edit: ['path', 'tool', 'created'],
  command: ['command', 'ok', 'exit', 'output'],
  read: ['path'],
  tool: ['tool', 'ok'],
  compaction: [],
  session: [],
  commit: [],
};

export async function readAgentSession(
  parts: RecallParts,
  name: string,
): Promise<{ session: AgentSession; turns: AgentSessionTurn[]; isCut: boolean }> {
  return withIndex(withoutMeaning(parts), quickLimits, async (index) => {
    const id = index?.sessions.find(name) ?? name;
    const rows = (await index?.eventsOfSession(id, maxEvents)) ?? [];
    const read = readRows(parts.log, rows);
    const all = rows.flatMap((row) => read.get(row.id) ?? []);
    const events = all.filter(({ kind }) => kind in shown);
    // A connection of an MCP client whose session is not known has no event of a session.
    if (index === undefined || events.length === 0) throw noSuchSession(name);
    const [session = emptySession(id, events)] = await describeSessions(
      index,
      index.sessions.list({ ids: [id] }, 1),
    );
    return { session, turns: withUsage(turnsOf(events), all), isCut: rows.length === maxEvents };
  });
}

/** A session that has started but contains no prompt or action yet. */
function emptySession(id: string, events: EventEnvelope[]): AgentSession {
  const times = events.map(({ at }) => Date.parse(at) || 0);
  return {
    id,
    agent: events[0]?.agent ?? 'backstory',
    branch: events.findLast(({ branch }) => branch !== '')?.branch ?? '',
    firstAt: times[0] ?? 0,
    lastAt: times.at(-1) ?? 0,
    prompts: 0,
    answers: 0,
    edits: 0,
    commands: 0,
    failedCommands: 0,
    files: [],
    title: '',
    titleBy: 'record',
  };
}

function turnsOf(events: EventEnvelope[]): AgentSessionTurn[] {
  const turns = new Map<string, AgentSessionTurn>();
  let current = '';
  for (const event of events) {
    const named = 'turn' in event.body ? event.body.turn : undefined;
    const isStart = event.kind === 'prompt' && event.body.asked === undefined;
    // An event without a turn, such as the start of a session, belongs to the current turn.
    current = named || (isStart ? event.id : current) || event.id;
    const turn = turns.get(current) ?? { id: current, at: Date.parse(event.at) || 0, events: [] };
    turn.events.push(toSessionEvent(event));
    turns.set(current, turn);
  }
  return [...turns.values()];
}

function withUsage(turns: AgentSessionTurn[], events: EventEnvelope[]): AgentSessionTurn[] {
  const uses = events.map(memoStepOf).filter((step) => step?.kind === 'usage');
  return turns.map((turn) => {
    const usage = sumUsage(uses.filter((use) => use.turn === turn.id));
    return usage === undefined ? turn : { ...turn, usage };
  });
}

function toSessionEvent(event: EventEnvelope): SessionEvent {
  const { id, kind, trust, body } = event;
  const subagent = 'subagent' in body ? body.subagent?.id : undefined;
  const fields = Object.entries(body).filter(([name]) => shown[kind]?.some((field) => field === name));
  return {
    id,
    kind,
    at: Date.parse(event.at) || 0,
    origin: originOf(event),
    trust,
    ...(subagent === undefined ? {} : { subagent }),
    ...Object.fromEntries(fields),
    ...summaryOf(event),
  };
}

function summaryOf(event: EventEnvelope): Pick<SessionEvent, 'text' | 'lines'> {
  switch (event.kind) {
    case 'prompt':
      return { text: promptText(event.body) };
    case 'edit':
      return { lines: event.body.hunks.reduce((sum, { added }) => sum + added.length, 0) };
    case 'read':
      // How many lines a command printed of a file is often not known.
      return event.body.lines === 0 ? {} : { lines: event.body.lines };
    case 'compaction':
      return { text: event.body.trigger };
    case 'session':
      return { text: `${event.body.phase} ${event.body.cause}`.trim() };
    case 'commit':
      return { text: event.body.message };
    default:
      return {};
  }
}
