import { describe, expect, it } from 'vitest';
import { isAlphanumeric } from './character-classes.ts';
import { visitLongRuns } from './long-runs.ts';
import { hasUnexplainedWord, isRandomWord, isReference, isStatedPassword } from './random-word.ts';
import {
  hasAlphabet,
  isCacheKey,
  isExample,
  isNameOfWords,
  isRandom,
  isVaried,
  wordShare,
} from './randomness.ts';
import { repeatedSecrets } from './repeated-secret.ts';
import { isPrefixedToken, shapedToken } from './unlisted-token.ts';

/** Characters in an order that looks random and is the same in every run. */
const mixed = (length: number, letters = 'aB3dE5gH7jK9mN2pQ4sT6vW8yZ0cF1iL'): string =>
  Array.from({ length }, (_, at) => letters[(at * 7 + 3) % letters.length]).join('');
const hex = (length: number): string => mixed(length, '0a1b2c3d4e5f6789');

it('knows the letters and digits of ASCII', () => {
  for (let code = 0; code < 300; code++)
    expect(isAlphanumeric(code), String.fromCharCode(code)).toBe(
      /[A-Za-z0-9]/.test(String.fromCharCode(code)),
    );
});

describe('a value', () => {
  it('is varied if it has enough different characters for its length', () => {
    for (const value of ['abcdabcd', 'abcd', mixed(64), 'abcdefg'.repeat(9)])
      expect(isVaried(value)).toBe(true);
    for (const value of ['aaabbccd', 'aaaa', 'aaaabaaa', 'abcdef'.repeat(11), '1010101010'])
      expect(isVaried(value)).toBe(false);
  });

  it('is an example if it says so, or counts up nine digits or eight letters', () => {
    for (const value of ['xEXAMPLEx', 'x123456789', 'abcdefgh', 'xaBcDeFgHx'])
      expect(isExample(value)).toBe(true);
    for (const value of ['12345678', 'abcdefg', 'abcdxefgh', 'hgfedcba', ''])
      expect(isExample(value)).toBe(false);
    expect([hasAlphabet('abcdefgh'), hasAlphabet('0123456789'), hasAlphabet('EXAMPLE')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is random if it has two kinds of characters and is not made of words', () => {
    for (const value of ['Xk9mQ2vL', 'x7k9m2q4', 'loremQ7x9Zk2']) expect(isRandom(value)).toBe(true);
    for (const value of ['xkqmzvwl', '73928164', 'aaaaaaa1', 'password12', 'retry-queue-2', 'loremIpsum1'])
      expect(isRandom(value)).toBe(false);
  });

  it('is a name if each of its parts is a word, a number or both', () => {
    for (const value of [
      'jackson-0.11.2',
      'NEXUS-GPT4-API-KEY',
      'user:name2',
      'retry.queue',
      'a-b',
      'x9-abc',
    ])
      expect(isNameOfWords(value)).toBe(true);
    for (const value of ['password', 'xkqmz-zvwlq', 'a-1b2', 'retry-qzxvk', 'a-b!'])
      expect(isNameOfWords(value)).toBe(false);
  });

  it('is the key of a cache if a name comes before a hash', () => {
    expect(isCacheKey(`lint-cache-${hex(40)}`)).toBe(true);
    expect(isCacheKey(`lint-x-${hex(64)}`)).toBe(true);
    expect(isCacheKey(`lint-x-${hex(41)}`)).toBe(false);
  });

  it('consists of words by the share of usual pairs of letters', () => {
    expect([wordShare('getUser2FA'), wordShare('the'), wordShare('xk9'), wordShare('zqxv')]).toEqual([
      0.7, 1, 0, 0,
    ]);
    expect(wordShare('an12')).toBe(0);
    expect(wordShare('and1')).toBe(0.75);
  });
});

describe('a word of a sentence', () => {
  const isRandom8 = (word: string): boolean => isRandomWord(word, 8);

  it('is random if its kinds of characters alternate, and nothing explains it', () => {
    for (const word of [
      'Xk9mQ2vL',
      'q8Zr2Lm9Xv4T',
      'x7k9m2q4zz',
      'qWeRtYuIoPqX',
      'Komp0t_zimny',
      'd7Ns8F#d',
      mixed(200),
    ])
      expect(isRandom8(word), word).toBe(true);
  });

  it.each([
    ['is short', 'Xk9mQ2v'],
    ['is too long', mixed(201)],
    ['has few changes', 'xkqmzvwl12'],
    ['has only small letters and digits and is short', 'x7k9m2q4z'],
    ['is a hash', hex(40)],
    ['is an id', 'toolu-1a2b3c4d'],
    ['is a date', '2026-11-14T12:00'],
    ['is a version', 'v1.2.3-rc4'],
    ['is a package', 'zod@4.1.2'],
    ['is a key to press', 'Ctrl+Shift+P2'],
    ['is a name', 'User-Key-File-3'],
    ['is a file', 'a1B2c3D4.test.ts'],
    ['is a path', 'src/a1B2/c3D4/e5'],
    ['is a path with a word', 'retries/a1B2c3D4'],
    ['is a camel', 'getUserNames'],
    ['has only digits and signs', '1234!5678'],
    ['has an alphabet', 'abcdefgh1X!'],
    ['is a variable', 'user_name_2x'],
    ['is an address', 'ada.l0v3@acme.dev'],
    ['is a placeholder', '<a1B2c3D4>'],
  ])('is not random if it %s', (_, word) => expect(isRandom8(word)).toBe(false));

  it('is unexplained with ten characters, whatever punctuation surrounds it', () => {
    const word = ['q8Zr', '2Lm9', 'Xv'].join('');
    for (const text of [word, `use "${word}".`, `(${word})`, `a ${word}!`, `x,${word};`])
      expect(hasUnexplainedWord(text), text).toBe(true);
    expect(hasUnexplainedWord(`use ${word.slice(1)}`)).toBe(false);
    expect(hasUnexplainedWord('use src/queue.ts at 9f86d081884c7d65')).toBe(false);
  });

  it('is a password that a sentence states if it has a digit, a sign or several words', () => {
    for (const word of [
      'b5a493',
      'correct-horse-battery-staple',
      'kEyBoArD',
      'open@sesame',
      'x1y2z3',
      mixed(200),
    ])
      expect(isStatedPassword(word), word).toBe(true);
    for (const word of [
      'b5a49',
      'sesame',
      '123456',
      'sha256',
      'abcdefgh1',
      'read-the-config-file',
      'open-sesame',
      'HTTP_ERROR',
      'retry-2',
      mixed(201),
      '$PASSWORD',
    ])
      expect(isStatedPassword(word), word).toBe(false);
  });

  it.each([
    '!vault_ref',
    'auth[1]',
    '$TOKEN',
    '{{ x }}',
    'f(x)',
    'ada@acme.dev',
    'USER_NAME',
    'user_name',
    'https://a.dev',
    './a',
    '~/a',
    'C:\\a',
    '/usr/lib',
    'a/b/c/d',
    'retry/a1',
  ])('refers to a value: %s', (word) => expect(isReference(word)).toBe(true));
  it.each(['Ab1', 'userName', `/${mixed(22)}`, 'aB1/cD2', 'aB1/cD2/eF3', 'word!'])(
    'is a value itself: %s',
    (word) => expect(isReference(word)).toBe(false),
  );
});

describe('a token without a rule', () => {
  it('has a short prefix and enough random characters, fewer if the prefix names a secret', () => {
    const isToken = (prefix: string, body: string) => isPrefixedToken(`${prefix}${body}`);
    expect([isToken('zxq_', mixed(29)), isToken('zxq_', mixed(30))]).toEqual([false, true]);
    expect([isToken('acme_key_', mixed(19)), isToken('acme_key_', mixed(20))]).toEqual([false, true]);
    const small = (length: number) => mixed(length, 'a3d5g7j9m2p4s6v8y0c1i4x');
    expect([isToken('zxq_', small(35)), isToken('zxq_', small(36))]).toEqual([false, true]);
    expect([isToken('zxq_', hex(39)), isToken('zxq_', hex(40))]).toEqual([false, true]);
    expect([isToken('sk_', hex(23)), isToken('sk_', hex(24))]).toEqual([false, true]);
    expect([isToken('acme-key-', hex(31)), isToken('acme-key-', hex(32))]).toEqual([false, true]);
    expect(isToken('zxq-', hex(64))).toBe(false);
  });

  it.each([
    ['an id', `user_${mixed(40)}`],
    ['without a digit', `zxq_${mixed(40, 'aBdEgHjKmNpQsTvWyZcFiL')}`],
    ['an example', `zxq_EXAMPLE${mixed(40)}`],
    ['of few characters', `zxq_${'aB1'.repeat(14)}`],
    ['of words', `zxq_${'loremIpsum2Dolor'.repeat(3)}`],
    ['that hardly changes', `zxq_${mixed(38, 'qzxkvwjqzhfmqkxzvwbn')}12`],
    ['longer than a token', `zxq_${mixed(397)}`],
  ])('is not %s', (_, run) => expect(isPrefixedToken(run)).toBe(false));

  it('has few letters in words, and changes its kind of character at every eighth one', () => {
    const isToken = (...parts: string[]) => isPrefixedToken(`acme_key_${parts.join('')}`);
    const mixture = 'q7z2x9k4v6w3j8q5z1x4k7v9';
    expect([isToken('station4', 'letters7', mixture), isToken('station4', 'letter57', mixture)]).toEqual([
      false,
      true,
    ]);
    const small = 'qzxkvwjzqhfmqkxzvwbn';
    const changing = (length: number, end: string) =>
      isToken(small.slice(0, 9), '7', small, end.padStart(length - 30, 'x'));
    expect([changing(32, '7x'), changing(32, 'x7'), changing(36, '7x')]).toEqual([true, false, false]);
  });

  it('may be 400 characters long', () => expect(isPrefixedToken(`zxq_${mixed(396)}`)).toBe(true));

  it.each([
    ['Mailgun', `«${hex(32)}-${hex(8)}-${hex(8)}»`],
    ['Sanity', `«sk${mixed(78)}»`],
    ['Sanity at its longest', `«sk${mixed(180)}»`],
    ['Discord', `x «MT${mixed(20)}.${mixed(6)}.${mixed(27)}» y`],
    ['Ghost', `key «${hex(24)}:${hex(64)}»`],
    ['fal', `«${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}:${hex(32)}»`],
    ['Ably', `x «${mixed(6)}.${mixed(6)}:${mixed(32)}»`],
  ])('of %s is found with all of its parts', (_, marked) => {
    const text = marked.replaceAll(/[«»]/g, '');
    const [start, end] = [marked.indexOf('«'), marked.indexOf('»') - 1];
    const found: object[] = [];
    visitLongRuns(text, (from, to) => {
      const token = shapedToken(text, from, to);
      if (token !== undefined) found.push(token);
    });
    expect(found).toEqual([{ start, end }]);
  });
});

describe('long runs', () => {
  const runsIn = (text: string): string[] => {
    const runs: string[] = [];
    visitLongRuns(text, (start, end) => runs.push(text.slice(start, end)));
    return runs;
  };

  it('have at least twenty characters of base64', () => {
    for (let before = 0; before < 45; before++)
      for (const length of [19, 20, 21, 39, 40, 61]) {
        const run = mixed(length);
        expect(runsIn(`${' '.repeat(before)}${run} ${mixed(5)}`)).toEqual(length < 20 ? [] : [run]);
        expect(runsIn(`${' '.repeat(before)}${run}`)).toEqual(length < 20 ? [] : [run]);
      }
  });

  it('are found once each, and end at any other character', () => {
    const [a, b] = [`${mixed(18)}+/_-`, mixed(45)];
    for (const sign of [' ', '.', '=', '\n', 'é', '\u007f'])
      expect(runsIn(`${a}${sign}${b}${sign}${a}`)).toEqual([a, b, a]);
  });
});

describe('a secret that was found', () => {
  const repeated = (text: string, value: string, more = 0) => {
    const at = text.indexOf(value);
    const span = { start: at, end: at + value.length + more, name: 'x', rank: 0 as const };
    return repeatedSecrets(text, [span]).map(({ start, end }) => text.slice(start, end));
  };
  const value = ['hunter2', '2x'].join('');

  it('is found again wherever it is a word of its own', () => {
    expect(repeated(`${value}, then ${value}; (${value})`, value)).toEqual([value, value, value]);
    expect(repeated(`${value} x${value} ${value}9`, value)).toEqual([value]);
  });

  it('is not searched for if it may be an ordinary word, is short, or is very long', () => {
    for (const other of ['hunters', 'h2x4567', '12345678', 'hunterxx', `a1${'b'.repeat(511)}`, 'hunter\n22'])
      expect(repeated(`${other} ${other}`, other), other).toEqual([]);
    for (const other of ['h2345678', `a1${'b'.repeat(510)}`])
      expect(repeated(`${other} ${other}`, other)).toHaveLength(2);
  });

  it('is one of the first 32', () => {
    const values = Array.from({ length: 33 }, (_, at) => `hunter${at + 10}`);
    const text = `${values.join(' ')} ${values.join(' ')}`;
    const spans = values.map((one) => ({
      start: text.indexOf(one),
      end: text.indexOf(one) + 8,
      name: 'x',
      rank: 0 as const,
    }));
    expect(repeatedSecrets(text, spans)).toHaveLength(64);
  });
});
