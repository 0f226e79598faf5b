import { isInCheckout } from '../base/path-in-checkout.ts';
import { chosenIn, type EventEnvelope, promptText, typistOf } from '../domain/event.ts';
import { readRows } from '../memory/sessions/session-turns.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { EventLog } from '../store/events/event-log.ts';
import type { CommandRun } from '../text/test-result.ts';
import type { ChangeTurn } from '../wire/answers/change.ts';
import type { Quote } from '../wire/answers/memory.ts';

/** What was said and done from one request of the user to the next, with whole texts. */
export type SessionTurn = Pick<ChangeTurn, 'agent' | 'agentSession' | 'at'> & {
  events: string[];
  asked: Quote[];
  /** Answers of the user to questions of the agent, and plans that the user accepted. */
  settled: Quote[];
  account: Quote[];
  edits: { event: string; path: string; at: number }[];
  runs: (CommandRun & { at: number })[];
  /** Whether the agent used a tool after its last answer. */
  isStopped: boolean;
};

export async function readTurns(
  log: EventLog,
  evidence: Evidence,
  agentSession: string,
): Promise<SessionTurn[]> {
  const rows = (await evidence.ofSession(agentSession)).rows.filter(({ state }) => state === 'live');
  const events = readRows(log, rows);
  const turns: SessionTurn[] = [];
  let id = '';
  for (const { id: event, turn, at } of rows) {
    const read = events.get(event);
    if (read === undefined) continue;
    const { agent } = read;
    if (startsTurn(read) && (turn === '' || turn !== id)) {
      const words = { events: [], asked: [], settled: [], account: [] };
      turns.push({ agent, agentSession, at, ...words, edits: [], runs: [], isStopped: false });
      id = turn;
    }
    const last = turns.at(-1);
    if (last !== undefined) addEvent(last, read, at);
  }
  return turns;
}

const isOfSubagent = ({ body }: EventEnvelope): boolean => 'subagent' in body;

const startsTurn = (event: EventEnvelope): boolean =>
  event.kind === 'prompt' && event.body.asked === undefined && !isOfSubagent(event);

function addEvent(turn: SessionTurn, event: EventEnvelope, at: number): void {
  const { id, kind, body } = event;
  turn.events.push(id);
  // Plans are often written outside the checkout.
  if (kind === 'edit' && isInCheckout(body.path) && !body.path.startsWith('~'))
    turn.edits.push({ event: id, path: body.path, at });
  // A command without an exit code was denied or interrupted, so it neither failed nor passed.
  if (kind === 'command' && (body.ok || body.exit !== undefined))
    turn.runs.push({
      event: id,
      command: body.command,
      ok: body.ok,
      exit: body.exit ?? 'unknown',
      output: body.output ?? '',
      at,
    });
  if (kind === 'edit' || kind === 'command') turn.isStopped = true;
  // A subagent edits and runs commands for the turn, but its user is the agent.
  if (isOfSubagent(event)) return;
  if (kind === 'answer') {
    turn.account.push({ id, at, by: 'agent', text: body.text });
    turn.isStopped = false;
  }
  if (kind !== 'prompt') return;
  const typist = typistOf(event);
  const by = typist === 'person' ? 'user' : typist;
  if (body.isPlan === true) turn.settled.push({ id, at, by: 'agent', text: `Plan: ${body.text}` });
  else if (body.asked === undefined || body.asked.question === '')
    turn.asked.push({ id, at, by, text: body.text });
  else turn.settled.push({ id, at, by, text: chosenIn(promptText(body)) ?? body.text });
}
