import type { Chunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import type { LogRecord } from '../store/events/event-log.ts';
import type { EventRow } from '../store/store.ts';
import { chunksOfEvent, turnOf } from './chunks.ts';
import { editRecord } from './edit-record.ts';
import { memoStepOf } from './memo-step-record.ts';

/**
 * Reading the log means folding it: an id that comes again is the same event, a transcript's record takes
 * the place of what a hook said before it, and a forgotten event is gone. The fold does not depend on where
 * one reading stopped and the next began, which is what makes an index equal to its rebuild.
 */
export interface ReplayedLog {
  put: Map<string, Chunk[]>;
  /** By the event's id. */
  steps: Map<string, MemoStep>;
  edits: Map<string, Edit>;
  drop: Set<string>;
  rows: Map<string, EventRow>;
  tombstones: Set<string>;
  /** By the event's id. */
  events: Map<string, EventEnvelope>;
}

export const emptyReplay = (): ReplayedLog => ({
  put: new Map(),
  steps: new Map(),
  edits: new Map(),
  drop: new Set(),
  rows: new Map(),
  tombstones: new Set(),
  events: new Map(),
});

/** Ids whose earlier fate must be known before the records can be folded. */
export function idsIn(records: LogRecord[]): string[] {
  return records.flatMap(({ entry }) => {
    if (entry.kind === 'forgotten') return [entry.id];
    return entry.kind === 'event'
      ? [entry.event.id, ...supersededBy(entry.event), ...tombstoned(entry.event)]
      : [];
  });
}

const supersededBy = (event: EventEnvelope): string[] =>
  'supersedes' in event.body ? (event.body.supersedes ?? []) : [];

const tombstoned = (event: EventEnvelope): string[] => (event.kind === 'tombstone' ? event.body.targets : []);

export function replayRecord(fold: ReplayedLog, record: LogRecord, known: Map<string, EventRow>): void {
  const { entry } = record;
  const fate = (id: string): EventRow | undefined => fold.rows.get(id) ?? known.get(id);
  const retire = (id: string, state: EventRow['state']): void => {
    const row = fate(id);
    if (row?.state === 'forgotten' || row?.state === state) return;
    // Of a forgotten event nothing is kept but that it is; a rebuild has no more either.
    const kept = state === 'forgotten' ? placeholder(id) : (row ?? placeholder(id));
    fold.rows.set(id, { ...kept, state });
    fold.put.delete(id);
    fold.steps.delete(id);
    fold.edits.delete(id);
    if (state === 'forgotten') fold.events.delete(id);
    if (row?.state === 'live') fold.drop.add(id);
  };
  if (entry.kind === 'forgotten') {
    retire(entry.id, 'forgotten');
    return;
  }
  if (entry.kind !== 'event') return;
  const { event } = entry;
  for (const id of supersededBy(event)) retire(id, 'superseded');
  for (const id of tombstoned(event)) retire(id, 'forgotten');
  if (event.kind === 'tombstone') for (const hash of event.body.keyedHashes) fold.tombstones.add(hash);
  if (fate(event.id) !== undefined) return;
  fold.rows.set(event.id, rowOf(event, record));
  fold.events.set(event.id, event);
  fold.put.set(event.id, chunksOfEvent(event));
  const step = memoStepOf(event);
  if (step !== undefined) fold.steps.set(event.id, step);
  const edit = editRecord(event);
  if (edit !== undefined) fold.edits.set(event.id, edit);
}

const rowOf = (event: EventEnvelope, { file, offset }: LogRecord): EventRow => ({
  id: event.id,
  kind: event.kind,
  state: 'live',
  at: Date.parse(event.at) || 0,
  agent: event.agent,
  agentSession: event.agentSession,
  clientPid: event.clientPid,
  turn: turnOf(event),
  file,
  offset,
  sourceFile: event.source?.file ?? '',
  sourceOffset: event.source?.offset ?? 0,
});

/** Holds the place of an event that is superseded or forgotten before its own line has been read. */
const placeholder = (id: string): EventRow => ({
  id,
  kind: 'unknown',
  state: 'superseded',
  at: 0,
  agent: '',
  agentSession: '',
  clientPid: 0,
  turn: '',
  file: '',
  offset: 0,
  sourceFile: '',
  sourceOffset: 0,
});
