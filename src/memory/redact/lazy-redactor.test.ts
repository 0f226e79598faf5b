import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainName, lazyRedactor } from './lazy-redactor.ts';
import { redact, rulesOnly } from './redact.ts';

describe('a redactor that loads its rules late', () => {
  it('[redact-lazy] takes no text for plain in which the rules find a secret', () => {
    const word = fc.oneof(
      fc.stringMatching(/^[A-Za-z]?[a-z]{1,13}$/),
      fc.constantFrom('password', 'token', 'key', 'AKIA', 'ghp', 'sk', 'secret', 'is', 'pin', 'main', 'feat'),
    );
    const name = fc
      .tuple(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('-', '_', '/', '.'),
        fc.nat(9999),
      )
      .map(([words, glue, number]) => [...words, ...(number > 5_000 ? [number] : [])].join(glue));
    fc.assert(
      fc.property(name, (text) => !isPlainName(text) || redact(text) === text),
      { numRuns: 5_000 },
    );
  });

  it('[redact-lazy] loads the rules for everything else', () => {
    let loads = 0;
    const lazy = lazyRedactor(() => {
      loads++;
      return rulesOnly;
    });
    expect(lazy.redact('feature/add-login-page'.replace('login-', ''))).toBe('feature/add-page');
    expect(lazy.redactDeep({ phase: 'start', cause: 'startup', preludeTokens: 12 })).toMatchObject({
      phase: 'start',
    });
    expect(loads).toBe(0);
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    expect(lazy.redact(`fix/${secret}`)).not.toContain(secret);
    expect(JSON.stringify(lazy.redactDeep({ cause: secret }))).not.toContain(secret);
    expect(loads).toBe(1);
  });
});
