import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { promptEvent, sampleEvent } from '../../test/support/sample-event.ts';
import type { EventEnvelope, WorkStep } from '../domain/event.ts';
import { applyRecord, emptyLedger, type Ledger } from './ledger.ts';

const start = Date.parse('2026-11-15T09:00:00Z');
const minute = 60_000;
const at = (minutes: number) => ({ at: new Date(start + minutes * minute).toISOString() });

/** Applies the events in the order of the log. */
function replay(events: EventEnvelope[], from: Ledger = emptyLedger()): Ledger {
  for (const [line, event] of events.entries())
    applyRecord(from, {
      file: '2026-11.jsonl',
      offset: line * 100,
      end: line * 100 + 100,
      entry: { kind: 'event', event },
    });
  return from;
}

const sessions = (events: EventEnvelope[]) => [...replay(events).sessions.values()];
const goals = (events: EventEnvelope[]) => sessions(events).map(({ goal }) => goal);
const prompt = (text: string, minutes: number, more: Partial<EventEnvelope> = {}) =>
  promptEvent(text, { ...at(minutes), ...more });
const step = (body: WorkStep, minutes: number, more: Partial<EventEnvelope> = {}) =>
  sampleEvent({
    ...at(minutes),
    agent: 'backstory',
    agentSession: '',
    trust: 1,
    origin: 'assistant',
    ...more,
    kind: 'work',
    body,
  } as EventEnvelope);
const edit = (path: string, minutes: number, more: Partial<EventEnvelope> = {}) =>
  sampleEvent({
    ...at(minutes),
    ...more,
    kind: 'edit',
    body: { tool: 'Edit', path, hunks: [] },
  } as EventEnvelope);

describe('work sessions derived from the log', () => {
  it('[session-implicit] start with a prompt, and take the goal from a later prompt if the first says nothing', () => {
    const answered = prompt('Track both folders in git', 0);
    Object.assign(answered.body, { asked: { question: 'What should be tracked?', option: '' } });
    const all = [answered, prompt('hi', 0), answered, prompt('Fix the retry loop.', 1)];
    expect(goals(all)).toEqual(['Fix the retry loop.']);
    expect(goals([edit('a.ts', 0)])).toEqual([]);
  });

  it('are shared by all agents on a topic branch, and separate on main', () => {
    const two = (branch: string) => [
      prompt('Fix the retry loop.', 0, { branch }),
      prompt('Write the changelog now.', 30, { branch, agent: 'codex', agentSession: 'session-2' }),
    ];
    expect(goals(two('fix-retries'))).toEqual(['Fix the retry loop.']);
    expect(sessions(two('fix-retries'))[0]?.agents).toEqual(['claude-code', 'codex']);
    expect(goals(two('main'))).toEqual(['Fix the retry loop.', 'Write the changelog now.']);
  });

  it('continue if the same goal is stated again, but not after weeks', () => {
    const again = (minutes: number) => [
      prompt('Fix the retry loop.', 0),
      prompt('fix the retry loop', minutes, { agentSession: 'session-2' }),
    ];
    expect(sessions(again(24 * 60))).toHaveLength(1);
    expect(sessions(again(30 * 24 * 60))).toHaveLength(2);
  });

  it('are joined by the next session of the agent they were handed to', () => {
    const events = [prompt('Fix the retry loop.', 0)];
    const id = sessions(events)[0]?.id ?? '';
    const handed = step({ session: id, step: 'snapshot', snapshot: 'snap_1', to: 'codex' }, 5);
    const begins = (agent: EventEnvelope['agent']) =>
      prompt('Hello there, you.', 9, { agent, agentSession: 'session-2' });
    expect(sessions([...events, handed, begins('codex')])).toHaveLength(1);
    expect(sessions([...events, handed, begins('pi')])).toHaveLength(2);
  });

  it('stay one session with all its actions if an agent names the work it has started', () => {
    const ledger = replay([
      prompt('Fix the retry loop.', 0),
      edit('a.ts', 1),
      step({ session: 'mine', step: 'open', goal: 'Retries back off' }, 2, { agentSession: 'session-1' }),
      edit('b.ts', 3),
    ]);
    expect([...ledger.sessions.values()]).toMatchObject([
      { id: 'mine', goal: 'Retries back off', goalBy: 'agent', isDeclared: true },
    ]);
    expect(ledger.sessions.get('mine')?.spans).toEqual([
      { agentSession: 'session-1', file: '2026-11.jsonl', from: 0, to: 400 },
    ]);
  });

  it('identify a caller without a session id by its process', () => {
    const ledger = replay([
      prompt('Fix the retry loop.', 0, { clientPid: 77 }),
      step({ session: 'mine', step: 'open', goal: 'Retries back off' }, 2, { clientPid: 77 }),
    ]);
    expect([...ledger.sessions.keys()]).toEqual(['mine']);
  });

  it('end when closed: late events of an old turn still belong to them, a new prompt does not', () => {
    const closed = [
      prompt('Fix the retry loop.', 0),
      step({ session: 'mine', step: 'open' }, 1, { agentSession: 'session-1' }),
      step({ session: 'mine', step: 'close', status: 'resolved' }, 5, { agentSession: 'session-1' }),
    ];
    expect(sessions([...closed, prompt('Fix the retry loop.', 0)])).toMatchObject([
      { id: 'mine', status: 'resolved' },
    ]);
    expect(goals([...closed, prompt('Now something else entirely.', 6)])).toEqual([
      'Fix the retry loop.',
      'Now something else entirely.',
    ]);
  });

  it('are reopened by a resume, which adds the agent session that resumed', () => {
    const ledger = replay([
      step({ session: 'mine', step: 'open', goal: 'Retries back off' }, 0),
      step({ session: 'mine', step: 'close', status: 'resolved' }, 1),
      step({ session: 'mine', step: 'resume', snapshot: 'snap_1' }, 2, { agentSession: 'session-9' }),
      edit('a.ts', 3, { agentSession: 'session-9', agent: 'codex' }),
    ]);
    expect(ledger.sessions.get('mine')).toMatchObject({ status: 'open', agents: ['codex'] });
  });

  it('are the same wherever one read of the log stops and the next continues', () => {
    const event = fc.oneof(
      fc.record({
        kind: fc.constant('prompt'),
        text: fc.constantFrom('hi', 'Fix the retry loop.', 'Write the changelog now.'),
        by: fc.integer({ min: 1, max: 3 }),
        on: fc.constantFrom('main', 'topic'),
      }),
      fc.record({
        kind: fc.constant('edit'),
        text: fc.constant('a.ts'),
        by: fc.integer({ min: 1, max: 3 }),
        on: fc.constantFrom('main', 'topic'),
      }),
      fc.record({
        kind: fc.constantFrom('open', 'close', 'resume'),
        text: fc.constantFrom('one', 'two'),
        by: fc.integer({ min: 1, max: 3 }),
        on: fc.constantFrom('main', 'topic'),
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), fc.nat(30), (described, cut) => {
        const events = described.map(({ kind, text, by, on }, minutes) => {
          const more = { branch: on, agentSession: `session-${by}` };
          if (kind === 'prompt') return prompt(text, minutes, more);
          if (kind === 'edit') return edit(text, minutes, more);
          return step({ session: text, step: kind as WorkStep['step'], goal: text }, minutes, more);
        });
        const records = events.map((one, line) => ({
          file: 'f',
          offset: line,
          end: line + 1,
          entry: { kind: 'event' as const, event: one },
        }));
        const [whole, parts] = [emptyLedger(), emptyLedger()];
        for (const record of records) applyRecord(whole, record);
        for (const record of records.slice(0, cut)) applyRecord(parts, record);
        // The ledger as it is cached between two reads.
        const cached = structuredClone(parts);
        for (const record of records.slice(cut)) applyRecord(cached, record);
        expect(cached).toEqual(whole);
      }),
    );
  });
});
