import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { cpuMsSince } from '../../../test/support/cpu-time.ts';
import { redact, redactDeep } from './redact.ts';

/**
 * Fake secrets are assembled when the test runs, so that no scanner finds one in the repository.
 * Deterministic, so that a failure can be repeated.
 */
const letters = (count: number, alphabet: string): string =>
  Array.from({ length: count }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
const mixed = 'aB3dE5gH7jK9mN2pQ4sT6vW8yZ0cF1iL';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const hex = '0a1b2c3d4e5f6789';
const words = (count: number): string => letters(count, mixed);

interface Example {
  rule: string;
  secret: string;
  /** The secret in its context. */
  inText?: (secret: string) => string;
  /** A similar text that must be kept. */
  lookAlike: string;
}

const examples: Example[] = [
  {
    rule: 'private-key',
    secret: `${'-----BEGIN RSA'} PRIVATE KEY-----\n${words(64)}\n${words(40)}\n-----END RSA PRIVATE KEY-----`,
    lookAlike: '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  },
  { rule: 'aws-access-key', secret: `AK${'IA'}${letters(16, upper)}`, lookAlike: 'AKIAN is a name' },
  { rule: 'aws-access-key', secret: `AS${'IA'}${letters(16, upper)}`, lookAlike: 'ASIA-PACIFIC-SOUTHEAST' },
  { rule: 'github-token', secret: `gh${'p_'}${words(36)}`, lookAlike: 'ghp_short and the_ghp_table' },
  { rule: 'github-token', secret: `gh${'s_'}${words(36)}`, lookAlike: 'ghs_' },
  { rule: 'github-pat', secret: `github${'_pat_'}${words(22)}_${words(59)}`, lookAlike: 'github_pat_docs' },
  { rule: 'gitlab-token', secret: `gl${'pat-'}${words(20)}`, lookAlike: 'glpat-none' },
  {
    rule: 'slack-token',
    secret: `xox${'b-'}${letters(12, '1234567890')}-${words(24)}`,
    lookAlike: 'xoxo-kisses',
  },
  {
    rule: 'slack-webhook',
    secret: `hooks.slack${'.com/services/'}T${letters(8, upper)}/B${letters(8, upper)}/${words(24)}`,
    lookAlike: 'https://hooks.slack.com/docs',
  },
  { rule: 'stripe-key', secret: `sk${'_live_'}${words(24)}`, lookAlike: 'task_live_status' },
  { rule: 'stripe-key', secret: `rk${'_test_'}${words(24)}`, lookAlike: 'rk_test_1' },
  { rule: 'anthropic-key', secret: `sk-${'ant-'}api03-${words(40)}`, lookAlike: 'sk-ant-hill' },
  {
    rule: 'openai-key',
    secret: `sk-${'proj-'}${words(40)}`,
    lookAlike: 'a task-list-of-many-things-to-do and sk-learn',
  },
  { rule: 'openai-key', secret: `sk-${words(48)}`, lookAlike: 'disk-usage-per-folder-and-file' },
  { rule: 'google-api-key', secret: `AI${'za'}${words(35)}`, lookAlike: 'AIzawa' },
  { rule: 'google-oauth', secret: `GOC${'SPX-'}${words(28)}`, lookAlike: 'GOCSPX-' },
  { rule: 'google-oauth', secret: `ya${'29.'}${words(60)}`, lookAlike: 'ya29.' },
  {
    rule: 'npm-token',
    secret: `npm${'_'}${words(36)}`,
    lookAlike: 'npm_config_registry and npm_lifecycle_event',
  },
  { rule: 'pypi-token', secret: `pypi${'-'}${words(60)}`, lookAlike: 'pypi-server' },
  { rule: 'hugging-face-token', secret: `hf${'_'}${words(34)}`, lookAlike: 'hf_hub_download' },
  { rule: 'sendgrid-key', secret: `SG${'.'}${words(22)}.${words(43)}`, lookAlike: 'SG.com' },
  { rule: 'digitalocean-token', secret: `dop${'_v1_'}${letters(64, hex)}`, lookAlike: 'dop_v1_docs' },
  {
    rule: 'json-web-token',
    secret: `ey${'J'}${words(20)}.ey${'J'}${words(40)}.${words(43)}`,
    lookAlike: 'keyJar.keyJoin.other and eyJ.eyJ.x',
  },
  {
    rule: 'authorization-header',
    secret: words(24),
    inText: (secret) => `Authorization: ${'Bearer'} ${secret}`,
    lookAlike: 'Authorization: Bearer $TOKEN',
  },
  {
    rule: 'authorization-header',
    secret: words(24),
    inText: (secret) => `"authorization": "${'Basic'} ${secret}"`,
    lookAlike: 'the Authorization header is required',
  },
  {
    rule: 'url-password',
    secret: words(12),
    inText: (secret) => `postgres://admin:${secret}@db.internal:5432/jobs`,
    lookAlike: 'postgres://localhost:5432/jobs and https://example.org:8080/a@b',
  },
  {
    rule: 'cookie',
    secret: `theme=dark; session=${words(32)}; lang=en`,
    inText: (secret) => `curl -H 'cookie: ${secret}' https://example.org`,
    lookAlike: "curl -H 'cookie: theme=dark; lang=english' https://example.org",
  },
  {
    rule: 'private-key',
    secret: `${words(64)}\n${words(64)}\n${words(40)}\n`,
    inText: (secret) => `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 3\n${secret}`,
    lookAlike: 'Private-Lines: none',
  },
  {
    rule: 'seed-phrase',
    secret: Array.from({ length: 12 }, (_, at) => ['abandon', 'zoo', 'wolf', 'ribbon'][at % 4]).join(' '),
    inText: (secret) => `MNEMONIC="${secret}"`,
    lookAlike: 'a mnemonic is a word that helps one to remember',
  },
  {
    rule: 'okta-token',
    secret: `00${words(40)}`,
    inText: (secret) => `variable = { okta_api: "${secret}" }`,
    lookAlike: `rookTable = ${letters(42, '0123456789')}`,
  },
  {
    rule: 'ntlm-hash',
    secret: `${letters(32, hex)}:${letters(32, '9f8e7d6c5b4a3021')}:::`,
    inText: (secret) => `ann:1001:${secret}`,
    lookAlike: 'std:::vector and Foo:::Bar',
  },
  {
    rule: 'api-token',
    secret: `bk${'ua_'}${letters(40, hex)}`,
    lookAlike: 'rnd_seed_of_the_next_generator_call',
  },
  {
    rule: 'encoded-private-key',
    secret: Buffer.from(`${'-----BEGIN ENCRYPTED'} PRIVATE KEY-----\n${words(60)}`).toString('base64'),
    lookAlike: Buffer.from(`-----BEGIN CERTIFICATE-----\n${words(60)}`).toString('base64'),
  },
  {
    rule: 'assigned-secret',
    secret: `${words(20)}!%(^+=${words(9)}`,
    inText: (secret) => `SECRET_KEY = 'django-insecure-${secret}'`,
    lookAlike: 'secret: "([A-Za-z0-9]{16})-(\\\\d{4})|none"',
  },
  {
    rule: 'assigned-secret',
    secret: words(32),
    inText: (secret) => `buildConfigField 'String', 'API_KEY', '"${secret}"'`,
    lookAlike: `buildConfigField 'String', 'API_KEY', '"' + apiKey + '"'`,
  },
  {
    rule: 'assigned-secret',
    secret: words(30),
    inText: (secret) => `variable "ci_token" {\n  type = string\n  default = "${secret}"\n}`,
    lookAlike: 'variable "ci_token" {\n  type = string\n  default = "none"\n}',
  },
  ...(
    [
      ['password', ': "', '"'],
      ['passphrase', " = '", "'"],
      ['client_secret', '="', '"'],
      ['API_KEY', '=', ''],
      ['DB_PASSWORD', '=', ''],
      ['"access_key"', ': "', '"'],
      ['private-key', ' => "', '"'],
      ['authToken', ": '", "'"],
      ['aws.secretkey', '=', ''],
      ['here is the api key', ' ', ''],
    ] as const
  ).map(([name, before, after], at) => ({
    rule: 'assigned-secret',
    secret: words(16 + at),
    inText: (secret: string) => `${name}${before}${secret}${after}`,
    lookAlike: [
      'password: string',
      'const token = getToken();',
      "secret: 'YOUR_SECRET'.length, apiKey: process.env.API_KEY,",
      'token = config.auth.token',
      'PASSWORD=$PASSWORD',
      'password = "<your password>"',
      'the token: a short word',
      'tokens: 1500, secretary: "Ann"',
      'keyboard.monkeys=true',
      'the token counting-of-many-long-words-and-more and the token',
    ][at] as string,
  })),
];

describe('redact', () => {
  it.each(examples)('[redact-rules] redacts a $rule', ({ rule, secret, inText = (own) => own }) => {
    const clean = redact(`before ${inText(secret)} after`);
    expect(clean).not.toContain(secret);
    expect(clean).toContain(`[redacted:${rule}]`);
    expect(clean).toMatch(/^before .* after$/s);
  });

  it.each(examples)(
    '[redact-rules] keeps a text that only resembles a $rule: $lookAlike',
    ({ lookAlike }) => {
      expect(redact(`before ${lookAlike} after`)).toBe(`before ${lookAlike} after`);
    },
  );

  it('redacts a truncated private key to its end', () => {
    const torn = `${'-----BEGIN OPENSSH'} PRIVATE KEY-----\n${words(200)}`;
    expect(redact(`key:\n${torn}`)).toBe('key:\n[redacted:private-key]');
  });

  it('[redact-private] removes private passages, in any case, across lines, and to the end if not closed', () => {
    expect(redact('a <private>my plan</private> b')).toBe('a [private] b');
    expect(redact('a <PRIVATE>my\nplan</Private> b <private>two</private>')).toBe('a [private] b [private]');
    expect(redact('a <private>my plan\nand all after it')).toBe('a [private]');
    expect(redact('a private word, <privateer> and </private>')).toBe(
      'a private word, <privateer> and </private>',
    );
  });

  it('keeps prose, code and paths of this repository', () => {
    const text = [
      'We keep the token budget at 1,500 and the password prompt in src/auth/password-prompt.ts.',
      'const secret = await loadSecret(path); export type Token = { kind: string };',
      'https://github.com/ann/queue/pull/12#issuecomment-123456 and git@github.com:ann/queue.git',
      'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      '018f2c4a-7d7e-7c3b-9f00-0242ac120002',
    ].join('\n');
    expect(redact(text)).toBe(text);
  });

  const planted = fc.constantFrom(...examples);
  const around = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.lorem({ maxCount: 8 }),
    fc.constantFrom('{"output":"', '\n', '```\n', '> ', '<private>', 'token', '=', '"'),
  );
  /** Separators between a value and its neighbours. */
  const gap = fc.constantFrom(' ', '\n', '\t', '"', "'", '(', ', ', '`');

  it('[redact-never-leaks] never misses a planted secret, whatever surrounds it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ planted, before: around, open: gap }), { minLength: 1, maxLength: 4 }),
        around,
        (parts, after) => {
          const words = parts.map(
            ({ planted: { secret, inText = (own) => own }, before, open }) =>
              `${before}${open}${inText(secret)}`,
          );
          const text = [...words, after].join('\n');
          const clean = redact(text);
          for (const {
            planted: { secret },
          } of parts)
            expect(clean).not.toContain(secret);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('[redact-idempotent] is idempotent', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            around,
            planted.map(({ secret, inText = (own) => own }) => inText(secret)),
          ),
          { maxLength: 8 },
        ),
        (parts) => {
          const once = redact(parts.join(' '));
          expect(redact(once)).toBe(once);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['at the start', ''],
    ['after a sign', '='],
    ['after an escaped line break', 'a\\n'],
    ['after an escaped tab', 'a\\t'],
    ['after an escaped character of a URL', 'a%3D'],
    ['after a plus that is no base64', ' +'],
    ['after a path', 'registry/'],
  ])('[redact-rules] knows the format of a token %s', (_, before) => {
    expect(redact(`${before}npm${'_'}${words(36)}`)).toMatch(/\[redacted:npm-token\]$/);
  });

  it.each([
    ['inside a word', 'a'],
    ['inside base64', 'aB3+'],
    ['as the end of a file name', 'a.'],
    ['after 24 characters of base64', `${words(24)}/`],
  ])('[redact-rules] takes a short prefix %s for a coincidence', (_, before) => {
    expect(redact(`${before}npm${'_'}${words(36)}`)).not.toContain('npm-token');
  });

  it('[redact-rules] takes a token of one repeated character for an example, unless its prefix is conclusive', () => {
    const example = `set the token to npm${'_'}${'a'.repeat(36)}`;
    expect(redact(example)).toBe(example);
    const hook = `hooks.slack${'.com/services/'}T${'A'.repeat(8)}/B${'A'.repeat(8)}/${'a'.repeat(24)}`;
    expect(redact(`see ${hook}`)).toBe('see [redacted:slack-webhook]');
  });

  it('does not treat its own marks as names of secrets', () => {
    const text = `[redacted:vault-token] = ${words(24)}`;
    expect(redact(text)).toBe(text);
  });

  it('redacts every string of a value and keeps its structure', () => {
    const secret = `gh${'p_'}${words(36)}`;
    const value = { a: [secret, 1, null, { b: `x ${secret}` }], c: true, [secret]: 1 };
    expect(JSON.stringify(redactDeep(value))).not.toContain(secret);
    expect(redactDeep(value)).toMatchObject({
      a: ['[redacted:github-token]', 1, null, { b: 'x [redacted:github-token]' }],
      c: true,
    });
  });

  it('stays fast on long pathological input', () => {
    const evil = [
      'a',
      ' ',
      'token',
      'token=',
      'password: ',
      '-----BEGIN PRIVATE KEY-----',
      '<private>',
      '://a:',
      'authorization: bearer ',
      `ey${'J'}aaaaaaaaaaaa.`,
    ];
    for (const piece of evil) {
      const text = piece.repeat(250_000 / piece.length);
      const started = process.cpuUsage();
      redact(text);
      expect(cpuMsSince(started), piece).toBeLessThan(5_000);
    }
  });
});
