import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/harness/random.ts';
import { forV8, randomLine, randomRegex } from '../../../test/harness/random-regex.ts';
import { cpuMsSince } from '../../../test/support/cpu-time.ts';
import { contextOf, DeadlineExceeded } from './automaton.ts';
import { createFinder, lineEndAt } from './finder.ts';

const plain = { ignoreCase: false, wholeWord: false };

function linesOf(
  text: string,
  regex: string,
  options: Partial<typeof plain> = {},
  mode: 'regex' | 'literal' = 'regex',
): number[] {
  const finder = createFinder({ text: regex, mode, ...plain, ...options });
  const bytes = Buffer.from(text);
  const lines: number[] = [];
  for (let at = finder.next(bytes, 0); at !== -1; ) {
    lines.push(bytes.subarray(0, at).toString().split('\n').length);
    const end = lineEndAt(bytes, at);
    if (end >= bytes.length) break;
    at = finder.next(bytes, end + 1);
  }
  return lines;
}

const outsideTheDialect = [
  '(?=a)',
  '(?<!a)b',
  '(a)\\1',
  'a++',
  '\\pL',
  '[a&&b]',
  '(',
  'a)',
  '[a',
  '*a',
  'a{3,2}',
  '(?x)a',
  'a\\nb',
  '\\q',
  'x{2000}',
];

it.each([
  ['\n', ['line-edge']],
  ['a', ['word']],
  ['\x7f', ['other']],
  ['é', ['other', 'inside-character']],
  ['\u{10ffff}', ['other', 'inside-character', 'inside-character', 'inside-character']],
  ['¿', ['other', 'inside-character']],
  ['À', ['other', 'inside-character']],
])('the bytes of %j are %j', (character, contexts) => {
  expect(Array.from(Buffer.from(character), contextOf)).toEqual(contexts);
});

describe('finding lines', () => {
  it.each([
    ['foo', 'a\nfoo\nxfoox\n', [2, 3]],
    ['^foo$', 'a\nfoo\nxfoox\nfoo', [2, 4]],
    ['^foo$', 'foo\r\nbar\r\n', [1]],
    ['^$', 'a\n\nb\n', [2]],
    ['^$', 'a\n\nb', [2]],
    ['\\bfoo\\b', 'foo_\nfoo\n(foo)\nafoo', [2, 3]],
    ['\\Bfoo', 'foo\nafoo', [2]],
    ['(?:async )?function', 'function\nasync function\nasync', [1, 2]],
    ['a{2,3}', 'a\naa\naaaa', [2, 3]],
    ['[^a]', 'a\nb\n\n', [2]],
    ['[[:digit:]]+\\.', 'a1.\nb', [1]],
    ['(?i)FOO', 'foo\nFoO\nbar', [1, 2]],
    ['(?i)@[[]', '@[\n`[\n@{', [1]],
    ['(?i)[`{]', '@\n[\n{', [3]],
    ['a(?i:B)c', 'abc\naBc\nABC', [1, 2]],
    ['x|y|', 'a\n', [1]],
    ['é.ü', 'éaü\né\nü', [1]],
    ['[à-ü]{2}', 'éü\naü', [1]],
    ['\\x41\\u0042', 'AB\nab', [1]],
    ['a{,2}', 'a{,2}\na', [1]],
    ['[]a]', ']\nb', [1]],
    ['(a*)*b', 'aaab\nc', [1]],
    ['xqb+zkx', 'xqbzkx\nxqbbzkx\nxqzkx\nxqbbzk', [1, 2]],
    ['fo+\\(+bar', 'fo bar\nfoo((bar', [2]],
  ])('%s finds the right lines', (regex, text, lines) => {
    expect(linesOf(text, regex)).toEqual(lines);
  });

  it('matches a literal exactly', () => {
    expect(linesOf('a.*b\nab\n', 'a.*b', {}, 'literal')).toEqual([1]);
    expect(linesOf('A.B\na.b\n', 'a.b', { ignoreCase: true }, 'literal')).toEqual([1, 2]);
    expect(linesOf('foo(\nxfoo(\nfoo(x\n', 'foo(', { wholeWord: true }, 'literal')).toEqual([1]);
    expect(linesOf('foo foox\nfoox foo\n', 'foo', { wholeWord: true }, 'literal')).toEqual([1, 2]);
  });

  it.each(outsideTheDialect)('[code-dialect] rejects %s with a hint', (regex) => {
    expect(() => createFinder({ text: regex, mode: 'regex', ...plain })).toThrowError(
      expect.objectContaining({ code: 'INVALID_QUERY', hint: expect.stringMatching(/./) }),
    );
  });

  it('finds the start of the first match of a line', () => {
    const finder = createFinder({ text: 'b+c', mode: 'regex', ...plain });
    const bytes = Buffer.from('abxbbcbc\n');
    expect(finder.startIn(bytes, 0, 8)).toBe(3);
  });

  it('rejects groups that are nested deeper than 200', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    expect(linesOf('a', nested(199))).toEqual([1]);
    expect(() => linesOf('a', nested(200))).toThrowError(expect.objectContaining({ code: 'INVALID_QUERY' }));
  });

  it('[code-linear] takes time linear in the text for any pattern', () => {
    const evil = [
      '(a+)+$x',
      '(a|aa)+$x',
      '(.*)*$x',
      '(a*)*b',
      '(?:a?){60}a{60}b',
      '([ab]*)*c',
      '(.*a){30}b',
      '[ab]*a[ab]{14}c',
    ];
    const text = Buffer.from(`${'ab'.repeat(20)}${'a'.repeat(40)}`.repeat(2_500));
    for (const regex of evil) {
      const finder = createFinder({ text: regex, mode: 'regex', ...plain });
      const started = process.cpuUsage();
      finder.next(text, 0);
      // A backtracking engine would take years here; the limit leaves room for a busy machine.
      expect(cpuMsSince(started), regex).toBeLessThan(2_000);
    }
  });

  it('[code-linear] rejects adjacent counted repetitions when they become expensive, and stops at the deadline', () => {
    let seed = 7;
    const letters = Array.from({ length: 500_000 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return 97 + ((seed >> 16) % 25);
    });
    const text = Buffer.from(letters);
    const query = { text: '(?:[a-m].{0,100}){5}z', mode: 'regex', ...plain } as const;
    expect(() => createFinder(query).next(text, 0)).toThrowError(
      expect.objectContaining({ code: 'INVALID_QUERY', hint: expect.stringMatching(/\.\*/) }),
    );
    expect(() => createFinder(query, () => true).next(text, 0)).toThrowError(DeadlineExceeded);
    const few = text.subarray(0, 2_000);
    expect(createFinder(query).next(few, 0)).toBe(-1);

    // Each byte that was scanned cheaply pays for states of a later text.
    const costly = text.subarray(0, 10_000);
    expect(() => createFinder(query).next(costly, 0)).toThrowError();
    const finder = createFinder(query);
    expect(finder.next(Buffer.alloc(1_000_000, '\n'), 0)).toBe(-1);
    expect(finder.next(costly, 0)).toBe(-1);
  });

  it('agrees with V8 on random patterns and texts made from them', () => {
    const random = createRandom(20_261_118);
    for (let left = 2_000; left > 0; left--) {
      const regex = randomRegex(random);
      const lines = Array.from({ length: 4 }, () => randomLine(regex, random));
      const truth = forV8(regex.source);
      const expected = lines.flatMap((line, at) => (truth.test(line) ? [at + 1] : []));
      const text = lines.join('\n');
      expect(linesOf(`${text}\n`, regex.source), `${regex.source} in ${JSON.stringify(text)}`).toEqual(
        expected,
      );
    }
  });
});
