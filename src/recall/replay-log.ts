import type { Chunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import type { LogRecord } from '../store/events/event-log.ts';
import type { EventRow } from '../store/store.ts';
import { chunksOfEvent, turnOf } from './chunks.ts';
import { memoStepOf } from './memo-step-record.ts';

/**
 * The result of replaying a part of the log. A repeated id is the same event, a record from a transcript supersedes the
 * event that a hook wrote before, and a forgotten event is removed. The result does not depend on where one replay
 * stopped and the next began, so an index equals its rebuild.
 */
export const emptyReplay = () => ({
  put: new Map<string, Chunk[]>(),
  steps: new Map<string, MemoStep>(),
  edits: new Map<string, Edit>(),
  drop: new Set<string>(),
  rows: new Map<string, EventRow>(),
  tombstones: new Map<string, boolean>(),
  events: new Map<string, EventEnvelope>(),
});

export type ReplayedLog = ReturnType<typeof emptyReplay>;

/** Ids of events that the records refer to. The caller looks up what the index knows of them first. */
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

export function replayRecord(replay: ReplayedLog, record: LogRecord, known: Map<string, EventRow>): void {
  const { entry } = record;
  const currentRow = (id: string): EventRow | undefined => replay.rows.get(id) ?? known.get(id);
  const retire = (id: string, state: EventRow['state']): void => {
    const row = currentRow(id);
    if (row?.state === 'forgotten' || row?.state === state) return;
    // Keep only the id of a forgotten event. The log contains no more of it, and an index must equal the one that
    // would be built from the log.
    const kept = state === 'forgotten' ? placeholder(id) : (row ?? placeholder(id));
    replay.rows.set(id, { ...kept, state });
    replay.put.delete(id);
    replay.steps.delete(id);
    replay.edits.delete(id);
    if (state === 'forgotten') replay.events.delete(id);
    if (row?.state === 'live') replay.drop.add(id);
  };
  if (entry.kind === 'forgotten') {
    retire(entry.id, 'forgotten');
    return;
  }
  if (entry.kind !== 'event') return;
  const { event } = entry;
  for (const id of supersededBy(event)) retire(id, 'superseded');
  for (const id of tombstoned(event)) retire(id, 'forgotten');
  if (event.kind === 'tombstone') {
    for (const hash of event.body.keyedHashes) replay.tombstones.set(hash, true);
    for (const hash of event.body.lifted ?? []) replay.tombstones.set(hash, false);
  }
  if (currentRow(event.id) !== undefined) return;
  replay.rows.set(event.id, rowOf(event, record));
  replay.events.set(event.id, event);
  replay.put.set(event.id, chunksOfEvent(event));
  const step = memoStepOf(event);
  if (step !== undefined) replay.steps.set(event.id, step);
  const edit = editRecord(event);
  if (edit !== undefined) replay.edits.set(event.id, edit);
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

/** The row of an event that another record superseded or forgot before the event's own line was read. */
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

/** The index record of an edit, for `why`. Undefined for other events and for edits without line hashes. */
function editRecord(event: EventEnvelope): Edit | undefined {
  if (event.kind !== 'edit' || event.body.hunks.length === 0) return undefined;
  const { path, created, hunks } = event.body;
  return {
    id: event.id,
    at: Date.parse(event.at) || 0,
    agent: event.agent,
    agentSession: event.agentSession,
    turn: turnOf(event),
    branch: event.branch,
    head: event.head,
    path,
    isCreation: created === true,
    hunks,
  };
}
