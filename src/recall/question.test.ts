import { describe, expect, it } from 'vitest';
import { parseQuestion } from './question.ts';

const kindOf = (text: string) => parseQuestion(text, 0).seeks;

describe('the kind of a question', () => {
  it.each([
    ['folders arrives', '^^folders ^^arrives'],
    ['modules near', '* modules NEAR'],
    ['when did we deploy', '"when" did we deploy'],
    ['which files did we touch', '(which) `files` did we touch?'],
  ])('depends only on its words: %s, %s', (plain, hostile) => {
    expect(kindOf(hostile)).toEqual(kindOf(plain));
  });
});
