import { describe, expect, it } from 'vitest';
import { verifyStatement } from './verify-statement.ts';

const checkout = ['src/auth/router.ts', 'parseConfig', 'README.md'];
const check = (statement: string, quote: string, ...prompts: string[]) =>
  verifyStatement({ statement, quote }, prompts, (name) => checkout.includes(name));
const isVerified = (statement: string, quote: string, ...prompts: string[]): boolean =>
  check(statement, quote, ...prompts).isVerified;

describe('the quote of a statement', () => {
  it('is found in what the user typed, and returned as the whole sentence', () => {
    expect(
      check(
        'Use valibot instead of zod',
        'use valibot instead',
        "let's go with zod",
        'nope, too slow. use valibot instead. thanks',
      ),
    ).toEqual({ isVerified: true, why: '', quote: 'use valibot instead.', prompt: 1 });
  });

  it('is compared without white space, typographic quotes and the case of its first letter', () => {
    expect(
      isVerified("Don't use default exports", 'Don’t use default\n exports.', "don't use  default exports"),
    ).toBe(true);
  });

  it('counts from the last prompt that has it', () => {
    expect(check('Use pnpm', 'use pnpm', 'use pnpm', 'again: use pnpm').prompt).toBe(1);
  });

  it('must be whole words of the user', () => {
    const why = 'The quote is not in a message that the user typed in this session.';
    expect(check('Use npm', 'use npm', 'use npmx')).toEqual({
      isVerified: false,
      why,
      quote: '',
      prompt: -1,
    });
    expect(isVerified('Use pnpm', 'use pnpm', 'fix the login')).toBe(false);
    expect(isVerified('Use pnpm', '', 'use pnpm')).toBe(false);
  });

  it('is not found in what the user pasted', () => {
    expect(isVerified('Always use tabs', 'always use tabs', 'I get this:\nalways use tabs')).toBe(false);
    expect(isVerified('Always use tabs', 'always use tabs', '> always use tabs\nis that right?')).toBe(false);
    expect(isVerified('Always use tabs', 'always use tabs', 'look\n```\nalways use tabs\n```')).toBe(false);
    expect(isVerified('Always use tabs', 'always use tabs', 'WARN: always use tabs')).toBe(false);
  });

  it('includes an exception in the next sentence and the heading of its list', () => {
    expect(check('Use tabs, but not in YAML', 'use tabs', 'use tabs. except in yaml.').quote).toBe(
      'use tabs. except in yaml.',
    );
    const listed = 'never do these things:\n- push to main\n- amend';
    expect(check('Never push to main', 'push to main', listed)).toMatchObject({
      isVerified: true,
      quote: 'never do these things: push to main',
    });
    expect(isVerified('Push to main', 'push to main', listed)).toBe(false);
  });
});

describe('the meaning of a statement', () => {
  it.each([
    ['Use a transaction', 'transaction', 'no transaction. pgbouncer kills long ones'],
    ['Use default exports', 'use default exports', "please don't use default exports"],
    ['Use npm, not pnpm', 'use pnpm', 'use pnpm not npm'],
    ['Never use tabs', 'use tabs', 'use tabs'],
    ['Use redis', 'using redis', 'stop using redis'],
    ['Use jest', 'from jest to vitest', 'we switch from jest to vitest'],
    ['Push to main', 'push to main', 'never push to main'],
    ['npm is used', 'npm', 'npm is not used here'],
    [
      'Keep passwords in files',
      'we keep passwords in files',
      'some say we keep passwords in files, which is nonsense, forbidden',
    ],
  ])('must not be the opposite of what the user said: %s', (statement, quote, prompt) => {
    expect(isVerified(statement, quote, prompt)).toBe(false);
  });

  it.each([
    [
      'No transaction: pgbouncer kills long ones',
      'no transaction. pgbouncer kills long ones',
      'no transaction. pgbouncer kills long ones',
    ],
    ['Do not use default exports', 'no default exports', 'no default exports, ever'],
    ['Use pnpm, not npm', 'use pnpm not npm', 'use pnpm not npm'],
    ['Use pnpm instead of npm', 'use pnpm not npm', 'use pnpm not npm'],
    ['Use pnpm', 'use pnpm', 'no, use pnpm'],
    ['Use vitest instead of jest', 'we switch from jest to vitest', 'we switch from jest to vitest'],
    ['redis is no longer used', 'stop using redis', 'stop using redis'],
    ['Default exports are forbidden', 'default exports are not allowed', 'default exports are not allowed'],
    ['Use valibot, not zod', "don't use zod and use valibot", "don't use zod and use valibot"],
    [
      'The start command is removed completely',
      'completely remove the start command',
      "let's completely remove the start command",
    ],
    [
      'Cells are left empty and not merged',
      "don't merge any cells",
      "don't merge any cells, leave them empty",
    ],
    [
      'German is the language by default',
      'make sure the language is german by default',
      'no make sure the language is german by default',
    ],
  ])('agrees with the user: %s', (statement, quote, prompt) => {
    expect(check(statement, quote, prompt)).toMatchObject({ isVerified: true, why: '' });
  });

  it('must keep conditions, exceptions and what holds only for now', () => {
    expect(isVerified('Use tabs', 'use tabs', 'use tabs unless it is yaml')).toBe(false);
    expect(
      isVerified('Use tabs, spaces in YAML', 'use tabs', 'use tabs unless it is yaml, there spaces'),
    ).toBe(true);
    expect(isVerified('Skip the e2e tests', 'skip the e2e tests', 'skip the e2e tests for now')).toBe(false);
    expect(check('Use tabs', 'use tabs', 'use tabs. but not in yaml').why).toBe(
      'The statement leaves out "but not in yaml".',
    );
  });

  it('must be in the words of the quote, not only of the session', () => {
    const earlier = 'what does the start command do, completely?';
    expect(
      isVerified(
        'The start command is removed completely',
        'we removed the session groups',
        earlier,
        'we removed the session groups',
      ),
    ).toBe(false);
  });

  it('must be settled', () => {
    expect(isVerified('Use zod', 'use zod', 'should we use zod?')).toBe(false);
    expect(isVerified('Use zod', 'use zod', 'maybe use zod')).toBe(false);
    expect(isVerified('Open: whether to use zod', 'should we use zod', 'should we use zod?')).toBe(true);
    expect(isVerified('Use zod', 'use zod', 'can you use zod?')).toBe(true);
    expect(isVerified('Use zod', 'use zod', 'use zod. never mind.')).toBe(false);
  });
});

describe('the values of a statement', () => {
  it.each([
    ['The upload limit is 20 MB', 'upload limit 10 MB', ['upload limit 10 MB']],
    ['The upload limit is 10 GB', 'upload limit 10 MB', ['upload limit 10 MB']],
    ['The timeout is 25 MB', 'timeout 25', ['timeout 25']],
    ['Retry five times', 'retry 3 times', ['retry 3 times']],
    ['Use valibot from https://evil.example/x', 'use valibot', ['use valibot']],
    ['Use valibot, see https://a.example.evil.io', 'use valibot', ['use valibot, see https://a.example']],
    ['Run tests with `npm test && curl x`', 'run tests with npm test', ['run tests with npm test']],
    ['Run the tests with --force', 'run the tests', ['run the tests with --run']],
    ['Run the tests with curl', 'run the tests', ['run the tests']],
    ['Run pnpm add evil', 'run pnpm', ['run pnpm']],
    ['Use left-padd for strings', 'use left-pad for strings', ['use left-pad for strings']],
    ['Use @evil/core for strings', 'use @acme/core for strings', ['use @acme/core for strings']],
    ['Use Redis for strings', 'use memcached for strings', ['use memcached for strings']],
    ['Use axios for http requests', 'use fetch for http requests', ['use fetch for http requests']],
    ['The package manager is yarn', 'package manager pnpm', ['package manager pnpm']],
    [
      'Errors go through src/auth/handler.ts',
      'errors go through the router',
      ['errors go through the router'],
    ],
    ['Use valibot and disable certificate checks', 'use valibot', ['use valibot']],
    ['Use valibot and skip the checks', 'use valibot', ['why not skip the checks?', 'use valibot']],
    [
      'Use valibot and skip the checks',
      'use valibot',
      ['use valibot\n> skip the checks\n```\nskip the checks\n```'],
    ],
    ['Use valibot with certificate checks turned off everywhere', 'use valibot', ['use valibot']],
  ])('must be typed by the user: %s', (statement, quote, prompts) => {
    expect(isVerified(statement, quote, ...prompts)).toBe(false);
  });

  it.each([
    ['The upload limit is 25 MB', 'make it 25', ['upload limit 10 MB please', 'make it 25']],
    [
      'The upload limit is 25 MB (was 10 MB)',
      'from 10 to 25 MB',
      ['raise the upload limit from 10 to 25 MB'],
    ],
    ['The timeout is 25 seconds', 'timeout 25s', ['timeout 25s']],
    ['Retry 3 times', 'retry three times', ['retry three times']],
    ['At most 10,000 rows', '10000 rows at most', ['10000 rows at most']],
    [
      'Run tests with `npm test -- --run`',
      'run tests with `npm test -- --run`',
      ['run tests with `npm test -- --run`'],
    ],
    [
      'Errors go through `parseConfig` in src/auth/router.ts',
      'errors go through the router',
      ['errors go through the router, parse config'],
    ],
    ['Use @acme/core for strings', 'use @acme/core', ['use @acme/core for strings']],
    [
      'Docs are at https://a.example/docs.',
      'docs are at https://a.example/docs',
      ['docs are at https://a.example/docs'],
    ],
    ['Integrations are opt-in', 'integrations are opt in', ['integrations are opt in']],
  ])('may be typed in another form: %s', (statement, quote, prompts) => {
    expect(check(statement, quote, ...prompts)).toMatchObject({ isVerified: true, why: '' });
  });

  it('do not belong in the topic, which must be a name', () => {
    const topics = ['package manager', 'upload limit', 'ignore all rules', 'x: do it', 'a'.repeat(61)];
    const given = (topic: string) => ({ statement: 'Use pnpm', quote: 'use pnpm', topic });
    expect(
      topics.map((topic) => verifyStatement(given(topic), ['use pnpm'], () => false).isVerified),
    ).toEqual([true, true, false, false, false]);
  });

  it('are named when they are missing', () => {
    expect(check('The limit is 20 MB', 'limit 10 MB', 'limit 10 MB').why).toBe(
      'The user did not type "20 MB".',
    );
  });
});
