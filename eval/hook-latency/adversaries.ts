/**
 * Texts made to be slow: for each rule the start of a match that never ends, beginnings packed as densely as
 * they go, runs that invite backtracking, and texts that are costly for the engine itself.
 */
export interface Adversary {
  name: string;
  text: string;
}

const run = (letter: string, length: number): string => letter.repeat(length);

const units: Record<string, string> = {
  'key begins, never ends': '-----BEGIN RSA PRIVATE KEY-----\n',
  'key begins, no key': `-----BEGIN ${run('A', 39)} `,
  'key begins, spaces': `-----BEGIN ${run(' ', 40)}`,
  'key half ends': `-----BEGIN PRIVATE KEY-----${run('-----END', 40)}`,
  'dashes only': '-----',
  'almost aws': 'AKIAAAAAAAAAAAAAAAAA',
  'almost aws, dense': 'AKIA',
  'almost github': `ghp_${run('a', 35)} `,
  'github, dense': 'ghp_',
  'github pat, dense': 'github_pat_',
  'gitlab, dense': 'glpat-',
  'slack, dense': 'xoxb-',
  'slack webhook, cut': 'hooks.slack.com/services/AAAAAAAAAAAAAAAAAA ',
  'stripe, dense': 'sk_live_',
  'anthropic, dense': 'sk-ant-',
  'openai, cut': `sk-proj-${run('a', 10)} `,
  'openai, dense': 'sk-',
  'google, cut': `AIza${run('a', 34)} `,
  'google oauth, cut': `ya29.${run('a', 19)} `,
  'npm, cut': `npm_${run('a', 35)} `,
  'npm, too long': `npm_${run('a', 37)} `,
  'pypi, cut': `pypi-${run('a', 49)} `,
  'hugging face, too long': `hf_${run('a', 61)} `,
  'sendgrid, two parts': `SG.${run('a', 32)}.${run('a', 15)} `,
  'digitalocean, cut': `dop_v1_${run('a', 63)} `,
  'jwt, one part': ` eyJ${run('a', 2_000)}`,
  'jwt, two parts': ` eyJ${run('a', 1_000)}.eyJ${run('a', 4_000)}`,
  'jwt, short parts': ' eyJaaaaaaaaaa.eyJaaaaaaaaaa',
  'jwt, dense': '.eyJ',
  'authorization, no value': 'Authorization:    Bearer    ',
  'authorization, cut': 'authorization="Bearer aaaaaaa"',
  'url, long user': `://${run('a', 100)}`,
  'url, long password': `://${run('a', 100)}:${run('a', 200)} `,
  'url, dense': '://a:',
  'assigned, name goes on': `secret_${run('a', 20)}_${run('a', 20)}_`,
  'assigned, dense': 'secret',
  'assigned, dense names': 'token_secret-api_key',
  'assigned, spaces': 'password   :=   ',
  'assigned, open quote': `password="${run('a', 500)} `,
  'assigned, open quote, dense': `token="token='`,
  'assigned, short value': 'token=aaaaaaa ',
  'assigned, long value': `api_key=${run('a1', 250)}`,
  'assigned, placeholders': 'secret="process.env.SECRET" ',
  'private, never ends': '<private>',
  'private, nested': '<private><private></private>',
  'private, almost': '<privat',
  'one letter': 'a',
  underscores: '_',
  'quotes and equals': `"='`,
  newlines: '\n',
  spaces: ' ',
  'wide letters': 'é',
  'chinese with keywords': '密码token访问secret',
  'emoji with keywords': '🙂password=🙂',
  'lone surrogates': '\ud83dtoken',
  'letters that grow in lower case': 'İsecretİ',
  'every keyword':
    'AKIA ghp_ xox sk- AIza ya29. npm_ pypi- hf_ SG. do eyJ ://a:b secret passw token api auth ',
};

export const adversaries = (length: number): Adversary[] =>
  Object.entries(units).map(([name, unit]) => ({
    name,
    text: unit.repeat(Math.ceil(length / unit.length)).slice(0, length),
  }));
