import { describe, expect, it } from 'vitest';
import { parseLiteral, parseRegex } from './parse.ts';
import { maxCodePoint, type Pattern } from './syntax.ts';

const options = { ignoreCase: false, wholeWord: false };
const parse = (regex: string, more: Partial<typeof options> = {}): Pattern =>
  parseRegex(regex, { ...options, ...more });
const isRejected = (regex: string): void =>
  expect(() => parse(regex), regex).toThrowError(
    expect.objectContaining({ code: 'INVALID_QUERY', hint: expect.stringMatching(/./) }),
  );

/** A short form of a pattern: sets by their ranges, repetitions by their bounds. */
function shown(pattern: Pattern): string {
  if (pattern.kind === 'set')
    return `[${pattern.ranges.map(([low, high]) => (low === high ? charOf(low) : `${charOf(low)}-${charOf(high)}`)).join('')}]`;
  if (pattern.kind === 'cat') return pattern.parts.map(shown).join('');
  if (pattern.kind === 'alt') return `(${pattern.parts.map(shown).join('|')})`;
  if (pattern.kind === 'assert') return `<${pattern.what}>`;
  return `${shown(pattern.part)}{${pattern.min},${pattern.max}}`;
}
const charOf = (point: number): string =>
  point === maxCodePoint ? '…' : point < 32 ? `x${point}` : String.fromCodePoint(point);

describe('parsing a pattern', () => {
  it.each([
    ['a*b+c?', '[a]{0,Infinity}[b]{1,Infinity}[c]{0,1}'],
    ['a{2}b{2,}c{2,3}d{0,1000}e{1000}', '[a]{2,2}[b]{2,Infinity}[c]{2,3}[d]{0,1000}[e]{1000,1000}'],
    ['a{,2}b{', '[a][{][,][2][}][b][{]'],
    ['a*?b', '[a]{0,Infinity}[b]'],
    ['a|b|', '([a]|[b]|)'],
    ['(?:a)(?<name>b)(?P<n>c)(d)', '[a][b][c][d]'],
    ['^a$', '<line-start>[a][x13]{0,1}<line-end>'],
    ['\\ba\\B', '<word-boundary>[a]<no-word-boundary>'],
    ['.', '[x0-x9x11-…]'],
    ['\\d\\s', '[0-9][x9x11-x13 ]'],
    ['(?i)a(?-i)b', '[Aa][b]'],
    ['(?:(?i)a)b', '[Aa][b]'],
    ['(?i:a)b', '[Aa][b]'],
    ['(?i)(?-i:a)b', '[a][Bb]'],
    ['(?ms)a', '[a]'],
    ['[a-cx]', '[a-cx]'],
    ['[^\\0-a]', '[b-…]'],
    ['[]a]', '[]a]'],
    ['[a-]', '[-a]'],
    ['[-a]', '[-a]'],
    ['[&a]', '[&a]'],
    ['[a&]', '[&a]'],
    ['[a-a]', '[a]'],
    ['[\\d_]', '[0-9_]'],
    ['[\\b]', '[x8]'],
    ['[[:digit:]x]', '[0-9x]'],
    ['[[:^ascii:]]', '[\u0080-…]'],
    ['\\x41\\u0042\\x{43}\\u{44}', '[A][B][C][D]'],
    ['\\t\\r\\f\\v\\0\\a\\e\\.', '[x9][x13][x12][x11][x0][x7][x27][.]'],
    ['\\u{10ffff}', '[…]'],
    ['🦩é', '[🦩][é]'],
  ])('%s', (regex, expected) => {
    expect(shown(parse(regex))).toBe(expected);
  });

  it.each([
    ...['(?=a)', '(?!a)', '(?<=a)', '(?<!a)b', '(?x)a', '(?', '(a)\\1', '\\k<a>', '\\pL', '\\q', '\\'],
    ...['a++', 'a*+', '*a', '+', '?', 'a{3,2}', 'a{1001}', 'a{0,1001}', 'a{1001,}'],
    ...[
      '(',
      '(a',
      'a)',
      ')',
      '[a',
      '[',
      '[^',
      '[a-',
      '[a&&b]',
      '[b-a]',
      '[a-\\d]',
      '[[:nothing:]]',
      '\\x{110000}',
    ],
    ...['a\nb', 'a\\nb', '\\x0a'],
  ])('rejects %j with a hint', isRejected);

  it('tells what to do instead of each thing that it does not know', () => {
    const hintOf = (regex: string): unknown => {
      try {
        return parse(regex);
      } catch (error) {
        return (error as { hint: string }).hint;
      }
    };
    const alike = [
      ['(?=a)', '(?!a)', '(?<=a)', '(?<!a)'],
      ['(?<a)', '(?9)'],
      ['(a)\\1', '\\k<a>'],
      ['\\pL', '\\PL'],
      ['\\q'],
    ];
    const hints = alike.map((regexes) => new Set(regexes.map(hintOf)));
    expect(hints.map(({ size }) => size)).toEqual(alike.map(() => 1));
    expect(new Set(hints.flatMap((own) => [...own])).size).toBe(alike.length);
  });

  it('accepts groups up to 200 levels deep, and any number side by side', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    expect(shown(parse(nested(199)))).toBe('[a]');
    isRejected(nested(200));
    expect(shown(parse('(a)'.repeat(300)))).toBe('[a]'.repeat(300));
  });

  it('ignores case and finds whole words if asked to', () => {
    expect(shown(parse('a1', { ignoreCase: true }))).toBe('[Aa][1]');
    expect(shown(parse('[^a]', { ignoreCase: true }))).toBe('[x0-x9x11-@B-`b-…]');
    expect(shown(parse('a|b', { wholeWord: true }))).toBe('<no-word-before>([a]|[b])<no-word-after>');
  });

  it('takes a literal as it is, in one line', () => {
    expect(shown(parseLiteral('a.*🦩', options))).toBe('[a][.][*][🦩]');
    expect(shown(parseLiteral('a', { ignoreCase: true, wholeWord: true }))).toBe(
      '<no-word-before>[Aa]<no-word-after>',
    );
    expect(() => parseLiteral('a\nb', options)).toThrowError(
      expect.objectContaining({ code: 'INVALID_QUERY' }),
    );
  });
});
