import { describe, expect, it } from 'vitest';
import type { SessionSlice } from '../domain/agent-session.ts';
import type { SessionName } from '../domain/event.ts';
import { describeSession, type SessionEvidence, type SessionRequest, sessionTitle } from './session-title.ts';

const typed = (text: string): SessionRequest => ({ event: text, text, typist: 'person' });
const titleOf = (...prompts: SessionRequest[]) => sessionTitle({ prompts }).title;

describe('sessionTitle', () => {
  const prompts = [typed('Fix the login form on Safari')];

  it('[session-title] is what the transcript calls the session: the last name that was set, or the agent’s', () => {
    const agent = { title: 'Login form on Safari loses the cookie', by: 'agent' as const };
    const set = { title: 'Safari login', by: 'rename' as const };
    const request = { title: '#45', by: 'pull-request' as const, url: 'https://forge.example/pull/45' };
    const published = ['fix(login): wait for the cookie'];
    const named = (...names: SessionName[]) => sessionTitle({ names, published, prompts });
    expect(named(agent, request)).toMatchObject({
      title: 'Login form on Safari loses the cookie',
      titleBy: 'agent',
    });
    expect(named(set, agent, { ...set, title: 'Cookies of Safari are lost at login' }, request).title).toBe(
      'Cookies of Safari are lost at login',
    );
    expect(named(request).title).toBe('fix(login): wait for the cookie');
    expect(named({ ...agent, title: 'Issue analysis' }).title).toBe(
      'Issue analysis · fix(login): wait for the cookie',
    );
  });

  it('[session-title] is the first prompt that says something, never an assent', () => {
    for (const nothing of [
      'yes',
      'yes, delete them',
      'fix both',
      'go on',
      'go ahead',
      'はい。お願いします',
      '/review',
    ])
      expect(titleOf(typed(nothing), typed('add a\nretry to the upload'))).toBe('add a retry to the upload');
    expect(titleOf(typed('はい。'), typed('GA4 の計測がまだ動いていない'))).toBe(
      'GA4 の計測がまだ動いていない',
    );
    expect(titleOf(typed('yes'), typed('why is the page empty?'), typed('ok'))).toBe(
      'why is the page empty?',
    );
    expect(titleOf(typed('/issue fix the login on Safari'))).toBe('fix the login on Safari');
  });

  it('leaves out what was pasted or sent by a program', () => {
    const event = '<ci-monitor-event>\nThe build of main failed\n</ci-monitor-event>';
    const frame = '    at Object.async (src/a.ts:12:3)';
    expect(titleOf(typed(event), typed(`${frame}\n\nThis breaks the build of main`))).toBe(
      'This breaks the build of main',
    );
    expect(titleOf(typed('add a command /invite <name> to the guild'))).toContain('<name> to the guild');
  });

  it('names a plan as one, because its words are the agent’s', () => {
    for (const heading of ['# Plan: Token Counter', '# Token Counter'])
      expect(
        sessionTitle({ prompts: [{ text: `${heading}\n\n## Context\nSome text here.`, isPlan: true }] }),
      ).toMatchObject({ title: 'Plan: Token Counter', titleBy: 'agent' });
    const sent = typed('Implement the following plan:\n\n# Token Counter\n\n## Context\nIt has none.');
    expect(sessionTitle({ prompts: [sent] })).toMatchObject({
      title: 'Implement the following plan: Token Counter',
      titleBy: 'agent',
    });
  });

  it('says what was done if no prompt says enough', () => {
    const tests = [{ event: 'c', command: 'npm test', result: 'passed' as const }];
    const files = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'];
    expect(sessionTitle({ prompts: [typed('go on')], files, tests })).toEqual({
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
    ...{
      beginning: [slice('p', 'fix the queue please', 'prompt')],
      lastCommands: [],
      publishing: [],
      names: [],
    },
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

  it('[session-title] is called after the pull request that it opened, or the first commit that it made', () => {
    const commit = slice(
      '1',
      "$ git commit -am 'fix(login): wait'\n[main 1a2b3c4] fix(login): wait for the cookie",
    );
    const opened = slice(
      '2',
      `$ gh pr create --base main --title "Fix the login on Safari" --body "It waits."`,
    );
    expect(describeSession(session({ publishing: [commit] })).title).toBe('fix(login): wait for the cookie');
    expect(describeSession(session({ publishing: [opened] })).title).toBe('Fix the login on Safari');
    const url = 'https://forge.example/pull/45';
    const linked = describeSession(session({ names: [{ title: '#45', by: 'pull-request', url }] }));
    expect(linked).toMatchObject({ title: 'fix the queue please', pullRequests: [url] });
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
