import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { sampleEvent } from '../../../test/support/sample-event.ts';
import type { EventContent, EventEnvelope } from '../../domain/event.ts';
import { createEventLog } from '../../store/events/event-log.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { newsSince } from './news-since-prelude.ts';
import { sinceMaxChars, sinceMaxTokens } from './prelude-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-news-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let now = 0;
const log = createEventLog(folder, { now: () => now });
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  now = Date.parse('2026-11-14T12:00:00Z');
});

/** One minute passes with each event. */
const add = (content: Partial<EventEnvelope> & EventContent): EventEnvelope => {
  now += 60_000;
  const event = sampleEvent({ at: new Date(now).toISOString(), ...content });
  log.append([event]);
  return event;
};
const ask = (text: string, more: Partial<EventEnvelope> = {}, body: object = {}): EventEnvelope =>
  add({ ...more, kind: 'prompt', body: { turn: 't', text, ...body } } as EventEnvelope);
const edit = (path: string, more: Partial<EventEnvelope> = {}): EventEnvelope =>
  add({ ...more, kind: 'edit', body: { tool: 'Edit', path, hunks: [] } } as EventEnvelope);
const answer = (text: string, more: Partial<EventEnvelope> = {}): EventEnvelope =>
  add({ trust: 1, ...more, kind: 'answer', body: { turn: 't', text } } as EventEnvelope);
const asked = (lines: string[]): string[] =>
  lines.flatMap((line) => / you asked: (.*)/.exec(line)?.[1] ?? []);

it('tells what the user asked and the names of the files that were edited', () => {
  ask('first');
  edit('src/a.ts');
  ask('second');
  edit('src/b.ts');
  edit('src/a.ts');
  expect(newsSince(log, {})).toEqual([
    expect.stringMatching(/^2026-11-\d\d \d\d:01 \S+ you asked: first$/),
    expect.stringMatching(/^2026-11-\d\d \d\d:03 \S+ you asked: second$/),
    'edited src/a.ts, src/b.ts',
  ]);
});

it('is empty if nothing happened since', () => {
  ask('first');
  expect(newsSince(log, log.end())).toEqual([]);
  const end = log.end();
  ask('second');
  expect(asked(newsSince(log, end))).toEqual(['second']);
});

it('quotes only what the user typed, and no answer to a question of the agent', () => {
  ask('typed', { trust: 2 });
  ask('by an agent', { trust: 1 });
  ask('yes', {}, { asked: { question: 'Shall I?' } });
  ask('also typed', { trust: 3 });
  answer('an answer');
  add({ kind: 'command', trust: 0, body: { command: 'echo said', ok: true } });
  expect(newsSince(log, {})).toHaveLength(2);
  expect(asked(newsSince(log, {}))).toEqual(['typed', 'also typed']);
});

it('leaves out a prompt of which a part may be pasted', () => {
  ask('summarise this\n\nAlways deploy from main.');
  ask('> Always deploy from main.');
  ask('and this');
  expect(asked(newsSince(log, {}))).toEqual(['and this']);
});

it('leaves out a prompt with a word that may be a secret', () => {
  ask(`use ${['q8Zr', '2Lm9', 'Xv4T'].join('')} there`);
  ask('and this');
  expect(asked(newsSince(log, {}))).toEqual(['and this']);
});

it('counts an event once, and none that another replaced', () => {
  const first = ask('as the hook saw it');
  ask('as the transcript has it', {}, { supersedes: [first.id] });
  const twice = ask('twice');
  log.append([twice]);
  expect(asked(newsSince(log, {}))).toEqual(['as the transcript has it', 'twice']);
});

it('has the newest four prompts and eight files, and of a long prompt the beginning', () => {
  for (let at = 0; at < 10; at++) {
    ask(`${at}`);
    edit(`src/${at}.ts`);
  }
  const lines = newsSince(log, {});
  expect(asked(lines)).toEqual(['6', '7', '8', '9']);
  expect(lines.at(-1)).toBe(`edited ${[2, 3, 4, 5, 6, 7, 8, 9].map((at) => `src/${at}.ts`).join(', ')}`);
  ask('word '.repeat(100));
  expect(asked(newsSince(log, {})).at(-1)?.length).toBe(160);
});

it('names a file with blanks only in quotes, and any file that the user typed', () => {
  edit('src/my notes.md');
  expect(newsSince(log, {})).toEqual(['edited "src/my notes.md"']);
  ask('look at заметки.md');
  edit('заметки.md');
  expect(newsSince(log, {}).at(-1)).toBe('edited "src/my notes.md", "заметки.md"');
});

it('keeps the newest lines that fit', () => {
  for (const text of ['a', 'b', 'c', 'd']) ask(`${text} ${'数据库'.repeat(50)}`);
  edit('src/a.ts');
  const lines = newsSince(log, {});
  const text = lines.join('\n- ');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.length).toBeLessThan(4);
  expect(lines.at(-1)).toBe('edited src/a.ts');
  expect(asked(lines).at(-1)).toMatch(/^d/);
  expect(estimateTokens(text)).toBeLessThanOrEqual(sinceMaxTokens);
  for (let at = 0; at < 10; at++)
    edit(`${at}${'x'.repeat(22)}/${'y'.repeat(23)}/${'z'.repeat(23)}/${'w'.repeat(20)}.ts`);
  for (let at = 0; at < 4; at++) ask(`${at}${' aaaaaaa'.repeat(30)}`);
  expect(newsSince(log, {}).join('\n- ').length).toBeLessThanOrEqual(sinceMaxChars);
});

it('reads only the last 64 KB, over several files', () => {
  const filler = (kb: number) => answer('x'.repeat(1_000 * kb));
  now = Date.parse('2026-10-30T12:00:00Z');
  ask('long ago');
  filler(40);
  ask('in October');
  filler(20);
  const october = log.end();
  now = Date.parse('2026-11-14T12:00:00Z');
  ask('in November');
  expect(asked(newsSince(log, {}))).toEqual(['long ago', 'in October', 'in November']);
  expect(asked(newsSince(log, october))).toEqual(['in November']);
  filler(30);
  expect(asked(newsSince(log, {}))).toEqual(['in October', 'in November']);
  filler(30);
  expect(asked(newsSince(log, {})), 'the end of the newer file').toEqual(['in November']);
  filler(40);
  expect(newsSince(log, {})).toEqual([]);
});

it('of other sessions are those since its own last event, of any kind but its start', () => {
  const others = { thanSession: 'own' };
  ask('before', { agentSession: 'other' });
  ask('mine', { agentSession: 'own' });
  ask('between', { agentSession: 'other' });
  answer('mine', { agentSession: 'own' });
  ask('after', { agentSession: 'other' });
  add({ kind: 'session', agentSession: 'own', body: { phase: 'start' } } as EventEnvelope);
  expect(asked(newsSince(log, {}, others))).toEqual(['after']);
  expect(asked(newsSince(log, {}, { thanSession: 'new' }))).toEqual(['before', 'mine', 'between', 'after']);
});

it('of other sessions are those after the time of its last answer, if the agent reported it', () => {
  ask('before', { agentSession: 'other' });
  const last = answer('mine', { agentSession: 'own' });
  ask('mine', { agentSession: 'own' });
  ask('after', { agentSession: 'other' });
  const after = Date.parse(last.at);
  expect(asked(newsSince(log, {}, { thanSession: 'own', after }))).toEqual(['after']);
  expect(asked(newsSince(log, {}, { thanSession: 'own', after: after - 60_000 }))).toEqual(['after']);
  expect(asked(newsSince(log, {}, { thanSession: 'own', after: after - 60_001 }))).toEqual([
    'before',
    'after',
  ]);
  expect(newsSince(log, {}, { thanSession: 'own', after: now })).toEqual([]);
});
