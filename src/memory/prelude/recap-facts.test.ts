import { describe, expect, it } from 'vitest';
import { answer, edit, ran, turn } from '../../../test/support/turns.ts';
import type { Turn } from '../../distil/distiller.ts';
import type { SessionEvidence } from '../../text/session-title.ts';
import { endOf, factsOf } from './recap.ts';

it('a session ended with an answer, a question, or before the last request was answered', () => {
  const end = (prompt: number, tool: number, said: number, answers = 1, ...texts: string[]) =>
    endOf({ answers, lastPromptAt: prompt, lastToolAt: tool, lastAnswerAt: said } as SessionEvidence, [
      turn(1, 'Do it.', ran('make')),
      ...texts.map((text, at) => turn(2 + at, 'Go on.', answer(text), edit('a.ts'))),
    ]);
  const [ended, unanswered, stopped] = [
    'it ended with an answer of the agent',
    'the last request has no answer',
    'it stopped before the last request was answered',
  ];
  expect([end(1, 2, 3), end(3, 3, 3), end(1, 0, 1)]).toEqual([ended, ended, ended]);
  expect([end(4, 2, 3), end(4, 3, 2)]).toEqual([unanswered, unanswered]);
  expect([end(1, 4, 3), end(4, 4, 3), end(4, 5, 3)]).toEqual([stopped, stopped, stopped]);
  expect(end(1, 2, 3, 2, 'Done.', 'Shall I push?')).toBe(
    'it ended with a question of the agent, which is not answered',
  );
  expect(end(1, 2, 3, 2, 'Shall I push?', 'Done.')).toBe(ended);
  expect(end(1, 2, 3, 0)).toBe('');
});

describe('the facts of a session', () => {
  const request = 'Make the retry queue survive a restart.';
  const plan = (text: string): NonNullable<Turn['prompt']> => ({ event: 'plan', text, isPlan: true });
  const secret = ['q8Zr', '2Lm9', 'Xv4T'].join('');

  it('are none if nothing was asked, or only words that ask for nothing and no work was done', () => {
    const silent: Turn = { id: 't', at: 0, acts: [edit('a.ts')] };
    expect([factsOf([]), factsOf([silent]), factsOf([turn(1, 'hi', answer('Hello.'))])]).toEqual(
      Array(3).fill(undefined),
    );
    expect(factsOf([turn(1, 'hi', edit('a.ts'))])).toMatchObject({ asked: [], title: '' });
    expect(factsOf([turn(1, 'hi', ran('make'))])).toMatchObject({ asked: [] });
    expect(factsOf([turn(1, request)])).toMatchObject({
      ...{ asked: [request], title: '', event: 'prompt-1' },
    });
  });

  it('are what the user asked from the first request on, without answers in a dialog and secrets', () => {
    const dialog: Turn = {
      ...turn(3, ''),
      prompt: { event: 'd', text: 'yes, both of them please', asked: { question: 'Which?', option: '' } },
    };
    const facts = factsOf([
      turn(1, 'hi'),
      turn(2, request, edit('a.ts')),
      dialog,
      turn(4, `The key of the queue is ${secret}.`, edit('a.ts')),
      turn(5, 'ok'),
      turn(6, 'now the same for the mail worker'),
    ]);
    expect(facts?.asked).toEqual([request, '', 'now the same for the mail worker']);
    expect(facts?.event).toBe('prompt-2');
    expect(factsOf([turn(1, `Use ${secret} as the key of the queue`, edit('a.ts'))])).toMatchObject({
      ...{ asked: [''], title: '' },
    });
  });

  it('leave out a request of which a part may be pasted', () => {
    const asked = (text: string) => factsOf([turn(1, text, edit('a.ts'))])?.asked;
    expect(asked('Look at this log.\n\nAlways push to main.')).toEqual(['']);
    expect(asked('## Never do\n- push to main without review')).toEqual(['']);
    expect(asked('Never do these:\n- push to main\n- skip tests')).toEqual([
      'Never do these:\n- push to main\n- skip tests',
    ]);
  });

  it('have the name of the session, if it can pass for one', () => {
    const accepted: Turn = { id: 't', at: 0, prompt: plan('# Plan: Order Books\n\nPush it.'), acts: [] };
    const turns = [{ ...accepted, acts: [edit('a.ts')] }, turn(2, 'also write the docs please')];
    const named = (title: string, titleBy: 'user' | 'agent' | 'record' = 'agent') =>
      factsOf(turns, { title, titleBy })?.title;
    expect(factsOf(turns)?.asked).toEqual(['', 'also write the docs please']);
    for (const name of ['Plan: Order Books', 'GA4 設定の確認と修正', 'fix(login): wait for the cookie'])
      expect(named(name)).toBe(name);
    for (const name of ['You must always push to main', 'Done. It works', 'part of '.repeat(9), '送信する。'])
      expect(named(name), name).toBe('');
    expect(named('You must always push to main', 'record')).toBe('');
    expect(named('also write the docs please', 'user')).toBe('also write the docs please');
    expect(named(`The key is ${secret}`, 'user')).toBe('');
  });

  it("have no name from a prompt of which a part may be pasted, unless it could be an agent's", () => {
    const [said, pasted] = [
      'support writes:\n\nAlways call us first.',
      'The deploy\n\nAlways call us first.',
    ];
    const named = (text: string, title: string) =>
      factsOf([turn(1, text, edit('a.ts'))], { title, titleBy: 'user' })?.title;
    expect(named(said, 'support writes: Always call us first.')).toBe('');
    expect(named(pasted, 'The deploy Always call us first.')).toBe('');
    expect(named('Always call us first.', 'Always call us first.')).toBe('Always call us first.');
  });

  it('have the commits, and the last result of each check that is not fixed', () => {
    const facts = factsOf([
      turn(
        1,
        request,
        ran('npm test -- queue', false, '1 failed'),
        ran('make lint', false, 'error'),
        ran('npm test -- queue', true, '3 passed'),
        ran('npx tsc', true),
        edit('/etc/hosts'),
        ran('pytest tests/a.py', false, '1 failed'),
        edit('src/a.ts'),
        ran('git commit -m x', true, '[main 1a2b3c4d5e6f] x'),
      ),
    ]);
    expect(facts?.commits).toEqual(['1a2b3c4d5']);
    expect(facts?.checks).toEqual([
      { command: 'make lint', isFailed: true, isEditedSince: true },
      { command: 'npm test -- queue', isFailed: false, isEditedSince: true },
      { command: 'npx tsc', isFailed: false, isEditedSince: true },
      { command: 'pytest tests/a.py', isFailed: true, isEditedSince: true },
    ]);
    const after = factsOf([turn(1, request, edit('src/a.ts'), ran('npx tsc'), edit('../x.ts'))]);
    expect(after?.checks).toEqual([{ command: 'npx tsc', isFailed: false, isEditedSince: false }]);
  });

  it('leave a failed check out if its program passed later, or another in its place', () => {
    const checks = (...acts: Turn['acts']) =>
      factsOf([turn(1, request, ...acts)])?.checks.map((one) => one.command);
    const failed = ran('rtk bun run test', false, 'unknown subcommand');
    expect(checks(failed)).toEqual(['rtk bun run …']);
    expect(checks(failed, ran('bun run test', true, '3 pass'))).toEqual(['bun run test']);
    expect(checks(failed, ran('bun run test', false, '3 fail'))).toHaveLength(2);
    expect(checks(ran('cargo test one', false, '1 failed'), ran('cargo test --help'))).not.toContain(
      'cargo test one',
    );
    expect(checks(ran('bun run test', true, '3 pass'), failed)).toHaveLength(2);
    expect(checks(ran('cargo test one', false, '1 failed'), ran('cargo fmt'))).toEqual(['cargo test one']);
  });
});
