import { describe, expect, it } from 'vitest';
import { parseQuestion } from './question.ts';

const kindOf = (text: string) => {
  const { seeks, wants, isOfDeed } = parseQuestion(text, 0);
  return { seeks, wants, isOfDeed };
};

describe('what kind of question it is', () => {
  it.each([
    ['folders arrives', '^^folders ^^arrives'],
    ['modules near', '* modules NEAR'],
    ['when did we deploy', '"when" did we deploy'],
    ['how many retries', '- how many retries'],
    ['which files did we touch', '(which) `files` did we touch?'],
  ])('is told by its words alone: %s, %s', (plain, hostile) => {
    expect(kindOf(hostile)).toEqual(kindOf(plain));
  });
});
