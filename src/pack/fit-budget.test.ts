import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { ContextPack } from '../wire/answers/code.ts';
import { maxBudgetTokens, minBudgetTokens } from './context-pack.ts';
import { fitBudget } from './fit-budget.ts';

const words = fc.string({ maxLength: 400, unit: 'grapheme' });
const anyPack: fc.Arbitrary<ContextPack> = fc.record({
  goal: fc.oneof(
    fc.string({ minLength: 1, maxLength: 5_000, unit: 'grapheme' }),
    fc.string({ minLength: 1, maxLength: 5_000, unit: anyCharacter }),
  ),
  intent: fc.constantFrom('bugfix', 'review'),
  budgetTokens: fc.integer({ min: minBudgetTokens, max: maxBudgetTokens }),
  maxFiles: fc.integer({ min: 1, max: 12 }),
  estimatedTokens: fc.constant(0),
  items: fc.array(
    fc.record({
      path: words,
      score: fc.float({ noNaN: true }),
      reasons: fc.uniqueArray(fc.constantFrom('content_match', 'path_match', 'similar_change'), {
        minLength: 1,
      }),
      snippets: fc.array(fc.record({ line: fc.nat(), column: fc.nat(), preview: words }), { maxLength: 3 }),
    }),
    { maxLength: 12 },
  ),
  notes: fc.array(fc.record({ id: words, kind: words, title: words, path: words }), { maxLength: 5 }),
  similarChanges: fc.array(fc.record({ commit: words, title: words }), { maxLength: 3 }),
  nextSteps: fc.array(words, { maxLength: 2 }),
  missing: fc.subarray(['git_history', 'memory'] as const),
  truncated: fc.boolean(),
});

const costOf = (pack: ContextPack): number => estimateTokens(JSON.stringify(pack));

describe('fitBudget', () => {
  it('[pack-budget] never exceeds the budget, for any pack', () => {
    fc.assert(
      fc.property(anyPack, (full) => {
        const pack = fitBudget(full, costOf);
        expect(costOf(pack)).toBeLessThanOrEqual(full.budgetTokens);
        expect(pack.estimatedTokens).toBeLessThanOrEqual(full.budgetTokens);
        // Items are dropped from the end, and `truncated` says so.
        expect(full.items.map(({ path }) => path).slice(0, pack.items.length)).toEqual(
          pack.items.map(({ path }) => path),
        );
        if (pack.items.length < full.items.length) expect(pack.truncated).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('[pack-budget] keeps the whole pack if it fits', () => {
    const full: ContextPack = {
      goal: 'fix auth panic',
      intent: 'bugfix',
      budgetTokens: 1_200,
      maxFiles: 4,
      estimatedTokens: 0,
      items: [
        {
          path: 'src/auth/router.rs',
          score: 28,
          reasons: ['content_match'],
          snippets: [{ line: 42, column: 5, preview: 'panic!("auth panic");' }],
        },
      ],
      notes: [],
      similarChanges: [],
      nextSteps: ['Start there.'],
      missing: [],
      truncated: false,
    };
    expect(fitBudget(full, costOf)).toEqual({ ...full, estimatedTokens: expect.any(Number) });
  });
});
