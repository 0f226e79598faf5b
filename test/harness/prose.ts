import type { Random } from './random.ts';

const nouns =
  `queue worker index note event session transcript cursor project branch commit request response handler schema
  table row column cache lock file folder path config option flag parser lexer
  test suite fixture retry timeout budget prompt answer hook agent server client socket stream buffer page offset
  record line word term query filter rank score limit batch transaction snapshot migration release`.split(
    /\s+/,
  );
const delicate = ['token', 'password', 'api key', 'credential', 'key'];
const noun = (random: Random): string => random.pick(random.chance(0.02) ? delicate : nouns);
const verbs =
  `reads writes appends folds parses renders keeps drops retries replaces opens closes checks counts sends receives
  indexes searches merges splits compares sorts loads saves returns throws ignores accepts rejects wraps`.split(
    /\s+/,
  );
const qualities =
  `small old new stale fresh torn whole private shared slow fast empty full broken durable atomic late early
  optional required`.split(/\s+/);
const links = ['because', 'so that', 'before', 'after', 'while', 'unless', 'and', 'but', 'when', 'although'];

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function sentence(random: Random): string {
  const clause = () => `the ${random.pick(qualities)} ${noun(random)} ${random.pick(verbs)} ${noun(random)}s`;
  const end = random.chance(0.2) ? ` (see \`${pathName(random)}\`)` : '';
  return `${capital(clause())} ${random.pick(links)} ${clause()}${end}. `;
}

const pathName = (random: Random): string =>
  `src/${noun(random)}/${random.pick(qualities)}-${noun(random)}.ts`;

const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => random.whole(0, 15).toString(16)).join('');

function codeLine(random: Random): string {
  const [one, other] = [random.pick(nouns), random.pick(nouns)];
  if (random.chance(0.05)) {
    return random.pick([
      `export function ${random.pick(verbs)}${capital(one)}(${other}: string, token: Token): Promise<void> {`,
      `  const apiKey = process.env.${one.toUpperCase()}_API_KEY;`,
      `  password: string;`,
    ]);
  }
  return random.pick([
    `import { ${one}${capital(other)} } from './${other}.ts';`,
    `  const ${one} = await ${random.pick(verbs)}${capital(other)}({ ${one}: ${random.whole(0, 900)}, ${other} });`,
    `  if (${one} === undefined || ${one}.length < ${random.whole(1, 99)}) return ${other};`,
    `}`,
    `  expect(${one}.${other}).toBe('${random.pick(qualities)} ${one}');`,
    `$ git show ${hex(random, 40)} -- ${pathName(random)}`,
    `  at ${random.pick(verbs)}${capital(one)} (${pathName(random)}:${random.whole(1, 400)}:${random.whole(1, 80)})`,
    `- https://example.org/docs/${one}/${other}?page=${random.whole(1, 9)}#${one}`,
    `  { "id": "${hex(random, 8)}-${hex(random, 4)}-7${hex(random, 3)}", "${one}": ${random.whole(1, 9_999)} },`,
  ]);
}

function paragraph(random: Random): string {
  if (random.chance(0.5)) return `${Array.from({ length: 4 }, () => sentence(random)).join('')}\n\n`;
  return `\`\`\`ts\n${Array.from({ length: 8 }, () => codeLine(random)).join('\n')}\n\`\`\`\n\n`;
}

/**
 * Generates text that people and agents write about code: sentences, lists, code, paths, ids and addresses, with words
 * like "token" that redaction has to check. It contains no secret. Such words occur about twice per kilobyte; in
 * documentation of npm packages 0.8 times, in TypeScript declarations 1.4 times.
 */
export interface Prose {
  /** Returns `length` characters of plain ASCII, chosen by `random`. */
  take(length: number, random: Random): string;
}

const poolLength = 512 * 1024;

/** Generates a pool once and returns random slices of it, because evaluations need millions of characters fast. */
export function createProse(random: Random): Prose {
  let pool = '';
  while (pool.length < poolLength) pool += paragraph(random);
  return {
    take(length, from) {
      const start = from.whole(0, poolLength - 1);
      let text = pool.slice(start, start + length);
      while (text.length < length) text += pool.slice(0, length - text.length);
      return text;
    },
  };
}
