import { describe, expect, it } from 'vitest';
import { lastingRuleOf, lastingRulesIn } from './lasting-rule.ts';

describe('a standing sentence', () => {
  it.each([
    ['Always run the linter before you commit.', 'rule'],
    ['From now on, write dates as ISO.', 'rule'],
    ['It broke again, so never touch the lock file.', 'rule'],
    ['Please never push to main.', 'rule'],
    ['I prefer small, minimal dependencies, can you help me choose?', 'preference'],
    ['Всегда запускай тесты.', 'rule'],
    ['It always fails on Mondays.', undefined],
    ['The preferred port is taken.', undefined],
    ['', undefined],
  ])('%s → %s', (sentence, standing) => {
    expect(lastingRuleOf(sentence)).toBe(standing);
  });

  it('is found among others, but not in code or quotes', () => {
    const text =
      'The build is red. Always pin versions.\n> Never quoted\n```\nalways_in_code()\nNever here\n```\nThanks!';
    expect(lastingRulesIn(text)).toEqual(['Always pin versions.']);
  });
});
