import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { localTime } from '../../base/clock.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { recapMaxTokens, recapSection, recapText } from './prelude-file.ts';
import { briefRecap, type Recap, recapLines } from './recap.ts';

const at = Date.parse('2026-11-14T12:00:00Z');
const ended = 'it ended with an answer of the agent';
const aRecap = (more: Partial<Recap> = {}): Recap => ({
  ...{ branch: 'main', checkout: 'c', head: 'h', at, agentSession: '0123456789', event: 'e' },
  ...{ asked: ['Make the retry queue survive.'], title: '', files: ['src/queue.ts'] },
  ...{ commits: [], checks: [], end: ended, open: [] },
  ...more,
});
const linesOf = (more: Partial<Recap>, form: 'short' | 'long' = 'short'): string[] =>
  recapLines(aRecap(more), form).map(({ text }) => text);
/** The lines between the day and the end. */
const between = (...args: Parameters<typeof linesOf>): string[] => linesOf(...args).slice(1, -1);
const check = (command: string, more: Partial<Recap['checks'][number]> = {}) => ({
  ...{ command, isFailed: false, isEditedSince: false },
  ...more,
});

describe('the lines of a recap', () => {
  it('say when and where it was, what was asked and edited, and how it ended', () => {
    expect(linesOf({})).toEqual([
      `${localTime(at)} on main, session 01234567`,
      'the user asked "Make the retry queue survive."',
      'edited src/queue.ts',
      ended,
    ]);
    expect(linesOf({ branch: '' })[0]).toBe(`${localTime(at)}, session 01234567`);
    expect(linesOf({ end: '' }).at(-1)).toBe('edited src/queue.ts');
  });

  it('are sourced, and can be muted together', () => {
    const lines = recapLines(aRecap(), 'short');
    const [first] = lines;
    expect(first).toMatchObject({
      section: recapSection,
      event: 'e',
      reason: expect.stringContaining('own words'),
    });
    expect(new Set(lines.map(({ line }) => line)).size).toBe(1);
    expect(recapLines(aRecap({ agentSession: 'other' }), 'short')[0]?.line).not.toBe(first?.line);
  });

  it('say what the session is called, unless the first request says it', () => {
    expect(between({ title: 'Retries of the queue' })).toEqual([
      'called "Retries of the queue"',
      'the user asked "Make the retry queue survive."',
      'edited src/queue.ts',
    ]);
    expect(between({ title: 'Make the retry queue survive' })).toHaveLength(2);
    expect(between({ title: 'Make the retry queue survive; tests passed' })).toHaveLength(2);
    expect(between({ title: 'Make the retry queue…' })).toHaveLength(2);
    expect(between({ title: 'Retries of the queue', asked: ['', 'go on'] })[1]).toBe('asked later "go on"');
  });

  it('have no first request that says nothing beside the name of the work', () => {
    const asked = ['yes, delete them'];
    expect(between({ title: 'Retries of the queue', asked })).toEqual([
      'called "Retries of the queue"',
      'edited src/queue.ts',
    ]);
    expect(between({ asked })[0]).toBe('the user asked "yes, delete them"');
  });

  it('have the last request that says something, if the work ended with an answer', () => {
    const asked = [
      'Make it survive.',
      'now the same for the mail worker',
      'add docs to the mail worker',
      'ok go on',
    ];
    expect(between({ asked })[1]).toBe('asked later "add docs to the mail worker"');
    const two = [asked[0] as string, 'write tests of every mail worker', asked[2] as string];
    expect(between({ asked: two }).filter((text) => text.startsWith('asked later'))).toEqual([
      'asked later "add docs to the mail worker"',
    ]);
    const open = linesOf({ asked, end: 'the last request has no answer' });
    expect(open[2]).toBe('asked later "ok go on"');
    expect(between({ asked: ['Make it survive.', 'ok go on'] })[1]).toBe('asked later "ok go on"');
    expect(between({ asked }, 'long').slice(1, -1)).toEqual([
      'asked later "now the same for the mail worker"',
      'asked later "add docs to the mail worker"',
      'asked later "ok go on"',
    ]);
    expect(linesOf({ asked: ['a b c', 'one', 'two', 'three', 'four'] }, 'long')).not.toContain(
      'asked later "one"',
    );
  });

  it('quote a request as a whole or not at all', () => {
    const long = `Never push to main ${'while the release is being built '.repeat(30)}.`;
    expect(between({ asked: [long], title: 'Releases' })).toEqual([
      'called "Releases"',
      'edited src/queue.ts',
    ]);
    expect(between({ asked: ['Never:\n- push to main\n- skip the tests'] })[0]).toBe(
      'the user asked "Never: - push to main - skip the tests"',
    );
  });

  it('refer to a note that tells the same request', () => {
    const told = { section: 'You said', text: '"Make the retry queue survive." [x]', reason: '' } as const;
    const first = (line: object) => recapLines(aRecap(), 'short', { told: [{ ...told, ...line }] })[1]?.text;
    expect(first({ note: 'aaaaaaaa-00000001' })).toBe('the user asked [00000001]');
    expect(first({})).toBe('the user asked "Make the retry queue survive."');
    expect(first({ note: 'aaaaaaaa-00000001', text: 'other' })).toContain('survive');
  });

  it('name four files in the short form, twelve in the long one, and count the others', () => {
    const files = Array.from({ length: 14 }, (_, at) => `src/${at}.ts`);
    expect(between({ files })[1]).toBe('edited src/0.ts, src/1.ts, src/2.ts, src/3.ts and 10 more');
    expect(between({ files }, 'long')[1]).toMatch(/src\/11\.ts and 2 more$/);
  });

  it('name the last two commits, or five in the long form', () => {
    const commits = ['1', '2', '3', '4', '5', '6'];
    expect(between({ commits })[2]).toBe('committed 5, 6');
    expect(between({ commits }, 'long')[2]).toBe('committed 2, 3, 4, 5, 6');
  });

  it('have the last check and the last one before it that failed, and all of them in the long form', () => {
    const checks = [
      check('make lint', { isFailed: true }),
      check('make test', { isFailed: true, isEditedSince: true }),
      check('make docs'),
      check('tsc', { isEditedSince: true }),
    ];
    expect(between({ checks })[2]).toBe(
      'last results: `make test` failed, not run after later edits; `tsc` passed, not run after later edits',
    );
    expect(between({ checks: [check('make test', { isFailed: true }), check('tsc')] })[2]).toBe(
      'last results: `make test` failed; `tsc` passed',
    );
    expect(between({ checks: [check('tsc', { isFailed: true })] })[2]).toBe('last results: `tsc` failed');
    expect(between({ checks }, 'long')[2]).toBe(
      'last results: `make lint` failed; `make test` failed, not run after later edits; `make docs` passed; `tsc` passed, not run after later edits',
    );
    const many = Array.from({ length: 8 }, (_, at) => check(`make ${at}`));
    const shown = between({ checks: many }, 'long')[2];
    expect(shown).toMatch(/^last results: `make 2` passed; .*`make 7` passed$/);
  });

  it('name unfinished work only in the long form', () => {
    const open = [aNote({ id: 'aaaaaaaa-00000002', text: 'Retries are missing.' })];
    expect(linesOf({ open })).toHaveLength(4);
    expect(linesOf({ open }, 'long').at(-1)).toBe('put off: "Retries are missing." [00000002]');
  });

  it('say what is not committed, only for the commit at which that was seen', () => {
    const files = ['src/queue.ts', 'src/mail.ts'];
    const left = recapLines(aRecap({ uncommitted: { files, at } }), 'short').at(-1);
    expect(left).toMatchObject({
      text: `not committed at ${localTime(at)}: src/queue.ts, src/mail.ts`,
      isOfHead: true,
    });
    const none = recapLines(aRecap({ uncommitted: { files: [], at } }), 'short');
    expect(none.at(-1)?.text).toBe(ended);
  });

  const sentences = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => `${name} number ${at} should be done soon.`).join(' ');
  const big = (words: number): Partial<Recap> => ({
    asked: [sentences(words, 'Task'), sentences(words, 'Later')],
    files: Array.from({ length: 30 }, (_, at) => `packages/some-folder/src/module-${at}/index.ts`),
    commits: ['111111111', '222222222', '333333333'],
    checks: [
      check('npm run lint --fix', { isFailed: true, isEditedSince: true }),
      check('npm test -- --all'),
    ],
    uncommitted: {
      files: Array.from({ length: 30 }, (_, at) => `packages/some-folder/src/module-${at}/index.ts`),
      at,
    },
  });

  it.each(['short', 'long'] as const)(
    'fit their limit, whatever was asked, and are never empty (%s)',
    (form) => {
      for (const words of [1, 3, 5, 8, 20, 400])
        for (const title of ['', sentences(4, 'Title'), '長い題名です'.repeat(40)]) {
          const lines = recapLines(aRecap({ ...big(words), title }), form, { isBeside: true });
          const tokens = estimateTokens(recapText(lines.map(({ text }) => text)).join('\n'));
          expect(tokens).toBeLessThanOrEqual(recapMaxTokens[form] - 45);
          expect(lines[0]?.text).toContain('session 01234567');
          expect(lines.map(({ text }) => text).join('\n')).toContain('last results: ');
        }
    },
  );

  it('leave out what is long before what is important, and tell the rest', () => {
    const asked = [sentences(40, 'Task')];
    expect(between({ asked, title: 'Tasks', commits: ['111111111'] })).toEqual([
      'called "Tasks"',
      'edited src/queue.ts',
      'committed 111111111',
    ]);
  });

  it('are one line for a session elsewhere', () => {
    expect(briefRecap(aRecap({ title: 'Retries of the queue' }))).toBe(
      `${localTime(at)} on main, session 01234567, called "Retries of the queue"`,
    );
    expect(briefRecap(aRecap())).toBe(`${localTime(at)} on main, session 01234567`);
  });
});
