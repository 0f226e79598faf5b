import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { HookCall } from '../agents/agent.ts';
import { systemClock } from '../base/clock.ts';
import { homePaths } from '../base/paths.ts';
import { everywhereSection, type PreludeLine, writePrelude } from '../memory/prelude/prelude-file.ts';
import type { RecallForPrompt } from '../memory/prompt-context/answer-prompt.ts';
import { estimateTokens } from '../text/tokens.ts';
import { prepareSubagent, subagentContext } from './subagent.ts';

const home = mkdtempSync(join(tmpdir(), 'backstory-subagent-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const paths = homePaths(home);
beforeEach(() => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(paths.project('p').folder, { recursive: true });
});

const place = { project: 'p', root: '/work' };
const recalled: Parameters<RecallForPrompt>[0][] = [];
const recall: RecallForPrompt = async (query) => {
  recalled.push(query);
  return { text: [`- about ${query.prompt}`], lines: [] };
};
const store = (lines: [PreludeLine['section'], string][]) =>
  writePrelude(paths.project('p').prelude, {
    v: 1,
    position: {},
    lines: lines.map(([section, text]) => ({ section, text, reason: 'x' })),
  });
const callOf = (more: Partial<HookCall>) => ({ agentSession: 's', ...more }) as HookCall;
const start = (type: string, more: Partial<HookCall> = {}) =>
  subagentContext(callOf({ subagent: { id: 'a', type }, ...more }), place, {
    paths,
    clock: systemClock,
    loadRecall: () => recall,
  });
const prepare = (prompt: string, subagent_type?: string) =>
  prepareSubagent({ tool_input: { prompt, subagent_type } }, callOf({}), place, { paths, recall });
const linesIn = (text: string | Promise<string>): string[] => String(text).split('\n').slice(2, -1);

describe('a subagent that starts', () => {
  it('is told nothing if there are no rules and nothing waits for it, and changes no state', () => {
    store([['Decided', 'one queue']]);
    expect(start('Explore')).toBe('');
    expect(existsSync(paths.project('p').toldSessions)).toBe(false);
  });

  it('is told the rules, what the user said, and what holds in every project', () => {
    store([
      ['Rules', 'a'],
      ['Decided', 'b'],
      ['You said', 'c'],
      [everywhereSection, 'd'],
      ['Unfinished', 'e'],
    ]);
    expect(linesIn(start('Explore'))).toEqual(['Rules:', '- a', '- c', '- d']);
  });

  it('is told what was recalled for the task of its type, once', async () => {
    await prepare('first', 'Explore');
    await prepare('second', 'Plan');
    expect(linesIn(start('Plan'))).toEqual(['- about second']);
    expect(start('Plan')).toBe('');
    expect(linesIn(start('Explore'))).toEqual(['- about first']);
    expect(recalled.at(-1)).toMatchObject({
      project: 'p',
      root: '/work',
      prompt: 'second',
      agentSession: 's',
      told: [],
    });
  });

  it('is told the oldest task that waits for it, or that has no type', async () => {
    await prepare('of any type');
    await prepare('first', 'Explore');
    await prepare('second', 'Explore');
    const told = ['Explore', 'Explore', 'Explore'].map((type) => linesIn(start(type))[0]);
    expect(told).toEqual(['- about of any type', '- about first', '- about second']);
  });

  it('without a task in words is told only the rules', async () => {
    const before = recalled.length;
    await prepare('', 'Explore');
    expect(recalled).toHaveLength(before);
    expect(start('Explore')).toBe('');
  });

  it('is waited for by the last eight tasks at most', async () => {
    for (let at = 0; at < 9; at++) await prepare(`${at}`, 'Explore');
    expect(readFileSync(paths.project('p').toldSessions, 'utf8')).not.toContain('about 0');
    expect(linesIn(start('Explore'))).toEqual(['- about 1']);
  });

  it('whose agent sends its task with the start is told at once', async () => {
    store([['Rules', 'a']]);
    expect(linesIn(await start('', { task: 'now' }))).toEqual(['Rules:', '- a', '- about now']);
  });

  it('is told the rules that fit into 540 tokens with its task', async () => {
    await prepare('it', 'Explore');
    const task = '- about it';
    const rule = (length: number) => `- ${'数'.repeat(length)}`;
    const size = (...rules: string[]) => estimateTokens(['Rules:', ...rules, task].join('\n'));
    const fitting = 540 - size(rule(0));
    expect(size(rule(fitting))).toBe(540);
    store([
      ['Rules', '数'.repeat(fitting + 1)],
      ['Rules', 'short'],
    ]);
    expect(linesIn(start('Explore'))).toEqual(['Rules:', '- short', task]);
    await prepare('it', 'Explore');
    store([
      ['Rules', '数'.repeat(fitting)],
      ['Rules', 'short'],
    ]);
    expect(linesIn(start('Explore'))).toEqual(['Rules:', rule(fitting), task]);
  });
});
