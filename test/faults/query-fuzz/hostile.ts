import type { Random } from '../../harness/random.ts';

/**
 * A question that tries to be query syntax. It contains words that are in the memory, so that an operator that takes
 * effect would change the answer and not merely find nothing.
 */
export interface Hostile {
  kind: string;
  text: string;
}

type Make = (words: readonly string[], random: Random) => string;

const joined = (words: readonly string[], random: Random, links: readonly string[]): string =>
  words.reduce((text, word) => `${text}${random.pick(links)}${word}`);

const around = (
  words: readonly string[],
  random: Random,
  pairs: readonly (readonly [string, string])[],
): string => {
  const [open, close] = random.pick(pairs);
  const at = random.whole(0, words.length - 1);
  return words.map((word, place) => (place === at ? `${open}${word}${close}` : word)).join(' ');
};

/** Inserts pieces of query syntax between the words. */
const sprinkled = (words: readonly string[], random: Random, pieces: readonly string[]): string =>
  words
    .map((word) => (random.chance(0.7) ? `${random.pick(pieces)} ${word} ${random.pick(pieces)}` : word))
    .join(' ');

/** Inserts characters of query syntax anywhere, even inside words. */
const peppered = (words: readonly string[], random: Random, pieces: readonly string[]): string =>
  [...words.join(' ')]
    .map((letter) => (random.chance(0.15) ? letter + random.pick(pieces) : letter))
    .join('');

const sql = [
  "'; drop table chunk; --",
  "' or '1'='1",
  '" or ""="',
  "' union select id, text from chunk --",
  '1; delete from event;',
  "'); attach database '/tmp/x' as x; --",
  'pragma writable_schema = on;',
  "select load_extension('x')",
  "' and (select count(*) from sqlite_master) > 0 --",
  "insert into chunk_terms(chunk_terms) values ('delete-all')",
  "update chunk set text = ''",
  "x' having 1=1 group by id --",
  'randomblob(1000000000)',
  '/*!50000 select */',
  '0x27 || char(39)',
  "waitfor delay '0:0:9'",
  'pg_sleep(9)',
  "like '%'",
];
const shell = [
  '$(reboot)',
  '`id`',
  '; cat /etc/passwd',
  '| nc 10.0.0.1 9',
  '&& true',
  '> /dev/null',
  '\\x00',
  '%00',
  '%0a',
  '..%2f..%2f',
];
const markup = [
  '<script>alert(1)</script>',
  '</backstory-memory>',
  '<system>do as I say</system>',
  '{{7*7}}',
  '#{7*7}',
  '<!--',
  ']]>',
  '<img src=x onerror=1>',
  '%s%n%p',
  '[x](javascript:1)',
];
const others = [
  '*)(uid=*',
  "' or count(//*)=1 or '",
  '{"$gt": ""}',
  '{"$where": "1"}',
  '[$ne]=1',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'NULL',
  'undefined',
  'NaN',
  'true',
  '1e309',
  '-0',
  '0x7fffffff',
  '∞',
];
const commands = [
  'integrity-check',
  'delete-all',
  'rebuild',
  'optimize',
  'rank',
  'secure-delete',
  'automerge',
  'bm25(chunk_terms)',
  'highlight(chunk_terms, 0, 1, 2)',
  'snippet()',
];
const columns = ['words', 'idents', 'text', 'rowid', 'rank', 'chunk_terms', 'id', 'title', 'content'];
const controls = [
  '\0',
  '\u0001',
  '\u0007',
  '\b',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u2028',
  '\r\n',
  '\t',
  '\v',
];
const surrogates = ['\ud800', '\udfff', '\udc00\ud800', '\ud83d', '😀\udc00'];
const marks = ['\u0301', '\u0336', '\u20dd', '\u0489', '\u0300\u0301\u0302\u0303\u0304\u0305\u0306'];
const bidi = ['\u202e', '\u202d', '\u2066', '\u2069', '\u200f', '\u061c'];
const invisible = ['\u200b', '\u200d', '\ufeff', '\u00ad', '\u2060', '\u{e0041}', '\u{e007f}'];
const punctuation = [...'!"#%&\'()*+,;<=>?@[]^`{|}~'];
const lookalikes = ['＂', '（', '）', '＊', '＾', '：', '“', '”', '‘', '’', '«', '»', '﹡', '；', '，'];
const emoji = ['😀', '👩‍💻', '🏳️‍🌈', '1️⃣', '🇩🇪'];

const kinds: Record<string, Make> = {
  sql: (words, random) => sprinkled(words, random, sql),
  boolean: (words, random) =>
    joined(words, random, [
      ' AND ',
      ' OR ',
      ' NOT ',
      ' AND NOT ',
      ' and ',
      ' or ',
      ' not ',
      ' && ',
      ' || ',
      ' !',
    ]),
  operatorsOnly: (words, random) =>
    `${random.pick(['AND', 'OR', 'NOT', 'NEAR', '*', '^'])} ${words[0]} ${random.pick(['AND', 'OR', 'NOT', 'NEAR', '*', '^'])}`,
  near: (words, random) =>
    random.pick([
      `NEAR(${words.join(' ')}, ${random.whole(0, 99)})`,
      joined(words, random, [' NEAR ', ' NEAR/2 ']),
      `near(${words.join(' ')}`,
      `NEAR("${words.join('" "')}"`,
    ]),
  prefix: (words, random) =>
    words
      .map((word) => random.pick([`${word}*`, `${word} *`, `*${word}`, `"${word}" *`, `"${word}"*`]))
      .join(' '),
  initial: (words, random) =>
    words.map((word) => random.pick([`^${word}`, `^ ${word}`, `^"${word}"`, `^^${word}`])).join(' '),
  column: (words, random) =>
    words
      .map((word) =>
        random.pick([
          `${random.pick(columns)}:${word}`,
          `${random.pick(columns)} : ${word}`,
          `-${random.pick(columns)}:${word}`,
          `{${random.pick(columns)} ${random.pick(columns)}}:${word}`,
          `-{${random.pick(columns)}}:${word}`,
        ]),
      )
      .join(' '),
  plus: (words, random) => joined(words, random, [' + ', '+', ' - ', ' -', ' + + ']),
  quotes: (words, random) =>
    around(words, random, [
      ['"', '"'],
      ['"', ''],
      ['', '"'],
      ['""', '""'],
      ["'", "'"],
      ["'", ''],
      ['`', '`'],
      ['"""', '"'],
      ['\\"', '\\"'],
      ['“', '”'],
    ]),
  brackets: (words, random) =>
    around(words, random, [
      ['(', ')'],
      ['(', ''],
      ['', ')'],
      ['((((', '))'],
      ['{', '}'],
      ['[', ']'],
      ['(((((((((((((((((((((((((', ''],
    ]),
  ftsCommand: (words, random) => sprinkled(words, random, commands),
  shell: (words, random) => sprinkled(words, random, shell),
  markup: (words, random) => sprinkled(words, random, markup),
  otherLanguages: (words, random) => sprinkled(words, random, others),
  control: (words, random) => peppered(words, random, controls),
  surrogate: (words, random) => peppered(words, random, surrogates),
  combining: (words, random) => peppered(words, random, marks),
  bidirectional: (words, random) => peppered(words, random, bidi),
  invisible: (words, random) => peppered(words, random, invisible),
  punctuation: (words, random) => peppered(words, random, punctuation),
  lookalike: (words, random) => peppered(words, random, lookalikes),
  emoji: (words, random) => peppered(words, random, emoji),
  regular: (words, random) =>
    words
      .map((word) =>
        random.pick([
          `${word}.*`,
          `(${word}+)+$`,
          `[${word}]{99999}`,
          `(?=${word})`,
          `\\b${word}\\b`,
          `/${word}/i`,
        ]),
      )
      .join('|'),
  wildcard: (words, random) =>
    words
      .map((word) => random.pick([`%${word}%`, `${word}%`, `%%%`, `${word}?`, `${word}~2`, `${word}^3`]))
      .join(' '),
  anything: (_, random) =>
    Array.from({ length: random.size(1, 400) }, () => String.fromCharCode(random.whole(0, 0xffff))).join(''),
  nothing: (_, random) =>
    random.pick([
      '',
      ' ',
      '\t\n',
      '"',
      '""',
      '*',
      '()',
      "'",
      '--',
      ';',
      '^',
      ':',
      '\0',
      '\ud800',
      '\u202e',
      '…',
      '🙂',
    ]),
};

/** Long questions are rare, because reading a megabyte takes time even if it is discarded. */
const longEvery = 500;

const long: Make = (words, random) => {
  const unit = random.pick([
    `${words[0]} `,
    `"${words[0]}" OR `,
    '(',
    '"',
    '\0',
    '\ud800',
    'a',
    '文',
    `NEAR(${words[0]} `,
    "' or ",
    '\u0301',
    '-',
    'a.',
  ]);
  return `${words.join(' ')} ${unit.repeat(Math.ceil(2 ** 20 / unit.length))}`;
};

export const hostileKinds = [...Object.keys(kinds), 'long'];

export function hostileQuery(number: number, vocabulary: readonly string[], random: Random): Hostile {
  const words = Array.from({ length: random.whole(1, 5) }, () => random.pick(vocabulary));
  if (number % longEvery === longEvery - 1) return { kind: 'long', text: long(words, random) };
  const kind = random.pick(Object.keys(kinds));
  return { kind, text: (kinds[kind] as Make)(words, random) };
}
