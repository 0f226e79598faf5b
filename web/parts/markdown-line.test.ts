import { describe, expect, it } from 'vitest';
import { piecesOf } from './markdown-line.ts';

describe('Markdown in one line', () => {
  it.each([
    ['```markdown ## [0.4.4] - 2026-11-19 ### Fixed', ' [0.4.4] - 2026-11-19 Fixed'],
    ['### Important', 'Important'],
    ['there should be only _one_ way, *always*.', 'there should be only one way, always.'],
    ['it is **not** so', 'it is not so'],
    ['See [CodeHash (NAIST-SE)](https://example.org/a).', 'See CodeHash (NAIST-SE).'],
    ['See [CodeHash (NAIST-SE)](https://exam…', 'See CodeHash (NAIST-SE)'],
  ])('has no marks: %s', (line, shown) => {
    expect(piecesOf(line)).toEqual([shown]);
  });

  it.each([
    'snake_case_name and __init__',
    'src/*.ts and *.js',
    'handlers[0](event)',
    'fixes #12',
    '2 * 3 * 4',
  ])('leaves other text as it is: %s', (line) => expect(piecesOf(line)).toEqual([line]));

  it('leaves code as it is', () => {
    expect(piecesOf('run `_one_ ## two` then **stop**')).toEqual(['run ', '_one_ ## two', ' then stop']);
    expect(piecesOf('`src/**` and **`load` of `src/**`**')).toEqual([
      '',
      'src/**',
      ' and ',
      'load',
      ' of ',
      'src/**',
      '',
    ]);
  });
});
