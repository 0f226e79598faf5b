import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { type PreludeLine, recapMaxTokens, recapSection, recapText } from './prelude-file.ts';
import { type Recap, recapLines } from './recap.ts';

const at = Date.parse('2026-11-14T12:00:00Z');
const ended = 'it ended with an answer of the agent';
const aRecap = (more: Partial<Recap> = {}): Recap => ({
  ...{ branch: 'main', checkout: 'c', head: 'h', at, agentSession: '0123456789', event: 'e' },
  ...{ asked: ['Make the retry queue survive.'], title: '', plan: '', files: ['src/queue.ts'] },
  ...{ commits: [], checks: [], end: ended, open: [] },
  ...more,
});
const linesOf = (
  more: Partial<Recap>,
  form: 'short' | 'long' = 'short',
  told: PreludeLine[] = [],
): string[] => recapLines(aRecap(more), form, told).map(({ text }) => text);
/** The lines between the day and the end. */
const between = (...args: Parameters<typeof linesOf>): string[] => linesOf(...args).slice(1, -1);
const check = (command: string, more: Partial<Recap['checks'][number]> = {}) => ({
  ...{ command, isFailed: false, isEditedSince: false },
  ...more,
});

describe('the lines of a recap', () => {
  it('say when and where it was, what was asked and edited, and how it ended', () => {
    expect(linesOf({})).toEqual([
      '2026-11-14 on main, session 01234567',
      'the user asked "Make the retry queue survive."',
      'edited src/queue.ts',
      ended,
    ]);
    expect(linesOf({ branch: '' })[0]).toBe('2026-11-14, session 01234567');
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

  it('name the plan instead of a first request', () => {
    expect(between({ plan: 'Order Book', asked: ['now the same for mail please'], files: [] })).toEqual([
      "carried out the agent's plan, which the user accepted: Order Book",
      'asked later "now the same for mail please"',
    ]);
  });

  it('have the last request that says something, if the work ended with an answer', () => {
    const asked = [
      'Make it survive.',
      'now the same for the mail worker',
      'add docs to the mail worker',
      'ok go on',
    ];
    expect(between({ asked })[1]).toBe('asked later "add docs to the mail worker"');
    const short = [...asked.slice(0, 3), 'rename mail queue'];
    expect(between({ asked: short })[1], 'three words').toBe('asked later "add docs to the mail worker"');
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

  it('quote the title if the first request is too long', () => {
    const long = `Make ${'the retry queue '.repeat(60)}survive.`;
    expect(between({ asked: [long], title: 'Make the retry queue' })[0]).toBe(
      'the user asked "Make the retry queue"',
    );
    expect(between({ asked: [long] })).toEqual(['edited src/queue.ts']);
  });

  it('refer to a note that tells the same sentence', () => {
    const told = { section: 'You said', text: '"Make the retry queue survive." [x]', reason: '' } as const;
    const note = { ...told, note: 'aaaaaaaa-00000001' };
    expect(between({}, 'short', [note])[0]).toBe('the user asked [00000001]');
    expect(between({}, 'short', [told])[0]).toBe('the user asked "Make the retry queue survive."');
    expect(between({}, 'short', [{ ...note, text: 'other' }])[0]).toBe(
      'the user asked "Make the retry queue survive."',
    );
    expect(between({ asked: ['# x'] }, 'short', [note])).toEqual(['edited src/queue.ts']);
  });

  it('quote adjacent sentences together, without those that may contain a secret', () => {
    const secret = ['q8Zr', '2Lm9', 'Xv4T'].join('');
    const quoted = (text: string) => between({ asked: [text] })[0];
    expect(quoted('Look at it. Then fix it.')).toBe('the user asked "Look at it. Then fix it."');
    expect(quoted(`Look at it. The key is ${secret}. Then fix it.`)).toBe('the user asked "Look at it."');
    expect(quoted('# Heading\nLook at it.')).toBe('the user asked "Look at it."');
  });

  it('name four files in the short form, twelve in the long one, and count the others', () => {
    const files = Array.from({ length: 14 }, (_, at) => `src/${at}.ts`);
    expect(between({ files })[1]).toBe('edited src/0.ts, src/1.ts, src/2.ts, src/3.ts and 10 more');
    expect(between({ files }, 'long')[1]).toMatch(/src\/11\.ts and 2 more$/);
  });

  it('name the files of the session before, if this one edited none', () => {
    expect(between({ files: [], before: { at: at - 86_400_000, files: ['src/a.ts'] } })[1]).toBe(
      'the session before, 2026-11-13, edited src/a.ts',
    );
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
      text: 'not committed at 2026-11-14 12:00: src/queue.ts, src/mail.ts',
      isOfHead: true,
    });
    const none = recapLines(aRecap({ uncommitted: { files: [], at } }), 'short');
    expect(none.at(-1)?.text).toBe('none of these files has uncommitted changes');
    expect(none.filter(({ isOfHead }) => isOfHead)).toHaveLength(1);
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

  it.each(['short', 'long'] as const)('fit their limit, whatever was asked (%s)', (form) => {
    for (const words of [1, 3, 5, 8, 20]) {
      const lines = recapLines(aRecap(big(words)), form);
      const tokens = estimateTokens(recapText(lines).join('\n'));
      expect(tokens).toBeLessThanOrEqual(recapMaxTokens[form]);
      expect(tokens).toBeGreaterThan(recapMaxTokens[form] * 0.5);
      expect(lines[1]?.text).toContain('the user asked "Task number 0');
    }
  });

  it('have as much of a long request as fits, before a later one', () => {
    const { asked = [] } = big(20);
    const [goal, later] = between({ asked });
    expect(goal?.match(/Task/g)?.length).toBeGreaterThan(5);
    expect(goal).toMatch(/soon\."$/);
    expect(later?.match(/Later/g)?.length).toBeLessThan(goal?.match(/Task/g)?.length ?? 0);
  });
});
