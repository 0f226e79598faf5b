import { describe, expect, it } from 'vitest';
import type { ReviewRemark } from '../store/team-sources.ts';
import { proposedRules, wishesIn } from './review-rules.ts';

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

  it('is recognised in other words, and told in the latest sentence that does not point at a line', () => {
    const [rule] = proposedRules([
      remark(1, 'Please put hardcoded strings into the locale files.'),
      remark(2, 'Hardcoded user-facing strings again, please move them to the locale files.', {
        isTakenUp: true,
      }),
      remark(3, 'pls move this hardcoded string to the locale files'),
    ]);
    expect(rule?.evidence.map(({ sourceRef }) => sourceRef)).toEqual(['r1', 'r2', 'r3']);
    expect(rule?.text).toMatch(/^Hardcoded user-facing strings again, please move them/);
  });

  it('is not what is said about the pull request, praise, or a question', () => {
    for (const said of [
      'needs a rebase, main moved',
      'CI must be green first',
      'Love how small the component got.',
      'Off by one: the last page is rendered twice.',
      '> Always close leases.',
      '```\nnever log access tokens\n```',
    ])
      expect(wishesIn(said), said).toEqual([]);
    expect(
      proposedRules([
        remark(1, 'Should the retry queue never drop jobs?', { isTakenUp: true }),
        remark(2, 'Should the retry queue never drop jobs?'),
      ]),
    ).toEqual([]);
  });
});
