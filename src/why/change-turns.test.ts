import { describe, expect, it } from 'vitest';
import { sampleEvent } from '../../test/support/sample-event.ts';
import type { EventContent, EventEnvelope } from '../domain/event.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { EventLog } from '../store/events/event-log.ts';
import type { EventRow } from '../store/store.ts';
import { readTurns } from './change-turns.ts';

type Said = Partial<EventEnvelope> & EventContent & { id: string; state?: EventRow['state'] };

/** The turns of a session with these events, one a second. Of an event without content the log has lost the line. */
async function turnsOf(...said: (Said | { id: string; lost: true })[]) {
  const rows = said.map((one, at) => ({
    id: one.id,
    at: at + 1,
    file: 'f',
    offset: at,
    turn: 'body' in one && 'turn' in one.body ? (one.body.turn ?? '') : '',
    state: ('state' in one && one.state) || 'live',
  }));
  const records = said.map((one, at) => ({
    file: 'f',
    offset: at,
    end: at + 1,
    entry: 'lost' in one ? { kind: 'gap' } : { kind: 'event', event: sampleEvent(one) },
  }));
  const log = {
    end: () => ({}),
    read: ({ f }: { f: number }) => records.slice(f),
  } as unknown as EventLog;
  const evidence = { ofSession: async () => ({ rows }) } as unknown as Evidence;
  return readTurns(log, evidence, 'session-1');
}

const by = { id: 's', type: 'reviewer' };
const prompt = (id: string, turn: string, more: object = {}, trust: 1 | 2 = 2): Said =>
  ({ id, trust, kind: 'prompt', body: { text: `says ${id}`, turn, ...more } }) as Said;
const answer = (id: string, more: object = {}): Said => ({
  id,
  kind: 'answer',
  body: { text: `says ${id}`, ...more },
});
const edit = (id: string, path: string, more: object = {}): Said => ({
  id,
  kind: 'edit',
  body: { tool: 'Edit', path, hunks: [], ...more },
});
const command = (id: string, result: object): Said => ({
  id,
  kind: 'command',
  body: { command: `runs ${id}`, ok: false, ...result },
});

describe('the turns of a session', () => {
  it('begin with each request of the user, and what follows belongs to it', async () => {
    const turns = await turnsOf(
      answer('before'),
      prompt('a', 't1'),
      answer('b'),
      prompt('again', 't1'),
      prompt('c', 't2'),
      prompt('d', ''),
      prompt('e', ''),
    );
    expect(turns.map(({ events, asked }) => [events, asked.map(({ id }) => id)])).toEqual([
      [
        ['a', 'b', 'again'],
        ['a', 'again'],
      ],
      [['c'], ['c']],
      [['d'], ['d']],
      [['e'], ['e']],
    ]);
    expect(turns[0]).toMatchObject({
      agent: 'claude-code',
      agentSession: 'session-1',
      at: 2,
      asked: [{ at: 2, by: 'user', text: 'says a' }, { at: 4 }],
      account: [{ id: 'b', at: 3, by: 'agent', text: 'says b' }],
    });
  });

  it('do not have what was forgotten, or what the log has lost', async () => {
    const turns = await turnsOf(
      prompt('a', 't1'),
      { ...answer('forgotten'), state: 'forgotten' } as Said,
      { id: 'lost', lost: true },
      answer('b'),
    );
    expect(turns.map(({ events }) => events)).toEqual([['a', 'b']]);
  });

  it('have answers in a dialog and accepted plans as settled, and what was typed meanwhile as asked', async () => {
    const [turn, ...others] = await turnsOf(
      prompt('a', 't1'),
      prompt('plan', 't1', { isPlan: true }, 1),
      prompt('choice', 't2', { asked: { question: 'Which store?', option: '' } }),
      prompt('unread', 't2', { asked: { question: 'Which log?', option: '' } }, 1),
      prompt('typed', 't3', { asked: { question: '', option: '' } }),
      prompt('of a program', 't1', {}, 1),
    );
    expect(others).toEqual([]);
    expect(turn?.settled.map((quote) => [quote.id, quote.at, quote.by])).toEqual([
      ['plan', 2, 'agent'],
      ['choice', 3, 'user'],
      ['unread', 4, 'agent'],
    ]);
    expect(turn?.settled[0]?.text).toBe('Plan: says plan');
    expect(turn?.settled[1]?.text).toBe('Which store? → says choice');
    expect(turn?.asked.map((quote) => [quote.id, quote.by])).toEqual([
      ['a', 'user'],
      ['typed', 'user'],
      ['of a program', 'agent'],
    ]);
  });

  it('have edits inside the checkout, and commands that failed or passed', async () => {
    const [turn] = await turnsOf(
      prompt('a', 't1'),
      edit('inside', 'src/a.js'),
      edit('plan', '~/.claude/plans/p.md'),
      edit('above', '../b.js'),
      command('passed', { ok: true, output: '3 passed' }),
      command('failed', { exit: 1 }),
      command('denied', {}),
    );
    expect(turn?.edits).toEqual([{ event: 'inside', path: 'src/a.js', at: 2 }]);
    expect(turn?.runs).toEqual([
      { event: 'passed', command: 'runs passed', ok: true, exit: 'unknown', output: '3 passed', at: 5 },
      { event: 'failed', command: 'runs failed', ok: false, exit: 1, output: '', at: 6 },
    ]);
  });

  it('are stopped if a tool was used after the last answer', async () => {
    const isStopped = async (...said: Said[]) =>
      (await turnsOf(prompt('a', 't1'), ...said)).map((turn) => turn.isStopped);
    expect(await isStopped()).toEqual([false]);
    expect(await isStopped(edit('b', 'a.js'))).toEqual([true]);
    expect(await isStopped(command('b', {}))).toEqual([true]);
    expect(await isStopped(edit('b', 'a.js'), answer('c'))).toEqual([false]);
    expect(await isStopped(answer('b'), edit('c', 'a.js'))).toEqual([true]);
  });

  it('have the edits of a subagent, but not its prompts and answers', async () => {
    const turns = await turnsOf(
      prompt('a', 't1'),
      prompt('to subagent', 't2', { subagent: by }),
      edit('b', 'a.js', { subagent: by }),
      answer('c', { subagent: by }),
    );
    expect(turns).toMatchObject([
      {
        events: ['a', 'to subagent', 'b', 'c'],
        asked: [{ id: 'a' }],
        account: [],
        edits: [{ event: 'b' }],
        isStopped: true,
      },
    ]);
  });
});
