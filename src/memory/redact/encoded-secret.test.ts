import { describe, expect, it } from 'vitest';
import { decodedText, isLogin } from './encoded-secret.ts';

const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64');
/** The run in a text that begins with its first character of base64. */
const decoded = (text: string, start = 0) => {
  const run = /^[A-Za-z0-9+/]*/.exec(text.slice(start))?.[0] ?? '';
  return decodedText(text, start, start + run.length);
};

describe('base64', () => {
  it('of text is decoded, and its padding belongs to it', () => {
    for (const word of ['password=1', 'password=12', 'password=123']) {
      const text = encode(word);
      expect(decoded(`${text} rest`)).toEqual({ end: text.length, text: word });
      expect(decoded(`${text}=== rest`)?.end).toBe(text.replace(/=+$/, '').length + 2);
      expect(decoded(`x ${text}`, 2)).toEqual({ end: text.length + 2, text: word });
    }
  });

  it('of other bytes, or of fewer than eight, is not text', () => {
    expect(decoded(encode(Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9])))).toBeUndefined();
    expect(decoded(encode(`${'plain words '.repeat(4)}\u0001`)), 'further on').toBeUndefined();
    expect([decoded(encode('1234567')), decoded(encode('12345678'))?.text]).toEqual([undefined, '12345678']);
  });

  it.each([64, 76])('in lines of %i characters is decoded over all of them', (width) => {
    const words = 'some words that go on and on, and at the end of them is the password=hunter2x and more';
    const lines = encode(words.repeat(2)).match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    expect(lines.length).toBeGreaterThan(2);
    const text = lines.join('\n');
    for (let again = 0; again < 2; again++)
      expect(decoded(`> ${text}\n\nrest`, 2)).toEqual({ end: text.length + 2, text: words.repeat(2) });
    const [first = ''] = lines;
    expect(decoded(`${first}\n\nrest`)?.end).toBe(width);
    const longer = encode('x'.repeat(51)).slice(0, 68);
    expect(decoded(`${longer}\n${first}`)?.end, 'other width').toBe(68);
  });

  it('is decoded up to 24,000 characters', () => {
    const { end, text } = decoded(encode('plain words '.repeat(3_000))) ?? { end: 0, text: '' };
    expect([end, text.length]).toEqual([48_000, 18_000]);
  });

  it('is a login if it is a name and a password with a digit or a sign', () => {
    expect(['ada:hunter2x', 'ada@acme.dev:hunter!x', 'ada:p#sswords'].map(isLogin)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ['ada:hunters', 'ada:hun2', '04:User109', 'a:hunter2x', 'two words:hunter2x'].map(isLogin),
    ).toEqual(Array(5).fill(false));
  });
});
