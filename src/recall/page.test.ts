import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../../test/support/recall-answer.ts';
import { estimateTokens } from '../text/tokens.ts';
import { wrap } from '../text/wrap.ts';
import type { Hit, RecallAnswer } from './hit.ts';
import { fitPage, pageSize } from './page.ts';
import { renderForAgent } from './render.ts';

const linesOf = (text: string): number => wrap(text, pageSize.columns).split('\n').length;
const pageOf = (texts: string[]): string[] =>
  fitPage(
    texts.map((text, at) => ({ text, about: `  id${at}  you` })),
    'head\nfoot',
    pageSize,
  );

const now = Date.UTC(2026, 10, 18);
const hitOf = (text: string, more: object = {}): Hit => ({
  id: 'a'.repeat(32),
  preview: text,
  ranks: {},
  score: 1,
  why: {},
  chunk: {
    id: 'a'.repeat(32),
    project: 'p',
    source: 'event',
    sourceId: 's',
    kind: 'prompt',
    origin: 'user',
    trust: 2,
    agent: 'claude-code',
    agentSession: '0123456789',
    turn: '',
    branch: '',
    at: now - 3 * 86_400_000,
    paths: [],
    concepts: [],
    pinned: false,
    text: `${text} And the rest of it.`,
    ...more,
  },
});
/** The lines within the fence. */
const linesIn = (answer: RecallAnswer, options: object = {}): string[] =>
  renderForAgent(answer, 'q', { now, ...options })
    .split('\n')
    .slice(2, -1);

describe('[recall-page] a default answer', () => {
  it('takes at most 25 lines of 100 columns and 900 tokens, whatever the texts are', () => {
    const word = fc.constantFrom('release', 'x'.repeat(250), '東京', '数据库连接池的大小', '🦩', '{}[]', 'a');
    const text = fc
      .array(word, { minLength: 1, maxLength: 60 })
      .map((words) => words.join(' ').slice(0, 300));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const page = ['head\nfoot', ...pageOf(texts)].join('\n');
        expect(linesOf(page)).toBeLessThanOrEqual(pageSize.lines);
        expect(estimateTokens(page)).toBeLessThanOrEqual(pageSize.tokens);
        expect(
          linesOf(renderForAgent(answerOf(texts.map((one) => hitOf(one))), 'q', { now })),
        ).toBeLessThanOrEqual(pageSize.lines);
      }),
      { numRuns: 50 },
    );
    const dense = pageOf(Array.from({ length: 20 }, () => '{}[]();'.repeat(42)));
    expect(estimateTokens(dense.join('\n'))).toBeLessThanOrEqual(pageSize.tokens);
  });

  it('has the best hits in order and uses the lines that are left', () => {
    const long = 'the release is planned for the second week '.repeat(7).trim();
    const page = pageOf(Array.from({ length: 20 }, () => long));
    expect(page.map((entry) => entry.split('\n  ')[1])).toEqual(page.map((_, at) => `id${at}  you`));
    expect([page.length, linesOf(page.join('\n'))]).toEqual([5, 23]);
    expect(page[4]).toMatch(/…\n/);
    expect(pageOf(['short', long])).toEqual(['short\n  id0  you', `${long}\n  id1  you`]);
  });

  it('has the text of a hit before one line about it, in which the user is not the agent that reads it', () => {
    const note = { source: 'note', kind: 'rule', topic: 'deploys', concepts: ['superseded'] };
    const hits = [
      hitOf('Deploys go out on Tuesdays.'),
      hitOf('Done.', { kind: 'answer', origin: 'assistant', trust: 1 }),
      hitOf('Deploy on Mondays.', { ...note, sourceId: '0190a000-0000-7000-8000-000000000000' }),
    ];
    expect(linesIn(answerOf(hits))).toEqual([
      'Deploys go out on Tuesdays.',
      '  [aaaaaaaa] the user, claude-code session 01234567 · 3 d ago',
      'Done.',
      '  [aaaaaaaa] the agent, claude-code session 01234567 · 3 d ago',
      'Deploy on Mondays.',
      '  [00000000] rule (deploys), superseded · said or approved by the user · 3 d ago',
    ]);
    expect(linesIn(answerOf(hits.slice(0, 1)), { format: 'full' })).toEqual([
      'Deploys go out on Tuesdays. And the rest of it.',
      '  [aaaaaaaa] the user, claude-code session 01234567 · 3 d ago',
    ]);
  });

  it('says what may have changed, what is beyond the page, and if there is no good match', () => {
    const changedBy = {
      id: '0190a000-0000-7000-8000-111111111111',
      text: 'Now on Fridays.',
      at: '2026-11-17T10:00:00Z',
    };
    const changed = { ...hitOf('Deploys go out on Tuesdays.'), changedBy };
    expect(linesIn(answerOf([changed], { match: 'weak', truncated: true }), { offset: 10 })).toEqual([
      'No good match. These are only the nearest hits.',
      'Deploys go out on Tuesdays.',
      '  [aaaaaaaa] the user, claude-code session 01234567 · 3 d ago',
      '  may have changed: Now on Fridays., 2026-11-17 [11111111]',
      'There is more from offset 11: weaker hits.',
    ]);
    const many = answerOf(Array.from({ length: 20 }, (_, at) => hitOf(`Plan ${at}`)));
    expect(linesIn(many).at(-1)).toBe('There is more from offset 10: 10 hits.');
    expect(linesIn(many, { limit: 20 }).filter((line) => line.startsWith('Plan'))).toHaveLength(20);
  });
});

describe('fitPage', () => {
  /** How many lines of each text are on a page of 40 columns, on which `rest` and each `about` take one line. */
  const shownOf = (needed: number[], size: Partial<typeof pageSize>): number[] => {
    const entries = needed.map((lines, at) => ({
      text: Array.from({ length: lines }, () => 'x'.repeat(39)).join(' '),
      about: `id${at}`,
    }));
    const page = fitPage(entries, 'rest', { columns: 40, lines: 1_000, tokens: 10_000, ...size });
    return page.map((entry) => wrap(entry, 40).split('\n').length - 1);
  };

  it.each([
    ['shows at least the best hit', [9, 1], 3, [3]],
    [
      'gives each hit three lines before it adds another, and the lines that are left to those shown',
      [5, 5],
      6,
      [4],
    ],
    ['gives the lines that are left to the first hits that need them', [1, 9, 9, 9], 17, [1, 4, 4, 3]],
    ['shares the lines that are left', [9, 9], 13, [5, 5]],
    ['uses no more lines than there are', [4, 4], 9, [3, 3]],
    ['shows whole texts if there is room', [2, 5, 1], 100, [2, 5, 1]],
  ])('%s', (_, needed, lines, expected) => {
    expect(shownOf(needed, { lines })).toEqual(expected);
  });

  it('cuts the last of the longest texts by the lines that do not fit into the tokens', () => {
    const text = Array.from({ length: 5 }, () => 'x'.repeat(39)).join(' ');
    const tokens = estimateTokens(`rest\n${text}\nid0\n${text}\nid1`);
    expect(shownOf([5, 5], { tokens })).toEqual([5, 5]);
    expect(shownOf([5, 5], { tokens: tokens - 1 })).toEqual([5, 4]);
  });

  it('leaves out the last hits rather than show fewer than three lines of each', () => {
    expect(shownOf([5, 5], { tokens: 1 })).toEqual([3]);
    expect(shownOf([5], { tokens: 1 })).toEqual([5]);
  });
});
