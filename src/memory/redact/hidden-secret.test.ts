import { describe, expect, it } from 'vitest';
import { plainView } from './plain-view.ts';
import { redact } from './redact.ts';

/** Assembled when the test runs, so that no scanner finds a secret in the repository. */
const secret = ['q8Zr', '2Lm9', 'Xv4T'].join('');
const token = `gh${'p_'}${secret}${secret}${secret}`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const fullwidth = (text: string): string =>
  text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
const keyLine = (at: number): string =>
  Array.from({ length: 64 }, (_, letter) => 'aB3/dE5gH+7jK9mN2pQ4sT6vW8'[(letter * 7 + at * 5) % 26]).join(
    '',
  );

const hidden: [what: string, text: string][] = [
  ['colours between its letters', `use gh\u001b[32mp_${token.slice(4)}\u001b[0m now`],
  ['colours between name and value', `password\u001b[0m: \u001b[1m${secret}\u001b[0m`],
  ['colours that were written out', `"password\\u001b[0m: \\u001b[32m${secret}\\u001b[0m"`],
  ['a zero-width space in the name', `pass\u200bword=${secret}`],
  ['a zero-width space in the value', `token: ${token.slice(0, 9)}\u200b${token.slice(9)}`],
  ['a fullwidth colon', `password：${secret}`],
  ['fullwidth letters', fullwidth(`password=${secret}`)],
  ['typographic quotes', `the password is “${secret}”`],
  ['a Markdown table', `| user | password |\n|---|---|\n| ada | ${secret} |\n`],
  ['a table of psql', ` id | api_token \n----+-----------\n  1 | ${secret}\n(1 row)`],
  ['a table drawn with lines', `│ name │ secret │\n├──────┼────────┤\n│ ada  │ ${secret} │\n`],
  ['CSV', `email,password,role\nada@acme.dev,${secret},admin\n`],
  ['columns of spaces', `NAME      PASSWORD        AGE\nada       ${secret}    3d\n`],
  ['the next line', `Password:\n${secret}\n`],
  ['a block of YAML', `password: |\n  ${secret}\n`],
  ['the name of a file', `/srv/dumps/db-password=${secret}.sql`],
  ['base64 of an assignment', `echo ${base64(`DB_PASSWORD=${secret}`)} | base64 -d`],
  ['base64 of JSON', base64(`{"password":"${secret}"}`)],
  ['base64 of a login', `x-auth ${base64(`ada:${secret}`)}`],
  ['base64 of a token', base64(token)],
  ['the middle of a key file', `${keyLine(1)}\n${keyLine(2)}\n${keyLine(3)}\n`],
  [
    'an address of Telegram',
    `https://api.telegram.org/bot8412093365:AA${secret}${secret}k3Jd9fQ2z/sendMessage`,
  ],
  ['the user of an address', `git clone https://${secret}${secret}@git.acme.dev/a.git`],
  ['a cookie of curl', `curl -b 'sessionid=${secret}${secret}' https://acme.dev`],
  ['a pipe', `echo "root:${secret}" | chpasswd`],
  ['a pipe of a secret', `printf '%s' '${secret}' | gh secret set NPM_TOKEN`],
  ['a flag of gh', `gh secret set NPM_TOKEN -b ${secret}`],
  ['a flag of openssl', `openssl enc -aes-256-cbc -k ${secret} -in a`],
  ['a flag of htpasswd', `htpasswd -b .htpasswd ada ${secret}`],
  ['a literal of kubectl', `kubectl create secret generic db --from-literal=pw=${secret}`],
  ['a sentence, and no name', `please try ${secret}${secret}${secret} on staging`],
  ['a prefix that no rule knows', `set zxqw_${secret}${secret}${secret} there`],
];

const phrase = 'ribbon wolf abandon orbit velvet canyon rescue lunar pistol garden tomato zebra';

const innocent = [
  '| Option | Default |\n|---|---|\n| password | none |\n| token | string |\n',
  '| name | key |\n|---|---|\n| Enter | submit |\n| Escape | close |\n',
  'colours: \u001b[31mred\u001b[0m and \u001b[32mgreen\u001b[0m',
  '“the password” is a field – see the form',
  `-----BEGIN CERTIFICATE-----\n${keyLine(1)}\n${keyLine(2)}\n-----END CERTIFICATE-----`,
  `"integrity": "sha512-${base64('x'.repeat(20) + '\u0001\u0002'.repeat(22))}"`,
  'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQTc1AUCHw9XQ3m5k ada@host (ED25519)',
  base64('a plain sentence about nothing in particular, in base64'),
  'name names file files path paths type types kind length count size field label hint title role',
  'request req_011CSHoEeqs5C35K2UUqR7Fy and message msg_01XFDUDYJgAACzvnptvVoYEL failed',
  'chunk-PZLDVZEW.js main-4f9a8b7c6d5e4f3a2b1c.css',
  'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 reverts it',
];

/** Bold letters and digits of mathematics, each of which is two UTF-16 units. */
const bold = (text: string): string =>
  text.replace(/[a-z0-9]/g, (char) =>
    String.fromCodePoint(char >= 'a' ? 0x1d3b9 + char.charCodeAt(0) : 0x1d79e + char.charCodeAt(0)),
  );

describe('a hidden secret', () => {
  it('[redact-hidden] is redacted without what stands behind it', () => {
    expect(redact(`use ${bold(token.toLowerCase())}\u{1f512} now`)).toBe(
      'use [redacted:github-token]\u{1f512} now',
    );
  });

  it.each(hidden)('[redact-hidden] is redacted in %s', (_what, text) => {
    const clean = redact(text);
    expect(clean).toContain('[redacted:');
    expect(plainView(clean)?.text ?? clean).not.toContain(secret);
    expect(redact(clean)).toBe(clean);
  });

  it('[redact-hidden] is redacted if it is the recovery phrase of a wallet, numbered or not', () => {
    expect(redact(`my wallet: ${phrase}`)).toBe('my wallet: [redacted:seed-phrase]');
    const numbered = phrase.split(' ').map((word, at) => `${at + 1}. ${word}`);
    expect(redact(numbered.join('\n'))).toBe('1. [redacted:seed-phrase]');
  });

  it('[redact-hidden] is removed from the original text, and nothing else is changed', () => {
    expect(redact(`\u001b[1mpassword\u001b[0m = “${secret}” – ok`)).toBe(
      '\u001b[1mpassword\u001b[0m = “[redacted:assigned-secret]” – ok',
    );
  });

  it.each(innocent)('[redact-hidden] is not found in: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
