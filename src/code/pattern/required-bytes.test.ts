import { describe, expect, it } from 'vitest';
import type { ByteTest } from '../byte-scan.ts';
import { parseRegex } from './parse.ts';
import { selectiveWindow, wholeWindow } from './required-bytes.ts';

const parse = (regex: string, ignoreCase = false) => parseRegex(regex, { ignoreCase, wholeWord: false });

/** The bytes of a window: a letter for a single byte, `b-d` for a range, `[b-d]` in both cases. */
const show = (window: ByteTest[] | undefined): string | undefined =>
  window === undefined
    ? undefined
    : Buffer.from(
        window.flatMap(({ low, more }) => (more === 0 ? [low] : [low, 45, low + more])),
      ).toString() + (window.some(({ or }) => or === 32) ? ' in both cases' : '');

describe('The window of a pattern', () => {
  it.each([
    ['xqzk', 'xqzk'],
    ['größe', 'größe'],
    ['x[b-d]', 'xb-d'],
    ['x[Q-Zq-z]', 'xq-z in both cases'],
    ['x[@-Z`-z]', undefined],
    ['x[Q-Zr-z]', undefined],
    ['x[Q-Zq-y]', undefined],
    ['x[^b]', undefined],
    ['x[bd]', undefined],
    ['x[à-ü]', undefined],
    ['xq+', undefined],
    ['^xq', undefined],
    ['', undefined],
  ])('is the whole of %s if it is a fixed sequence of byte tests: %s', (regex, expected) => {
    expect(show(wholeWindow(parse(regex)))).toBe(expected);
  });

  it.each([
    ['.xqzk.', 'xqzk'],
    ['xq+zkqx', 'qzkqx'],
    ['zkqx\\(+q', 'zkqx('],
    ['zkq{2}xq', 'zkqqxq'],
    ['zkq{2,}x', 'zkqq'],
    ['zkq{2,3}x', 'zkqq'],
    ['zkjq?xqzkj', 'xqzkj'],
    ['zkjq*xqzkj', 'xqzkj'],
    ['zk\\bxqzkj', 'zkxqzkj'],
    ['(?:zkjqx)+', 'zkjqx'],
    ['zk(?:jqx)+jq', 'jqx'],
    ['(?:zkjqx|qqqqq)', undefined],
    ['e.t', undefined],
  ])('of %s is the rarest run that every match contains: %s', (regex, expected) => {
    expect(show(selectiveWindow(parse(regex)))).toBe(expected);
  });

  it('is at most 64 bytes long', () => {
    expect(selectiveWindow(parse('zkq{70}x'))).toHaveLength(64);
    expect(selectiveWindow(parse(`.*${'xqzk'.repeat(20)}`))).toHaveLength(64);
  });
});
