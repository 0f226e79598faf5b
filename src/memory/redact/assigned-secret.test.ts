import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

const isFound = (text: string): boolean => redact(text).includes('[redacted');

describe('a literal that contains words', () => {
  /** 24 characters; put together when the test runs, so that no scanner reports it. */
  const value = ['Station', 'Letter', 'Number', 'Tab12'].join('');

  it('is a secret if it has 24 characters, of all kinds', () => {
    expect(value).toHaveLength(24);
    expect([value, value.slice(0, 23)].map((one) => isFound(`token = "${one}"`))).toEqual([true, false]);
    for (const one of [value.toLowerCase(), value.toUpperCase(), value.replace('12', 'ab')])
      expect(isFound(`token = "${one}"`), one).toBe(false);
    expect(isFound('token = "Station-Letter-Number-T1"'), 'a name of words').toBe(false);
  });

  it('is a secret only in quotes or an environment, and not of a name with a common word', () => {
    expect([`TOKEN=${value}`, `api_key = "${value}"`].map(isFound)).toEqual([true, true]);
    expect([`token = ${value}`, `secret: ${value}`, `key = "${value}"`].map(isFound)).toEqual(
      Array(3).fill(false),
    );
  });
});
