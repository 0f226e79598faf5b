import { checkSync } from 'recheck';
import { describe, expect, it } from 'vitest';
import { isRandom } from './randomness.ts';
import { redact } from './redact.ts';
import { formPatterns } from './secret-contexts.ts';
import { secretRules } from './secret-formats.ts';

/** The pure backend needs neither Java nor a native program, so it runs wherever the tests do. */
process.env.RECHECK_BACKEND = 'pure';
const timeout = 600_000;

describe('the table of secrets', () => {
  it('[redact-no-backtracking] has no pattern that can backtrack excessively', () => {
    const patterns = [
      ...secretRules().map(({ name, rest }) => ({ name, source: rest })),
      ...formPatterns.map((source) => ({ name: source, source })),
    ];
    const found = patterns.map(({ name, source }) => ({
      name,
      // Patterns are tried at a fixed position only; hence the anchor.
      ...checkSync(`^(?:${source})`, '', { timeout, checker: 'automaton' }),
    }));
    expect(found.filter(({ status }) => status === 'vulnerable').map(({ name }) => name)).toEqual([]);
    // `eval hook-latency` covers patterns for which the checker takes too long; most must be proven.
    expect(found.filter(({ status }) => status === 'safe').length / found.length).toBeGreaterThan(0.5);
  });

  it('has no nested repetition', () => {
    // An unbounded group around another unbounded repetition makes a pattern slow.
    const nested = secretRules().filter(({ rest }) =>
      /\([^()]*[*+][^()]*\)[*+{]|[*+]/.test(rest.replace(/\[[^\]]*\]|\\[*+]/g, '')),
    );
    expect(nested.map(({ name }) => name)).toEqual([]);
  });

  it('compiles every pattern', () => {
    for (const { rest, ignoreCase } of secretRules())
      expect(() => new RegExp(rest, ignoreCase ? 'yi' : 'y')).not.toThrow();
  });

  it('has a name, prefixes, a pattern and only known options in every row', () => {
    for (const { name, starts, rest, before, lead } of secretRules()) {
      expect(name).toMatch(/^[a-z0-9-]+$/);
      expect(
        starts.every((start) => start.length >= 2),
        name,
      ).toBe(true);
      expect(rest, name).not.toBe('');
      if (lead !== undefined) expect(before, name).toBeGreaterThan(0);
    }
  });

  it('distinguishes random strings from words', () => {
    expect(isRandom(`q8Zr${'2Lm9'}Xv4TbW7`)).toBe(true);
    for (const words of [
      'authentication-provider',
      'getUserCredentials',
      'jackson-0.11.2',
      'KEY_OVER_1024_CHARS',
    ])
      expect(isRandom(words), words).toBe(false);
  });

  it('keeps names of keys, public keys and references', () => {
    for (const text of [
      'tokenUrl: "https://example.org/a8f5Kq2"',
      `public_key = "9Cnzj4p4WGeK${'Ls1Pt8QuKUpRKf'}"`,
      'const key = config.auth.key1;',
      'access_token: zod_v4.string(),',
    ])
      expect(redact(text)).toBe(text);
  });
});
