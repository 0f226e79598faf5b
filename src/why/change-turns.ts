import { askedText, type EventEnvelope } from '../domain/event.ts';
import type { Quote } from '../domain/failed-path.ts';
import { readRows } from '../memory/sessions/session-turns.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { EventLog } from '../store/events/event-log.ts';
import type { CommandRun } from '../text/test-result.ts';

/** What was said and done from one request of the user to the next. */
export interface SessionTurn {
  agent: string;
  agentSession: string;
  at: number;
  /** Ids of all its events. */
  events: string[];
  asked: Quote[];
  untyped: Quote[];
  plan?: Quote;
  exchanges: { question: string; answer: Quote }[];
  account: Quote[];
  edits: { event: string; path: string; at: number }[];
  runs: (CommandRun & { at: number })[];
  /** Whether the agent used a tool after its last answer. */
  isStopped: boolean;
}

/** Reads the turns of an agent session with their whole texts, oldest first. */
export async function readTurns(
  log: EventLog,
  evidence: Evidence,
  agentSession: string,
): Promise<SessionTurn[]> {
  const { rows } = await evidence.ofSession(agentSession);
  const live = rows.filter(({ state }) => state === 'live');
  const events = readRows(log, live);
  const turns: SessionTurn[] = [];
  let id = '';
  for (const row of live) {
    const event = events.get(row.id);
    if (event === undefined) continue;
    if (startsTurn(event) && (row.turn === '' || row.turn !== id || turns.length === 0)) {
      turns.push(emptyTurn(event, row.at));
      id = row.turn;
    }
    const turn = turns.at(-1);
    if (turn !== undefined) addEvent(turn, event, row.at);
  }
  return turns;
}

const emptyTurn = ({ agent, agentSession }: EventEnvelope, at: number): SessionTurn => ({
  ...{ agent, agentSession, at, events: [], asked: [], untyped: [], exchanges: [], account: [] },
  ...{ edits: [], runs: [], isStopped: false },
});

const isOfSubagent = ({ body }: EventEnvelope): boolean => 'subagent' in body && body.subagent !== undefined;

const startsTurn = (event: EventEnvelope): boolean =>
  event.kind === 'prompt' && event.body.asked === undefined && !isOfSubagent(event);

function addEvent(turn: SessionTurn, event: EventEnvelope, at: number): void {
  turn.events.push(event.id);
  const quote = (by: Quote['by'], text: string): Quote => ({ id: event.id, at, by, text });
  // A subagent edits and runs commands for the turn, but what it is told and says are not words to the user.
  if (event.kind === 'prompt' && !isOfSubagent(event)) {
    const { text, asked, isPlan } = event.body;
    if (isPlan === true) turn.plan = quote('agent', text);
    else if (event.trust < 2) turn.untyped.push(quote('agent', text));
    else if (asked === undefined || asked.question === '') turn.asked.push(quote('user', text));
    else turn.exchanges.push({ question: askedText(asked), answer: quote('user', text) });
  } else if (event.kind === 'answer' && !isOfSubagent(event)) {
    turn.account.push(quote('agent', event.body.text));
    turn.isStopped = false;
  } else if (event.kind === 'edit') {
    turn.edits.push({ event: event.id, path: event.body.path, at });
    turn.isStopped = true;
  } else if (event.kind === 'command') {
    const { command, ok, exit, output = '' } = event.body;
    // A command without an exit code was denied or interrupted, so it neither failed nor passed.
    if (ok || exit !== undefined) turn.runs.push({ event: event.id, command, ok, output, at });
    turn.isStopped = true;
  }
}
