import type { Random } from '../../test/harness/random.ts';

/**
 * Fifty kinds of secrets in the formats that their vendors publish: prefix, length, alphabet. Each is generated at run
 * time, so that nothing here looks like a secret to a scanner.
 */
export interface SecretKind {
  name: string;
  /** Name of the variable that such a value is assigned to. */
  variable: string;
  make(random: Random): string;
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
const hex = `${digits}abcdef`;
const alnum = lower + upper + digits;
const base64 = `${alnum}+/`;
const url = `${alnum}-_`;
const base32 = `${upper}234567`;

export const letters = (random: Random, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[random.whole(0, alphabet.length - 1)]).join('');

const kind = (name: string, variable: string, make: (of: Of) => string): SecretKind => ({
  name,
  variable,
  make: (random) => make(createOf(random)),
});

type Of = ReturnType<typeof createOf>;

const createOf = (random: Random) => ({
  random,
  alnum: (length: number) => letters(random, alnum, length),
  lowers: (length: number) => letters(random, lower + digits, length),
  uppers: (length: number) => letters(random, upper + digits, length),
  hex: (length: number) => letters(random, hex, length),
  url: (length: number) => letters(random, url, length),
  base64: (length: number) => letters(random, base64, length),
  base32: (length: number) => letters(random, base32, length),
  digits: (length: number) => letters(random, digits, length),
  uuid: () => [8, 4, 4, 4, 12].map((length) => letters(random, hex, length)).join('-'),
  json: (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url'),
});

const pem = (label: string, of: Of, lines: number): string =>
  [
    `-----BEGIN ${label}-----`,
    ...Array.from({ length: lines }, () => of.base64(64)),
    `${of.base64(30)}==`,
    `-----END ${label}-----`,
  ].join('\n');

export const secretKinds: SecretKind[] = [
  kind('aws access key', 'AWS_ACCESS_KEY_ID', (of) => `${of.random.pick(['AKIA', 'ASIA'])}${of.base32(16)}`),
  kind('aws secret key', 'AWS_SECRET_ACCESS_KEY', (of) => of.base64(40)),
  kind('github classic', 'GH_TOKEN', (of) => `gh${of.random.pick(['p', 'o', 's', 'u'])}_${of.alnum(36)}`),
  kind('github fine-grained', 'GITHUB_TOKEN', (of) => `github_pat_${of.alnum(22)}_${of.alnum(59)}`),
  kind('gitlab', 'GITLAB_TOKEN', (of) => `glpat-${of.url(20)}`),
  kind('slack bot', 'SLACK_BOT_TOKEN', (of) => `xoxb-${of.digits(12)}-${of.digits(12)}-${of.alnum(24)}`),
  kind(
    'slack webhook',
    'SLACK_WEBHOOK_URL',
    (of) => `https://hooks.slack.com/services/T${of.uppers(8)}/B${of.uppers(10)}/${of.alnum(24)}`,
  ),
  kind('stripe', 'STRIPE_KEY', (of) => `${of.random.pick(['sk', 'rk'])}_live_${of.alnum(24)}`),
  kind('anthropic', 'ANTHROPIC_API_KEY', (of) => `sk-ant-api03-${of.url(93)}AA`),
  kind('openai project', 'OPENAI_API_KEY', (of) => `sk-proj-${of.url(74)}T3BlbkFJ${of.url(74)}`),
  kind('google api', 'GOOGLE_API_KEY', (of) => `AIza${of.url(35)}`),
  kind('google oauth secret', 'GOOGLE_CLIENT_SECRET', (of) => `GOCSPX-${of.url(28)}`),
  kind('npm', 'NPM_TOKEN', (of) => `npm_${of.alnum(36)}`),
  kind('pypi', 'TWINE_PASSWORD', (of) => `pypi-AgEIcHlwaS5vcmc${of.url(120)}`),
  kind('hugging face', 'HF_TOKEN', (of) => `hf_${of.alnum(34)}`),
  kind('sendgrid', 'SENDGRID_API_KEY', (of) => `SG.${of.url(22)}.${of.url(43)}`),
  kind('digitalocean', 'DO_TOKEN', (of) => `dop_v1_${of.hex(64)}`),
  kind('jwt', 'ID_TOKEN', (of) =>
    [
      of.json({ alg: 'HS256', typ: 'JWT' }),
      of.json({ sub: of.digits(10), iat: Number(of.digits(9)) }),
      of.url(43),
    ].join('.'),
  ),
  kind('rsa key', 'TLS_KEY', (of) => pem('RSA PRIVATE KEY', of, 12)),
  kind('openssh key', 'DEPLOY_KEY', (of) => pem('OPENSSH PRIVATE KEY', of, 6)),
  kind('twilio', 'TWILIO_API_KEY', (of) => `SK${of.hex(32)}`),
  kind('mailgun', 'MAILGUN_API_KEY', (of) => `key-${of.hex(32)}`),
  kind('mailchimp', 'MAILCHIMP_API_KEY', (of) => `${of.hex(32)}-us${of.random.whole(1, 20)}`),
  kind('shopify', 'SHOPIFY_TOKEN', (of) => `shpat_${of.hex(32)}`),
  kind('square', 'SQUARE_ACCESS_TOKEN', (of) => `EAAA${of.url(60)}`),
  kind('databricks', 'DATABRICKS_TOKEN', (of) => `dapi${of.hex(32)}`),
  kind('vault', 'VAULT_TOKEN', (of) => `hvs.${of.url(92)}`),
  kind('terraform cloud', 'TFE_TOKEN', (of) => `${of.alnum(14)}.atlasv1.${of.alnum(64)}`),
  kind('doppler', 'DOPPLER_TOKEN', (of) => `dp.pt.${of.alnum(43)}`),
  kind('linear', 'LINEAR_API_KEY', (of) => `lin_api_${of.alnum(40)}`),
  kind('notion', 'NOTION_TOKEN', (of) => `ntn_${of.digits(11)}${of.alnum(35)}`),
  kind('figma', 'FIGMA_TOKEN', (of) => `figd_${of.url(40)}`),
  kind('postman', 'POSTMAN_KEY', (of) => `PMAK-${of.hex(24)}-${of.hex(34)}`),
  kind('telegram bot', 'TELEGRAM_BOT_TOKEN', (of) => `${of.digits(10)}:AA${of.url(33)}`),
  kind('discord bot', 'DISCORD_TOKEN', (of) => `MT${of.alnum(24)}.${of.url(6)}.${of.url(38)}`),
  kind('cloudflare', 'CLOUDFLARE_API_TOKEN', (of) => of.url(40)),
  kind('datadog', 'DD_API_KEY', (of) => of.hex(32)),
  kind('heroku', 'HEROKU_API_KEY', (of) => of.uuid()),
  kind('azure storage', 'AZURE_STORAGE_KEY', (of) => `${of.base64(86)}==`),
  kind('docker hub', 'DOCKER_PAT', (of) => `dckr_pat_${of.url(27)}`),
  kind('rubygems', 'GEM_HOST_API_KEY', (of) => `rubygems_${of.hex(48)}`),
  kind('grafana', 'GRAFANA_TOKEN', (of) => `glsa_${of.alnum(32)}_${of.hex(8)}`),
  kind('sentry', 'SENTRY_AUTH_TOKEN', (of) => `sntrys_eyJ${of.url(90)}_${of.url(43)}`),
  kind('new relic', 'NEW_RELIC_KEY', (of) => `NRAK-${of.uppers(27)}`),
  kind('supabase', 'SUPABASE_KEY', (of) => `sbp_${of.hex(40)}`),
  kind(
    'age key',
    'SOPS_AGE_KEY',
    (of) => `AGE-SECRET-KEY-1${letters(of.random, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  ),
  kind(
    'random password',
    'DB_PASSWORD',
    (of) => `${of.alnum(10)}${letters(of.random, '!#%*_-', 2)}${of.alnum(4)}`,
  ),
  kind('random hex secret', 'SESSION_SECRET', (of) => of.hex(64)),
  kind('random base64 key', 'ENCRYPTION_KEY', (of) => `${of.base64(43)}=`),
  kind('signing secret', 'WEBHOOK_SECRET', (of) => `whsec_${of.base64(32)}`),
];
