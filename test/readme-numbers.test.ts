import { expect, it } from 'vitest';
import { isOutdated, shownResult } from '../scripts/readme-numbers.ts';
import { atLeast, atMost, type Report } from './harness/evaluation.ts';
import { hashCode } from './harness/measured-code.ts';

const report = (changes: Partial<Report> = {}): Report => ({
  name: 'sample',
  at: '2026-11-18T00:00:00.000Z',
  machine: { cores: 2, node: 'v24.0.0', load: 0 },
  n: 200,
  seed: 1,
  measures: ['src/base'],
  code: hashCode(['src/base']),
  figures: {},
  bars: { ratio: atMost(1.49, 1.5), other: atMost(9, 5), events: atLeast(200, 100) },
  ...changes,
});

it('a number is shown as it was measured, and as missed if it is beyond its goal by one digit', () => {
  expect(shownResult(report(), 'ratio', ' ×')).toBe('1.49 ×');
  expect(shownResult(report({ bars: { ratio: atMost(1.53, 1.5) } }), 'ratio', ' ×')).toBe('1.53 × (missed)');
});

it('a number is shown as missed if its run captured too little to prove anything', () => {
  const bars = { leaks: atMost(0, 0), events: atLeast(3, 100) };
  expect(shownResult(report({ bars }), 'leaks', '', ['events'])).toBe('0 (missed)');
});

it('a result is outdated once the code that it measured is another, or if it names none', () => {
  expect(isOutdated(report())).toBe(false);
  expect(isOutdated(report({ measures: ['src/base', 'src/git'] }))).toBe(true);
  const { measures: _, ...without } = report();
  expect(isOutdated(without as Report)).toBe(true);
});

it('a unit test beside the code does not make a result outdated, its code does', () => {
  expect(hashCode(['src/base/clock.ts'])).not.toBe(hashCode(['src/base/none']));
  expect(hashCode(['src/base/*.test.ts'])).toBe(hashCode(['src/base/none']));
});
