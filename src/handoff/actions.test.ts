import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { promptEvent, sampleEvent } from '../../test/support/sample-event.ts';
import type { EventEnvelope } from '../domain/event.ts';
import { createEventLog, type EventLog } from '../store/events/event-log.ts';
import { actionsOf, countActions, eventsOf } from './actions.ts';
import { applyRecord, emptyLedger, type Ledger } from './ledger.ts';

describe('actions of a work session', () => {
  let folder: string;
  let log: EventLog;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backstory-actions-'));
    log = createEventLog(folder, { now: () => Date.parse('2026-11-15T10:00:00Z') });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const ledgerOf = (): Ledger => {
    const ledger = emptyLedger();
    for (const record of log.read({})) applyRecord(ledger, record);
    return ledger;
  };
  const own = () => {
    const ledger = ledgerOf();
    const [session] = ledger.sessions.values();
    if (session === undefined) throw new Error('there is no work session');
    return { ledger, session };
  };
  const edit = (path: string, more: Partial<EventEnvelope> = {}) =>
    sampleEvent({ ...more, kind: 'edit', body: { tool: 'Edit', path, hunks: [] } } as EventEnvelope);

  it('omits duplicates, superseded events and events of other sessions', () => {
    const prompt = promptEvent('Fix the retry loop.');
    const again = edit('a.ts');
    const better = {
      ...promptEvent('Fix the retry loop.'),
      body: { text: 'Fix the retry loop.', supersedes: [prompt.id] },
    };
    log.append([
      prompt,
      again,
      again,
      promptEvent('Something else here.', { agentSession: 'session-2' }),
      better as EventEnvelope,
    ]);
    const { ledger, session } = own();
    const { events, isWhole } = eventsOf(log, ledger, session);
    expect(events.map(({ id }) => id).sort()).toEqual([again.id, better.id].sort());
    expect(isWhole).toBe(true);
    expect(countActions(events)).toBe(actionsOf(events).length);
  });

  it('returns the same newest events whether it reads the whole log or only the end', () => {
    log.append([
      promptEvent('Fix the retry loop.'),
      ...Array.from({ length: 400 }, (_, at) => edit(`file-${at}.ts`)),
    ]);
    const { ledger, session } = own();
    const all = eventsOf(log, ledger, session).events;
    expect(all).toHaveLength(401);
    for (const newest of [1, 7, 50, 400]) {
      expect(eventsOf(log, ledger, session, newest)).toEqual({ events: all.slice(-newest), isWhole: false });
    }
    expect(eventsOf(log, ledger, session, 401)).toEqual({ events: all, isWhole: true });
  });

  it('keeps the last lines of the output of the last run, without stack frames', () => {
    const run = (output: string) =>
      sampleEvent({
        trust: 0,
        kind: 'command',
        body: { command: 'npm test', ok: false, exit: 1, output },
      } as EventEnvelope);
    const frames = '    at run (a.js:1:2)\n    Test.run (node:internal/test_runner/test:796:25)\n'.repeat(25);
    // What `node --test` prints for a failed test.
    const name = 'not ok 1 - waits twice as long\n  ---\n  stack: |-';
    const details = `  ...\n1..1\n${'# tests 1\n'.repeat(18)}# fail 1`;
    const [first, last] = actionsOf([
      run('✖ old'),
      run(`${'ok\n'.repeat(30)}${name}\n${frames}${details}\n`),
    ]);
    expect(first?.output).toBeUndefined();
    expect(last?.output).toBe(`${name}\n${details}`);
  });
});
