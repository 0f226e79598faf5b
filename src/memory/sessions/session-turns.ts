import type { Act, SessionTurns, Turn } from '../../distil/distiller.ts';
import { type EventEnvelope, isAcceptedPlan } from '../../domain/event.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { EventRow, LogIndex } from '../../store/store.ts';

/** Longer sessions are cut at their end. */
export const maxEvents = 50_000;
const toldKinds: EventRow['kind'][] = ['prompt', 'answer', 'edit', 'command'];
const toolKinds: EventRow['kind'][] = ['command', 'edit', 'read', 'tool'];

/** Reads one agent session. The index has the positions of its events, and the log their content. */
export async function readSessionTurns(
  log: EventLog,
  index: LogIndex,
  agentSession: string,
): Promise<SessionTurns> {
  const rows = await index.eventsOfSession(agentSession, maxEvents);
  const told = rows.filter(({ kind }) => toldKinds.includes(kind));
  const read = readRows(log, told);
  const events = told.flatMap(({ id }) => read.get(id) ?? []);
  const turns = turnsOf(events.filter(isOwn));
  const touched = new Set(rows.flatMap(({ kind, turn }) => (toolKinds.includes(kind) ? [turn] : [])));
  // Hooks do not report every tool, so a turn without a transcript counts as one with tool calls.
  for (const { sourceFile, turn } of told) if (sourceFile === '') touched.add(turn);
  for (const { id, acts } of turns) if (touched.has(id)) acts.unshift({ kind: 'tool', event: '' });
  const [first] = events;
  return {
    agentSession,
    agent: first?.agent ?? 'backstory',
    branch: events.findLast(({ branch }) => branch !== '')?.branch ?? '',
    checkout: events.at(-1)?.checkout ?? '',
    turns,
  };
}

/** If two rows of the log are further apart than this, seeking is faster than reading the bytes between them. */
const maxGapBytes = 512 * 1024;

/** Reads the events of these rows. The lines of a session are close together, so they are read sequentially. */
export function readRows(log: EventLog, rows: EventRow[]): Map<string, EventEnvelope> {
  const found = new Map<string, EventEnvelope>();
  for (const [file, own] of Map.groupBy(rows, (row) => row.file)) {
    const wanted = [...own].sort((a, b) => a.offset - b.offset);
    for (let at = 0; at < wanted.length; ) at = readRun(log, file, wanted, at, found);
  }
  return found;
}

/** Reads from one row until the next is far away. Returns the index of that next row. */
function readRun(
  log: EventLog,
  file: string,
  wanted: EventRow[],
  first: number,
  found: Map<string, EventEnvelope>,
): number {
  let at = first;
  for (const record of log.read({ ...log.end(), [file]: wanted[first]?.offset ?? 0 })) {
    if (record.file !== file) break;
    const row = wanted[at];
    if (row === undefined) break;
    if (record.offset < row.offset) continue;
    at += 1;
    const { entry } = record;
    if (record.offset === row.offset && entry.kind === 'event' && entry.event.id === row.id)
      found.set(row.id, entry.event);
    const next = wanted[at];
    if (next === undefined || next.offset - record.end > maxGapBytes) break;
  }
  return Math.max(at, first + 1);
}

const isOwn = ({ body }: EventEnvelope): boolean => !('subagent' in body) || body.subagent === undefined;

function turnsOf(events: EventEnvelope[]): Turn[] {
  const turns = new Map<string, Turn>();
  for (const event of events) {
    const id = ('turn' in event.body ? event.body.turn : undefined) || `event ${event.id}`;
    const asked = event.kind === 'prompt' ? event.body.asked : undefined;
    if (asked !== undefined && event.trust < 2) continue;
    const key = asked === undefined ? id : `event ${event.id}`;
    const turn = turns.get(key) ?? { id, at: Date.parse(event.at) || 0, acts: [] };
    turns.set(key, turn);
    if (event.kind === 'prompt') {
      // Only the user's own prompt counts as the user's words. A copy of it that another tool stored may differ.
      if ((event.trust >= 2 || isAcceptedPlan(event)) && turn.prompt === undefined)
        turn.prompt = {
          event: event.id,
          text: event.body.text,
          ...(event.body.blocks && { blocks: event.body.blocks }),
          ...(asked && { asked }),
          ...(event.body.isPlan && { isPlan: true }),
        };
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
      const { command, ok, exit, output = '' } = event.body;
      // A command without an exit code was denied or interrupted, so it neither failed nor passed.
      if (!ok && exit === undefined) return { kind: 'tool', event: event.id };
      return { kind: 'command', event: event.id, command, ok, exit: exit ?? 'unknown', output };
    }
    default:
      return undefined;
  }
}
