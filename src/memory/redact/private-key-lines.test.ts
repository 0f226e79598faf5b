import { describe, expect, it } from 'vitest';
import { isKeyLine } from './private-key-lines.ts';

/** Characters in an order that looks random, with a sign as in base64 or without. */
const line = (length: number, letters = 'aB3/dE5gH+7jK9mN2pQ4sT6vW8', from = 0): string =>
  Array.from({ length }, (_, at) => letters[(at * 7 + from) % letters.length]).join('');
const plain = 'aB3xdE5gHy7jK9mN2pQ4sT6vW8';
const isLine = (own: string, before = '', after = '\n'): boolean =>
  isKeyLine(before + own + after, before.length, before.length + own.length);

describe('a line of a key file', () => {
  it('has 64 or 70 characters of all kinds', () => {
    expect([63, 64, 65, 69, 70, 71].map((length) => isLine(line(length)))).toEqual([
      ...[false, true, false],
      ...[false, true, false],
    ]);
    for (const letters of [
      'AB3/DE5GH+7JK9MN2PQ4ST6VW8',
      'ab3/de5gh+7jk9mn2pq4st6vw8',
      'aBc/dEfgH+ijKlmNopQrsTuvWx',
    ])
      expect(isLine(line(64, letters)), letters).toBe(false);
    expect(isLine(line(64, 'aB3/')), 'hardly varied').toBe(false);
    expect(isLine(line(64, 'aB3/dE5gH+7jK9mN2pQ4sT6v_8'))).toBe(false);
    expect(isLine(line(64, 'aB3/dE5gH+7jK9mN2pQ4sT6v-8'))).toBe(false);
  });

  it('is alone on its line, except for a line number or the mark of a diff', () => {
    for (const before of ['', 'x\n', '    ', '12: ', '  345→', '+ ', '> ', '7|\t', `${'x'.repeat(30)}\n`])
      expect(isLine(line(64), before), before).toBe(true);
    for (const before of ['x ', 'key: ', 'x'.repeat(30)])
      expect(isLine(line(64), before), before).toBe(false);
    for (const after of ['', '\n', '  \r\n', '\\n"'])
      expect(isLine(line(64), '', after), JSON.stringify(after)).toBe(true);
    for (const after of [' x', '.', '     \n']) expect(isLine(line(64), '', after), after).toBe(false);
  });

  it('without a sign needs a line of the same length next to it, or the last one of a block', () => {
    const own = line(64, plain);
    expect(isLine(own)).toBe(false);
    expect(isLine(own, '', `\n${line(64, plain, 5)}\n`)).toBe(true);
    expect(isLine(own, `${line(64, plain, 5)}\n`)).toBe(true);
    expect(isLine(own, '', `\n${line(20, plain)}=\n`)).toBe(true);
    expect(isLine(own, '', `\n${line(20, plain)}\n`)).toBe(false);
    expect(isLine(own, '', `\n${line(70, plain)}\n`)).toBe(false);
    expect(isLine(own, `${line(70, plain)}\n`)).toBe(false);
    expect(isLine(own, '', `\n\n${line(64, plain, 5)}\n`)).toBe(false);
  });

  it('is no secret below the header of a certificate or a public key that has not ended', () => {
    const [certificate, key] = ['CERTIFICATE', 'RSA PRIVATE KEY'].map((name) => `-----BEGIN ${name}-----\n`);
    const end = '-----END CERTIFICATE-----\n';
    expect(isLine(line(64), certificate)).toBe(false);
    expect(isLine(line(64), key)).toBe(true);
    expect(isLine(line(64), `${certificate}${end}`)).toBe(true);
    expect(isLine(line(64), `${end}${certificate}`)).toBe(false);
    expect(isLine(line(64), `${certificate}${end}${certificate}`)).toBe(false);
    expect(isLine(line(64), `${certificate}${'x\n'.repeat(3_000)}`), 'far above').toBe(true);
  });
});
