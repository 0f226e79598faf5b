import { describe, expect, it } from 'vitest';
import type { SessionSlice } from '../domain/agent-session.ts';
import { describeSession, type SessionEvidence, type SessionStep, sessionTitle } from './session-title.ts';

const typed = (text: string): SessionStep => ({ event: text, text, isTyped: true });
const act: SessionStep = {};
const titleOf = (...steps: SessionStep[]) => sessionTitle(steps, [], []).title;

describe('sessionTitle', () => {
  it('[session-title] is the first request of the user that says something', () => {
    expect(titleOf(typed('continue'), act, typed('/review'), act, typed('add a\nretry to the upload'))).toBe(
      'add a retry to the upload',
    );
    expect(titleOf(typed('/issue fix the login on Safari'))).toBe('fix the login on Safari');
    expect(titleOf(typed('add all __pycache__ files to .gitignore'))).toBe(
      'add all __pycache__ files to .gitignore',
    );
  });

  it('leaves out what was pasted, and markup', () => {
    const pasted =
      '{\n  "message": "it is broken here"\n}\n<log>some words of it</log>\nwhy is the page empty?';
    expect(titleOf(typed(pasted))).toBe('why is the page empty?');
    expect(titleOf(typed('add a command /invite <name> to the guild'))).toContain('<name> to the guild');
    expect(titleOf(typed('cover these lines\nFile | Lines | Uncovered\na.ts | 90 | 7'))).toBe(
      'cover these lines',
    );
  });

  it('skips a request that the user took back before the agent did anything', () => {
    const other = typed('make the icon green please');
    expect(titleOf(typed('make the icon blue please'), other, act)).toBe('make the icon green please');
    expect(titleOf(typed('make the icon blue please'), act, other)).toBe('make the icon blue please');
    expect(titleOf(typed('make the icon blue please'), typed('go on'), act)).toBe(
      'make the icon blue please',
    );
  });

  it('names a plan as one, because its words are the agent’s', () => {
    for (const heading of ['# Plan: Token Counter', '# Token Counter'])
      expect(
        sessionTitle([{ text: `${heading}\n\n## Context\nSome text here.`, isPlan: true }], [], []),
      ).toMatchObject({ title: 'Plan: Token Counter', titleBy: 'agent' });
    const sent = typed('Implement the following plan:\n\n# Token Counter\n\n## Context\nIt has none.');
    expect(sessionTitle([sent], [], [])).toMatchObject({
      title: 'Implement the following plan: Token Counter',
      titleBy: 'agent',
    });
  });

  it('says what was done if no prompt says enough', () => {
    const tests = [{ event: 'c', command: 'npm test', result: 'passed' as const }];
    const files = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'];
    expect(sessionTitle([typed('go on'), act], files, tests)).toEqual({
      event: 'go on',
      title: 'go on; edited a.ts, b.ts, c.ts and 1 more; tests passed',
      titleBy: 'record',
    });
  });
});

describe('describeSession', () => {
  const slice = (event: string, text: string, kind = 'command'): SessionSlice => ({
    event,
    kind,
    origin: kind === 'prompt' ? 'user' : 'tool',
    trust: kind === 'prompt' ? 2 : 0,
    at: 1,
    isPlan: false,
    text,
  });
  const session = (given: Partial<SessionEvidence>): SessionEvidence => ({
    ...{ id: 's', agent: 'claude-code', branch: '', firstAt: 1, lastAt: 9, prompts: 1, answers: 1, edits: 0 },
    ...{ commands: 0, failedCommands: 0, files: [], lastPromptAt: 1, lastAnswerAt: 9, lastToolAt: 5 },
    ...{ beginning: [slice('p', 'fix the queue please', 'prompt')], lastCommands: [] },
    ...given,
  });
  const endOf = (given: Partial<SessionEvidence>) => describeSession(session(given)).end;

  it('[session-end] ends with an answer, or stopped without one', () => {
    expect(endOf({})).toBe('finished');
    expect(endOf({ lastToolAt: 10 })).toBe('stopped');
    expect(endOf({ lastPromptAt: 10 })).toBe('stopped');
    expect(endOf({ answers: 0, lastAnswerAt: 0 })).toBeUndefined();
  });

  it('[session-end] is failing if the last check or the last command failed', () => {
    const passed = slice('1', '$ npm test\n3 passed');
    const failed = slice('2', 'failed, exit 1\n$ npm test\n1 failed');
    expect(endOf({ lastCommands: [passed, failed, slice('3', '$ git commit -m wip')] })).toBe('failing');
    expect(endOf({ lastCommands: [failed, passed] })).toBe('finished');
    const format = [slice('2', 'failed, exit 1\n$ cargo fmt --check'), slice('3', '$ cargo fmt')];
    expect(endOf({ lastCommands: format })).toBe('finished');
    expect(endOf({ lastCommands: [slice('3', 'failed, exit 2\n$ make image')] })).toBe('failing');
    expect(endOf({ lastCommands: [slice('3', 'failed, exit 1\n$ grep -r x src')] })).toBe('finished');
    expect(endOf({ lastCommands: [slice('3', 'failed\n$ make image')] })).toBe('finished');
  });

  it('shows the summary without its head', () => {
    const note = 'fix the queue please\nSession of 2026-11-14 with pi.\nEdited: a.ts';
    expect(describeSession(session({}), note)).toMatchObject({
      title: 'fix the queue please',
      titleBy: 'user',
      summary: 'Edited: a.ts',
    });
  });
});
