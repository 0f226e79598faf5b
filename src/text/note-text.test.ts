import { describe, expect, it } from 'vitest';
import { titleOfText } from './note-text.ts';

describe('titleOfText', () => {
  it.each([
    [
      'Each resend increments it.\nAsked: where does it come from?',
      'Each resend increments it. (asked: where does it come from?)',
    ],
    [
      'Asked: per record or batched?\ngroup commit, 5 ms. customers were promised durability',
      'group commit, 5 ms. customers were promised durability',
    ],
    ['Asked: per record or batched?\nbatched', 'batched (asked: per record or batched?)'],
    ['never floats\nWhile working on: the report', 'never floats'],
    ['Asked: a question alone', 'Asked: a question alone'],
  ])('is the statement, with the question only if the statement is short: %s', (text, title) => {
    expect(titleOfText(text)).toBe(title);
  });
});
