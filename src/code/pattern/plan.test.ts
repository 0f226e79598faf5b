import { describe, expect, it } from 'vitest';
import { accepts } from '../../../test/support/index-segment.ts';
import { parseRegex } from './parse.ts';
import { gramsIn, type Plan, planOf } from './plan.ts';

const options = { ignoreCase: false, wholeWord: false };
const plan = (regex: string, more: Partial<typeof options> = {}): Plan =>
  planOf(parseRegex(regex, { ...options, ...more }));

describe('A plan', () => {
  it.each([
    ['xab+cdx', ['xabcdx', 'xabbcdx', 'xabbbcdx'], ['xacdx', 'xabbc', 'bbcdx']],
    ['fo+\\(+bar', ['fo(bar', 'foo((bar'], ['fo bar', 'foo((ba']],
    ['xab*cdx', ['xacdx', 'xabcdx', 'xabbcdx'], ['xabb', 'xacd']],
    ['xab?cdx', ['xacdx', 'xabcdx'], ['xabbcdx', 'cdx']],
    ['xab{2}cdx', ['xabbcdx'], ['xabcdx', 'xabbdx']],
    ['xab{2,}cdx', ['xabbcdx', 'xabbbbcdx'], ['xabcdx']],
    ['xa{30}', [`x${'a'.repeat(30)}`], ['xaa', 'aaa']],
    ['wx(?:abc){0}y+z', ['wxyz', 'wxyyz'], ['wxabcz']],
    ['xy(?:ab+c)', ['xyabc', 'xyabbc'], ['xabc', 'xy abc']],
    ['(?:ab+c)xy', ['abcxy', 'abbcxy'], ['abcx', 'abc xy']],
    ['(?:abc|def)ghi', ['abcghi', 'defghi'], ['abcdef', 'ghiabc', 'xxxghi']],
    ['(?:abc|)ghi', ['ghi', 'abcghi'], ['abc']],
    ['abc.*def', ['abcdef', 'abc xdef'], ['abc', 'def', 'abdef']],
    ['abc\\b def', ['abc def'], ['abcdef', 'abc']],
    ['(?:a*b*)cde', ['cde', 'abcde', 'aabbcde'], ['abcd']],
    ['(?:ab+|c+d)efg', ['abefg', 'abbefg', 'cdefg', 'ccdefg'], ['abef', 'xefg']],
    ['abc[xyz]def', ['abcxdef', 'abczdef'], ['abcwdef', 'abcdef']],
    ['ab\\tcde', ['ab\tcde'], ['ab\tcd']],
    ['größe', ['größe'], ['grße', 'größ']],
    ['[é-ü]bc', ['ébc', 'übc'], ['ebc', 'éb']],
    ['(?:a*|b)cde', ['cde', 'acde', 'bcde'], ['abc']],
    ['abc(?:x+|)def', ['abcdef', 'abcxxdef'], ['abc', 'def']],
    ['x[éíóú]yz', ['xéyz', 'xúyz'], ['xayz']],
    ['(?:ab|[^x])cd', ['abcd', 'ycd', '\u0001cd'], []],
  ])('%s requires what every match contains, and no more', (regex, matches, others) => {
    expect(
      matches.filter((text) => !new RegExp(regex, 'u').test(text) || !accepts(plan(regex), text)),
    ).toEqual([]);
    expect(others.filter((text) => accepts(plan(regex), text))).toEqual([]);
  });

  it.each(['ab', '.*', 'a.b', '\\w{40}', '[^a]bc', 'abc|', '(?:abc)*', '(?:abc)?', 'abc|d+'])(
    '%s requires nothing',
    (regex) => {
      expect(plan(regex)).toEqual({ kind: 'any' });
    },
  );

  it('requires one of at most four encodings of a set, and nothing of a set without characters', () => {
    expect(accepts(plan('abc[éíóú]def'), 'abc def')).toBe(false);
    expect(accepts(plan('abc[éíóúж]def'), 'abc def')).toBe(true);
    expect(accepts(plan('abc[éíóúж]def'), 'abc')).toBe(false);
    expect(plan('[^\\s\\S]')).toEqual({ kind: 'any' });
    expect(accepts(plan('abc|[^\\s\\S]'), 'abc')).toBe(true);
  });

  it('ignores control characters, which no gram contains', () => {
    expect(plan('abc\\x01def')).toEqual(plan('abc.*def'));
  });

  it('requires no gram that stands for more than 2,048 posting lists', () => {
    expect(plan('\\d{3}')).toMatchObject({ kind: 'gram' });
    expect(plan('\\w{2}a')).toMatchObject({ kind: 'gram' });
    expect(plan('\\w{3}')).toEqual({ kind: 'any' });
    expect(plan('[a-h][a-p][a-p]')).toMatchObject({ kind: 'gram' });
    expect(plan('[a-i][a-p][a-p]')).toEqual({ kind: 'any' });
    const masks = (plan('a[a-c][0-9]') as Extract<Plan, { kind: 'gram' }>).masks;
    expect(gramsIn(masks)).toBe(30);
  });

  it('requires one of several words only while there are few combinations', () => {
    const either = (count: number): string => '(?:ab|cd)'.repeat(count);
    expect(accepts(plan(either(5)), 'abcdabcdab')).toBe(true);
    expect(accepts(plan(either(5)), 'abcd')).toBe(false);
    expect(accepts(plan(either(6)), 'abcdabcdabcd')).toBe(true);
    expect(accepts(plan(either(6)), 'abcd')).toBe(false);
  });
});
