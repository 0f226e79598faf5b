import { expect, it } from 'vitest';
import { isBareToken } from './bare-token.ts';

/** Whether this word is a token between these texts. */
const isToken = (word: string, before = 'it is ', after = '.'): boolean =>
  isBareToken(before + word + after, before.length, before.length + word.length);

const join = (...runs: string[]): string => runs.join('');
/** 35 characters that change their kind ten times. */
const runs = ['qzxj', 'KXQ', '739', 'vqzk', 'ZJX', '582', 'xkqv', 'QZ', '416', 'jzx', 'KQZ'];
const word = join(...runs);

it('a random word is a token if it has 32 to 100 characters', () => {
  const long = join('K7', word, word, word);
  expect([32, 100].map((length) => isToken(long.slice(0, length)))).toEqual([true, true]);
  expect([31, 101].map((length) => isToken(long.slice(0, length)))).toEqual([false, false]);
});

it('a random word is a token after at least two words of a sentence, in quotes or without', () => {
  for (const [before, after] of [
    ['it is ', ''],
    ['it is ', ' now'],
    ['it is (', ').'],
    ['it is "', '"'],
    ['it is "', '")'],
    ['(it is "', '", now'],
    [`${'x'.repeat(80)} it is `, '!'],
    [`const x = 1;\nit is `, '\n'],
  ] as const)
    expect(isToken(word, before, after), before + after).toBe(true);
  for (const [before, after] of [
    ['', ''],
    ['is ', ''],
    ['it is=', ''],
    ['it is "', '"x'],
    ['it is ', 'é'],
    ['it is ', ')x'],
    ['its hash is ', ''],
    ['if (x) { it is ', ''],
    [`it is\n`, ''],
  ] as const)
    expect(isToken(word, before, after), before + after).toBe(false);
});

it('a sentence says that a word is no token only within sixty characters before it, on the same line', () => {
  const far = (between: number) => `hash ${'and '.repeat(between)}`;
  expect([isToken(word, far(13)), isToken(word, far(14))]).toEqual([false, true]);
  expect(isToken(word, 'the hash\nit is ')).toBe(true);
});

it('a random word changes the kind of its characters often', () => {
  expect(word).toHaveLength(35);
  expect([isToken(word), isToken(join(...runs.slice(0, -1), 'kqz'))]).toEqual([true, false]);
});

it('a random word has two digits and four capitals, and few signs and natural words', () => {
  const made = (first = 'qzxj', capital = 'X', digit = '5', sign = '', last = 'zkx') =>
    join(
      ...[first, 'K', `v${sign}qzk`, 'Q', `x${sign}kqv`, '7', `j${sign}zxq`, 'Z'],
      ...[`k${sign}qxz`, capital, `v${sign}jq`, digit, last],
    );
  expect([isToken(made()), isToken(made('qzxj', 'j')), isToken(made('qzxj', 'X', 'j'))]).toEqual([
    true,
    false,
    false,
  ]);
  const signed = [made('qz', 'X', '5', '_', 'z_kx'), made('q', 'X', '5', '_', 'z_k_x')];
  expect(signed.map(({ length }) => length)).toEqual([36, 36]);
  expect(signed.map((one) => isToken(one))).toEqual([true, false]);
  expect([isToken(made('statxqz')), isToken(made('station'))]).toEqual([true, false]);
});
