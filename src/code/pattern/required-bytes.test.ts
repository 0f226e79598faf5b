import { describe, expect, it } from 'vitest';
import { parseRegex } from './parse.ts';
import { requiredBytes, wholeBytes } from './required-bytes.ts';

const parse = (regex: string) => parseRegex(regex, { ignoreCase: false, wholeWord: false });

describe('The bytes of a pattern', () => {
  it.each([
    ['xqzk', 'xqzk'],
    ['x', 'x'],
    ['größe', 'größe'],
    ['x[b-d]', undefined],
    ['x[bd]', undefined],
    ['xq+', undefined],
    ['^xq', undefined],
    ['', undefined],
  ])('are the whole of %s if it is a fixed sequence of characters: %s', (regex, expected) => {
    expect(wholeBytes(parse(regex))?.toString()).toBe(expected);
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
    ['abc.xyz', 'abc'],
    ['zkq{64}ab', `zk${'q'.repeat(64)}ab`],
    ['zkq{65}ab', `zk${'q'.repeat(64)}`],
    ['e.t', undefined],
  ])('of %s are the longest run that every match contains: %s', (regex, expected) => {
    expect(requiredBytes(parse(regex))?.toString()).toBe(expected);
  });
});
