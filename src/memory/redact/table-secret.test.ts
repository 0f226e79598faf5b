import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

/** Assembled when the test runs, so that no scanner finds a secret in the repository. */
const secret = ['q8Zr', '2Lm9', 'Xv4T'].join('');
/** The text without what was redacted. */
const clean = (...lines: string[]): string =>
  redact(lines.join('\n')).replaceAll(/\[redacted:[a-z-]+\]/g, '«»');
const hides = (...lines: string[]): boolean => !clean(...lines).includes(secret);

describe('a table', () => {
  it('has secrets below a heading that names them, in other languages, too', () => {
    for (const heading of [
      'contraseña',
      'Contraseñas',
      'heslo',
      'пароль',
      'Şifre',
      'lösenord',
      'hasło',
      'šifra',
      'mot de passe',
    ])
      expect(clean(`| name | ${heading} |`, '|---|---|', `| ada | ${secret} |`, ''), heading).toBe(
        `| name | ${heading} |\n|---|---|\n| ada | «» |\n`,
      );
  });

  it('has secrets in the column of the heading, whatever quotes are around them', () => {
    for (const quote of ['"', "'", '`'])
      expect(clean('| id | password |', `| 1 | ${quote}${secret}${quote} |`, '')).toBe(
        `| id | password |\n| 1 | ${quote}«»${quote} |\n`,
      );
    expect(hides('| password | id |', `| none | ${secret} |`, '')).toBe(false);
  });

  it('aligned by spaces has cells below their heading, also if others are empty', () => {
    expect(hides('NAME      ROLE      PASSWORD', `ada                 ${secret}`, '')).toBe(true);
    expect(hides('NAME      PASSWORD      ROLE', `ada                     ${secret}`, '')).toBe(false);
    expect(hides('PASSWORD  NAME', `x ${secret}  ada`, '')).toBe(false);
    expect(hides('NAME      PASSWORD', `ada    x${secret}`, ''), 'overlapping').toBe(true);
  });

  it('aligned by spaces has a heading of plain words with spaces between', () => {
    expect(hides('NAME (x)  PASSWORD', `ada       ${secret}`, '')).toBe(false);
    expect(hides('          PASSWORD', `ada       ${secret}  x`, '')).toBe(false);
  });

  it('of values between commas has as many in each of the first two lines', () => {
    expect(hides('email,password', `a@b.c,${secret}`, '')).toBe(true);
    expect(hides('email;password', `a@b.c;${secret}`, '')).toBe(true);
    expect(hides('email,password', `${secret},x,y`, '')).toBe(false);
    expect(hides('email, password', `a@b.c,${secret}`, '')).toBe(false);
    expect(hides('f(email,password)', `a@b.c,${secret}`, '')).toBe(false);
  });

  it('ends with a line of one cell, but not with a rule', () => {
    const heading = ['| id | password |', '|---|---|'];
    expect(hides(...heading, '| 1 | none |', '+---+---+', `| 2 | ${secret} |`)).toBe(true);
    expect(hides(...heading, '| 1 | none |', '', `| 2 | ${secret} |`)).toBe(false);
  });

  it('is read up to a line of 2,000 characters', () => {
    const wide = (length: number) => `| 1 | ${secret} | ${'x'.repeat(length - 24)} |`;
    expect([hides('| id | password | x |', wide(600)), hides('| id | password | x |', wide(5_000))]).toEqual([
      true,
      false,
    ]);
  });
});
