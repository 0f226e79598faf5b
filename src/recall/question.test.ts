import { describe, expect, it } from 'vitest';
import { parseQuestion } from './question.ts';

const kindOf = (text: string) => {
  const { seeks, isOfDeed } = parseQuestion(text, 0);
  return { seeks, isOfDeed };
};

describe('what kind of question it is', () => {
  it.each([
    ['folders arrives', '^^folders ^^arrives'],
    ['modules near', '* modules NEAR'],
    ['when did we deploy', '"when" did we deploy'],
    ['which files did we touch', '(which) `files` did we touch?'],
  ])('is told by its words alone: %s, %s', (plain, hostile) => {
    expect(kindOf(hostile)).toEqual(kindOf(plain));
  });
});
