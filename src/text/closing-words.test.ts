import { describe, expect, it } from 'vitest';
import { closingWords } from './closing-words.ts';

describe('closingWords', () => {
  it('takes the result and the last sentences, without questions and lists', () => {
    const answer = [
      'Done. The timer fired twice because two workers shared it.',
      '',
      '## Changes made',
      '- `src/timer.ts`: one owner',
      '- a test for it',
      '',
      'The tests pass now.',
      'Shall I commit?',
    ].join('\n');
    expect(closingWords(answer, 400)).toBe(
      'The timer fired twice because two workers shared it. The tests pass now.',
    );
  });

  it('never cuts a sentence, and marks what it leaves out', () => {
    const long = `This one explains the details at length ${'and more '.repeat(20)}until it ends.`;
    const answer = `The cache is gone. ${long} Do not bring it back unless the load doubles.`;
    expect(closingWords(answer, 120)).toBe(
      'The cache is gone. … Do not bring it back unless the load doubles.',
    );
    expect(closingWords(long, 100)).toBe('');
  });

  it('skips code and quotations', () => {
    const answer = '```sh\nrm -rf everything you have\n```\n> we decided to drop it all';
    expect(closingWords(answer, 400)).toBe('');
  });

  it('takes the items of an answer that is only a list', () => {
    expect(closingWords('- moved the parser to its own file', 400)).toBe('moved the parser to its own file');
  });
});
