import { expect, it } from 'vitest';
import { seedPhrases } from './seed-phrase.ts';

const words =
  'ribbon wolf abandon orbit velvet canyon rescue lunar pistol garden tomato zebra ribbon wolf abandon orbit velvet canyon rescue lunar pistol garden tomato zebra ribbon wolf abandon'.split(
    ' ',
  );
const phrase = (count: number, between = ' '): string => words.slice(0, count).join(between);
const phrasesIn = (text: string): string[] =>
  seedPhrases(text).map(({ start, end }) => text.slice(start, end));

it('a recovery phrase has 12 to 26 words of the list, wherever it is in a text', () => {
  for (const count of [12, 13, 26]) expect(phrasesIn(phrase(count)), `${count}`).toEqual([phrase(count)]);
  for (const count of [11, 27]) expect(phrasesIn(phrase(count)), `${count}`).toEqual([]);
  for (let before = 0; before < 45; before++)
    expect(phrasesIn(`${'x'.repeat(before)} ${phrase(12)} of the wallet`)).toEqual([phrase(12)]);
});

it('a recovery phrase may be numbered or on several lines, but no other word may be in it', () => {
  const lines = phrase(12, '\n');
  expect(phrasesIn(`my words:\n${lines}\n`)).toEqual([lines]);
  const numbered = words.slice(0, 12).map((word, at) => `${at + 1}. ${word}`);
  expect(phrasesIn(numbered.join('\n'))).toEqual([numbered.join('\n').slice(3)]);
  expect(phrasesIn(`${phrase(6)} with ${phrase(6)}`)).toEqual([]);
  expect(phrasesIn(`${phrase(6)}; ${phrase(6)}`)).toEqual([]);
});

it('several recovery phrases in a long text are found, each once', () => {
  const text = `${phrase(12)} and ${'other words '.repeat(40)}${phrase(24)}, which is ${phrase(12)}.`;
  expect(phrasesIn(text)).toEqual([phrase(12), phrase(24), phrase(12)]);
});
