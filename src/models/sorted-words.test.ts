import { expect, it } from 'vitest';
import { createSortedWords } from './sorted-words.ts';

const sorted = ['cola', 'colas', 'datei', 'кеш', '更新'];
const words = createSortedWords(
  sorted.join(''),
  Uint16Array.from(sorted, ({ length }) => length),
);

it('finds each word, and the place of a word that is not there', () => {
  expect(sorted.map((word) => words.at(words.firstFrom(word)))).toEqual(sorted);
  expect(words.at(words.firstFrom('col'))).toBe('cola');
  expect(words.at(words.firstFrom('dato'))).toBe('кеш');
  expect(words.at(words.firstFrom('龍'))).toBeUndefined();
});
