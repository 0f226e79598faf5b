import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainMarkdown } from './plain-markdown.ts';

describe('plainMarkdown', () => {
  it.each([
    ['# Title\n\nSome **bold** and *soft* and ~~gone~~ words', 'Title\n\nSome bold and soft and gone words'],
    ['- one\n* two\n1. three\n- [x] done', 'one\ntwo\nthree\ndone'],
    ['> quoted\n> > twice', 'quoted\ntwice'],
    ['```ts\nconst a_b = `x`;\n```', 'const a_b = x;'],
    [
      'see [the docs](https://example.org/a_b) and ![a picture](x.png)',
      'see the docs https://example.org/a_b and a picture x.png',
    ],
    ['| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |\n\n| 1 | 2 |'],
    [
      'retry_backoff stays, _this_ does not, __dirname__ is a name',
      'retry_backoff stays, this does not, dirname is a name',
    ],
    ['two\r\n\r\n\r\n\r\nlines \t and\u00a0space', 'two\n\nlines and space'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['', ''],
  ])('%j', (given, expected) => {
    expect(plainMarkdown(given)).toBe(expected);
  });

  it('keeps every word, and is fast on any input', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('alpha', 'beta_2', '*', '_', '`', '#', '>', '[', '](', ')', '\n', ' ', '|', '---'),
        ),
        (parts) => {
          const given = parts.join('');
          const plain = plainMarkdown(given);
          for (const word of ['alpha', 'beta'])
            expect(plain.split(word).length).toBe(given.split(word).length);
        },
      ),
    );
    for (const piece of ['*', '_', '[', '](', '`', '> ', '<!--', '|-', '- ', '#'])
      expect(plainMarkdown(piece.repeat(20_000)).length).toBeLessThanOrEqual(80_000);
  });
});
