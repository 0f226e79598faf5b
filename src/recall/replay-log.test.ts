import { describe, expect, it } from 'vitest';
import { promptEvent, sampleEvent } from '../../test/support/sample-event.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { LogEntry } from '../store/events/event-line.ts';
import type { EventRow } from '../store/store.ts';
import { emptyReplay, idsIn, type ReplayedLog, replayRecord } from './replay-log.ts';

const recordOf = (entry: LogEntry, offset = 0) => ({ file: 'a.jsonl', offset, end: offset + 1, entry });
const logged = (...events: EventEnvelope[]) =>
  events.map((event, at) => recordOf({ kind: 'event', event }, at));
const forgotten = (id: string) => recordOf({ kind: 'forgotten', id });
function replay(records: ReturnType<typeof recordOf>[], known = new Map<string, EventRow>()): ReplayedLog {
  const log = emptyReplay();
  for (const record of records) replayRecord(log, record, known);
  return log;
}
const contents = ({ put, steps, edits, events, drop }: ReplayedLog) => [
  [...put.keys()],
  [...steps.keys()],
  [...edits.keys()],
  [...events.keys()],
  [...drop],
];

const hunk = { added: ['h1'], removed: [], start: 1 };
const edit = sampleEvent({ kind: 'edit', body: { tool: 'Edit', path: 'a.ts', hunks: [hunk as never] } });
const successor = (id: string) => sampleEvent({ kind: 'answer', body: { text: 'Done.', supersedes: [id] } });
const tombstone = (id: string) =>
  sampleEvent({ kind: 'tombstone', body: { targets: [id], keyedHashes: ['k1'] } });

describe('replaying a log', () => {
  it('has the chunks, steps, edits and place of each event, of a repeated one the first', () => {
    const log = replay([
      ...logged(edit),
      recordOf({ kind: 'event', event: edit }, 7),
      recordOf({ kind: 'empty' }),
    ]);
    expect(contents(log)).toEqual([[edit.id], [edit.id], [edit.id], [edit.id], []]);
    expect(log.rows.get(edit.id)).toMatchObject({ state: 'live', kind: 'edit', file: 'a.jsonl', offset: 0 });
    expect(log.rows.size).toBe(1);
  });

  it('drops what a later record supersedes, and keeps its place', () => {
    const later = successor(edit.id);
    const log = replay(logged(edit, later));
    expect(contents(log)).toEqual([[later.id], [], [], [edit.id, later.id], [edit.id]]);
    expect(log.rows.get(edit.id)).toMatchObject({ state: 'superseded', kind: 'edit' });
  });

  it.each([
    ['a placeholder', () => [...logged(edit), forgotten(edit.id)]],
    ['a tombstone', () => logged(edit, tombstone(edit.id))],
    [
      'a placeholder before a record that supersedes it',
      () => [...logged(edit), forgotten(edit.id), ...logged(successor(edit.id))],
    ],
  ])('keeps only the id of an event that %s forgets', (_, records) => {
    const log = replay(records());
    expect(log.rows.get(edit.id)).toMatchObject({
      state: 'forgotten',
      kind: 'unknown',
      at: 0,
      agentSession: '',
    });
    const [put, steps, edits, events, drop] = contents(log);
    for (const ids of [put, steps, edits, events]) expect(ids).not.toContain(edit.id);
    expect(drop).toEqual([edit.id]);
  });

  it('ignores the record of an event that was superseded or forgotten before it', () => {
    for (const first of [forgotten(edit.id), ...logged(successor(edit.id))]) {
      const log = replay([first, ...logged(edit)]);
      expect(log.put.has(edit.id) || log.events.has(edit.id) || log.drop.has(edit.id)).toBe(false);
      expect(log.rows.get(edit.id)?.state).toBe(
        first.entry.kind === 'forgotten' ? 'forgotten' : 'superseded',
      );
    }
  });

  it('drops events of the index once, and goes on where the index stopped', () => {
    const row = replay(logged(edit)).rows.get(edit.id) as EventRow;
    const known = (state: EventRow['state']) => new Map([[edit.id, { ...row, state }]]);
    const later = logged(successor(edit.id));
    expect(replay(later, known('live')).drop).toEqual(new Set([edit.id]));
    expect(replay(later, known('live')).rows.get(edit.id)).toEqual({ ...row, state: 'superseded' });
    for (const state of ['superseded', 'forgotten'] as const) {
      expect(replay(later, known(state)).rows.has(edit.id)).toBe(false);
      expect(replay(later, known(state)).drop).toEqual(new Set());
    }
    expect(replay(logged(edit), known('live')).put.size).toBe(0);
  });

  it('keeps the hashes of forgotten texts', () => {
    expect(replay(logged(tombstone('x'))).tombstones).toEqual(new Map([['k1', true]]));
    const lift = sampleEvent({
      kind: 'tombstone',
      body: { targets: [], keyedHashes: [], lifted: ['k1'] },
    });
    expect(replay(logged(tombstone('x'), lift)).tombstones).toEqual(new Map([['k1', false]]));
    expect(replay(logged(lift, tombstone('x'))).tombstones).toEqual(new Map([['k1', true]]));
  });

  it('has an edit only if its lines are known, and which created the file', () => {
    const body = { tool: 'Edit', path: 'a.ts' };
    const edits = [
      sampleEvent({ kind: 'edit', body: { ...body, hunks: [] } }),
      sampleEvent({ kind: 'edit', body: { ...body, hunks: [hunk as never], created: true } }),
    ];
    const log = replay(logged(...edits, edit, promptEvent('hello')));
    expect(Array.from(log.edits.values(), ({ isCreation }) => isCreation)).toEqual([true, false]);
  });

  it('has the place of an event in its transcript', () => {
    const event = promptEvent('hello', { source: { file: '~/t.jsonl', offset: 9 } } as never);
    expect(replay(logged(event)).rows.get(event.id)).toMatchObject({
      sourceFile: '~/t.jsonl',
      sourceOffset: 9,
    });
    expect(replay(logged(edit)).rows.get(edit.id)).toMatchObject({ sourceFile: '', sourceOffset: 0 });
  });

  it('an event with an impossible time is at the beginning of time', () => {
    const event = promptEvent('hello', { at: 'never' });
    const log = replay(logged(event, { ...edit, at: 'never' }));
    expect([log.rows.get(event.id)?.at, log.edits.get(edit.id)?.at]).toEqual([0, 0]);
  });

  it('refers to the events that its records are about', () => {
    const [later, grave] = [successor('a'), tombstone('b')];
    const records = [...logged(later, grave, edit), forgotten('c'), recordOf({ kind: 'newer', id: 'd' })];
    expect(idsIn(records)).toEqual([later.id, 'a', grave.id, 'b', edit.id, 'c']);
  });
});
