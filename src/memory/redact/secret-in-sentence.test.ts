import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

/** Assembled when the test runs, so that no scanner finds a secret in the repository. */
const secret = ['q8Zr', '2Lm9', 'Xv4T'].join('');
const long = `${secret}${['bW7c', 'K1sJ'].join('')}`;

const sentences: [language: string, text: string][] = [
  ['English', `the root password for db01 was changed to ${secret} yesterday`],
  ['English', `office wifi AcmeGuest pw ${secret}`],
  ['English', `use ${secret} as the password`],
  ['English', `ada@acme.dev / ${secret}`],
  ['English', `"text": "Your password is:\\n${secret}\\nKeep it."`],
  ['English', `Your API key is:\n\n    ${long}\n`],
  ['German', `Das Passwort für die Datenbank lautet ${secret}.`],
  ['German', `Das Kennwort: „${secret}“`],
  ['Spanish', `La contraseña de producción es ${secret}`],
  ['French', `le mot de passe du serveur est ${secret}`],
  ['French', `jeton d'API : ${long}`],
  ['Portuguese', `A senha do banco é ${secret}`],
  ['Italian', `La password del database è ${secret}`],
  ['Dutch', `Het wachtwoord van de server is ${secret}`],
  ['Polish', `Hasło do bazy to ${secret}`],
  ['Czech', `Heslo k databázi je ${secret}`],
  ['Swedish', `Lösenordet är ${secret}`],
  ['Danish', `Adgangskoden er ${secret}`],
  ['Hungarian', `A jelszó: ${secret}`],
  ['Turkish', `Veritabanı şifresi ${secret}`],
  ['Vietnamese', `Mật khẩu là ${secret}`],
  ['Russian', `Пароль от сервера: ${secret}`],
  ['Ukrainian', `Пароль для бази — ${secret}`],
  ['Chinese', `数据库密码是${secret}，别提交`],
  ['Japanese', `データベースのパスワードは${secret}です`],
  ['Korean', `비밀번호는 ${secret} 입니다`],
  ['Arabic', `كلمة المرور هي ${secret}`],
  ['Hindi', `पासवर्ड ${secret} है`],
];

const innocent = [
  'user: auth[0],\n    password: auth[1],',
  '[schema[keyword][i].anyOf[0], `/anyOf/0`, schema]',
  'run vault login before you deploy, then snyk auth again',
  'rabbitmqctl add_user takes a name and a password',
  'if (keyword !== void 0 && name2 !== void 0) return { name: name2 }',
  'Das Passwort muss mindestens zwölf Zeichen haben.',
  'La contraseña es obligatoria en producción',
  'le mot de passe est haché avec argon2id',
  '密码是必填项，见 src/auth/password.ts',
  'Пароль: обязательное поле',
  'the password is case-sensitive and at least 12 characters',
  'the token counts of gpt-4o-mini-2024-07-18 are wrong',
  'rotate the API key in src/config/keys.test.ts:42',
  'the secret is mounted at /run/secrets/db-password-v2',
  'the login page at https://acme.dev/login?next=/a1b2c3 is slow',
  'key 3fa9c1d2e4b5 was evicted from the cache',
  'Passwort-Reset schlägt fehl seit v2.14.3-rc1',
  'password hashing moved from sha256 to scrypt-js@3.0.1',
];

describe('a secret stated in a sentence', () => {
  it.each(sentences)('[redact-rules] is redacted in %s: %s', (_language, text) => {
    const clean = redact(text);
    expect(clean).toContain('[redacted:');
    expect(clean).not.toContain(secret);
  });

  it.each(innocent)('[redact-rules] is not found in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('is expected among the eleven words after the password, and not later', () => {
    const redacted = (words: string) => redact(`The password ${words} ${secret} as you know.`);
    expect(redacted('all have used here for the old staging box is')).not.toContain(secret);
    expect(redacted('we all have used here for the old staging box is')).toContain(secret);
  });
});

it('a quoted phrase is a secret within 60 characters and six words after its name', () => {
  const isFound = (between: string) =>
    redact(`passphrase ${between} "purple tractor 406"`).includes('[redacted');
  expect([58, 59].map((length) => isFound('x'.repeat(length)))).toEqual([true, false]);
  expect([6, 7].map((count) => isFound(Array(count).fill('ab').join(' ')))).toEqual([true, false]);
});
