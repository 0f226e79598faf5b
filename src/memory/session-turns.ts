import type { Act, SessionTurns, Turn } from '../distil/distiller.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { EventLog } from '../store/events/event-log.ts';
import type { EventRow, LogIndex } from '../store/store.ts';
import { readEvent } from './open-hit.ts';

/** A session that never ends must not take the whole drain; its newest part is what matters. */
const maxChunks = 4_000;

/** One agent session as it went: the index knows where its events stand, the log has what they say. */
export async function readSessionTurns(
  log: EventLog,
  index: LogIndex,
  agentSession: string,
): Promise<SessionTurns> {
  const chunks = await index.list({ agentSession, source: 'event' }, maxChunks);
  const rows = [...(await index.events([...new Set(chunks.map(({ sourceId }) => sourceId))])).values()]
    .filter(({ state }) => state === 'live')
    .sort(byTime);
  const events = rows.map((row) => readEvent({ log }, row)).filter((event) => event !== undefined);
  const turns = turnsOf(events.filter(isOwn));
  // Reads and searches leave no words to find, so only the index knows that there were any. And hooks do not
  // report every tool, so until the transcript has told a turn nobody knows that it held none.
  const touched = await index.turnsWithTools(turns.map(({ id }) => id));
  for (const { sourceFile, turn } of rows) if (sourceFile === '') touched.add(turn);
  for (const { id, acts } of turns) if (touched.has(id)) acts.unshift({ kind: 'tool', event: '' });
  const [first] = events;
  return {
    agentSession,
    agent: first?.agent ?? 'backstory',
    branch: events.findLast(({ branch }) => branch !== '')?.branch ?? '',
    turns,
  };
}

/** Records of one moment stand in their transcript in the order in which they happened. */
const byTime = (a: EventRow, b: EventRow): number =>
  a.at - b.at || a.sourceOffset - b.sourceOffset || (a.id < b.id ? -1 : 1);

const isOwn = ({ body }: EventEnvelope): boolean => !('subagent' in body) || body.subagent === undefined;

function turnsOf(events: EventEnvelope[]): Turn[] {
  const turns = new Map<string, Turn>();
  for (const event of events) {
    const id = ('turn' in event.body ? event.body.turn : undefined) || `event ${event.id}`;
    const turn = turns.get(id) ?? { id, at: Date.parse(event.at) || 0, acts: [] };
    turns.set(id, turn);
    if (event.kind === 'prompt') {
      // Only a person's words may speak for the user; another tool's copy of them is not to the letter.
      if (event.trust >= 2 && turn.prompt === undefined)
        turn.prompt = { event: event.id, text: event.body.text };
      continue;
    }
    const act = actOf(event);
    if (act !== undefined) turn.acts.push(act);
  }
  return [...turns.values()];
}

function actOf(event: EventEnvelope): Act | undefined {
  switch (event.kind) {
    case 'answer':
      return { kind: 'answer', event: event.id, text: event.body.text };
    case 'edit':
      return { kind: 'edit', event: event.id, path: event.body.path };
    case 'command': {
      const { command, ok, output = '' } = event.body;
      return { kind: 'command', event: event.id, command, ok, output };
    }
    default:
      return undefined;
  }
}
