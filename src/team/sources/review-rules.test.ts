import { describe, expect, it } from 'vitest';
import type { ReviewRemark } from '../store/team-sources.ts';
import { proposedRules, standingRuleIn } from './review-rules.ts';

const remark = (day: number, text: string, more: Partial<ReviewRemark> = {}): ReviewRemark => ({
  sourceRef: `r${day}`,
  text,
  author: 'noa',
  request: `acme/queue#${day}`,
  url: `https://forge.example/r${day}`,
  created: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  isTakenUp: false,
  ...more,
});

describe('A rule of reviewers', () => {
  it('is proposed if it was stated on two pull requests and taken up once, with its evidence', () => {
    const [rule, ...others] = proposedRules([
      remark(2, 'Nit: never log access tokens.', { author: 'mia' }),
      remark(1, 'Never log access tokens, please.', { isTakenUp: true }),
    ]);
    expect(others).toEqual([]);
    expect(rule).toMatchObject({
      sourceRef: 'review-rule/r1',
      text: 'never log access tokens.\nSaid in review: acme/queue#1 by noa, taken up (https://forge.example/r1), acme/queue#2 by mia (https://forge.example/r2)',
      created: '2026-11-01T10:00:00.000Z',
      updated: '2026-11-02T10:00:00.000Z',
    });
    expect(rule?.evidence).toHaveLength(2);
  });

  it('is not proposed from one pull request, without having been taken up, or from opposite remarks', () => {
    const said = 'Never log access tokens.';
    expect(proposedRules([remark(1, said, { isTakenUp: true })])).toEqual([]);
    expect(
      proposedRules([remark(1, said, { isTakenUp: true }), remark(2, said, { request: 'acme/queue#1' })]),
    ).toEqual([]);
    expect(proposedRules([remark(1, said), remark(2, said)])).toEqual([]);
    expect(
      proposedRules([remark(1, said, { isTakenUp: true }), remark(2, 'Always log access tokens.')]),
    ).toEqual([]);
  });

  it('is a sentence that says how things are always done, and that needs no line of code', () => {
    for (const rule of [
      'Always close leases in a finally block.',
      'We never log access tokens.',
      "Please don't use default exports.",
      'nit: prefer named exports',
      'In this repo tests live next to the code.',
    ])
      expect(standingRuleIn(rule), rule).toBe(rule.replace(/^nit: /, ''));
    for (const other of [
      'Typo.',
      'Why do we never log tokens?',
      'Always close it.',
      'We should rename this function.',
      'Rename the timeout.',
      '> Always close leases.',
      '```\nnever log access tokens\n```',
    ])
      expect(standingRuleIn(other), other).toBeUndefined();
  });
});
