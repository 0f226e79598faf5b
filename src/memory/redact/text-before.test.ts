import { expect, it } from 'vitest';
import { textBefore } from './text-before.ts';

it('the text before a place is at most as long as asked, and begins at the start of the text', () => {
  const lengths = [0, 1, 2, 3, 4];
  expect(lengths.map((length) => textBefore('abcde', 3, length))).toEqual(['', 'c', 'bc', 'abc', 'abc']);
  expect([textBefore('abc', 0, 2), textBefore('abc', 3, 1)]).toEqual(['', 'c']);
});
