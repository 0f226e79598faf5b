import type { Random } from './random.ts';

/** A regular expression, and texts that it matches unless an assertion in it prevents that. */
export interface RandomRegex {
  source: string;
  sample(): string;
}

/** Few letters, so that repeated ones and near misses are frequent. */
const letters = ['a', 'b', 'c', '_', '0', ' ', '.', '(', '<', 'K', 'é'];
const classes: Record<string, string> = {
  '.': 'a( é',
  '\\w': 'aK_0',
  '\\d': '0',
  '\\s': ' ',
  '\\W': '(é',
  '\\S': 'b.é',
  '[a-f]': 'bc',
  '[^a-f]': 'K é',
  '[_0-9]': '_0',
  '[é-ü]': 'éü',
  '[^\\s(]': 'a<',
  '[[:alpha:]]': 'cK',
};
const assertions = ['^', '$', '\\b', '\\B'];
const quantifiers: [string, number][] = [
  ['*', 0],
  ['+', 1],
  ['?', 0],
  ['{2}', 2],
  ['{0,2}', 0],
  ['{1,3}', 1],
  ['{2,}', 2],
  ['+?', 1],
];

/**
 * Generates an expression that consists mostly of short words in which single letters may repeat, such as `ab+c\(`.
 * There, an index or a matcher that counts a repetition wrongly misses its sample.
 */
export function randomRegex(random: Random): RandomRegex {
  const { source, sample } = randomPart(random, 3);
  if (random.chance(0.9)) return { source, sample };
  return { source: `(?i)${source}`, sample: () => sample().toUpperCase() };
}

function randomPart(random: Random, depth: number): RandomRegex {
  const kind = random.next();
  const inner = (): RandomRegex => randomPart(random, depth - 1);
  if (depth === 0 || kind < 0.35)
    return sequence(Array.from({ length: random.whole(1, 6) }, () => letter(random)));
  if (kind < 0.43) {
    const [source, members] = random.pick(Object.entries(classes));
    return { source, sample: () => random.pick([...members]) };
  }
  if (kind < 0.48) return { source: random.pick(assertions), sample: () => '' };
  if (kind < 0.75) return sequence(Array.from({ length: random.whole(2, 3) }, inner));
  const part = inner();
  if (kind < 0.88) {
    const other = inner();
    const sample = (): string => random.pick([part, other]).sample();
    return { source: `(?:${part.source}|${other.source})`, sample };
  }
  return repeated({ ...part, source: `(?:${part.source})` }, random);
}

function letter(random: Random): RandomRegex {
  const text = random.pick(letters);
  const one = { source: text.replace(/[.(]/, '\\$&'), sample: () => text };
  return random.chance(0.2) ? repeated(one, random) : one;
}

const sequence = (parts: RandomRegex[]): RandomRegex => ({
  source: parts.map(({ source }) => source).join(''),
  sample: () => parts.map(({ sample }) => sample()).join(''),
});

/** A sample may repeat the part more often than the expression allows: V8 decides what matches. */
function repeated({ source, sample }: RandomRegex, random: Random): RandomRegex {
  const [quantifier, min] = random.pick(quantifiers);
  const count = (): number => min + random.whole(0, 2);
  return {
    source: source + quantifier,
    sample: () => Array.from({ length: count() }, sample).join(''),
  };
}

/** A line with a sample, alone or between letters; sometimes without its middle, as a near miss. */
export function randomLine({ sample }: RandomRegex, random: Random): string {
  const text = sample();
  const middle = text.length >> 1;
  const part = random.chance(0.2) ? text.slice(0, middle) + text.slice(middle + 1) : text;
  return random.chance(0.5) ? part : random.pick(letters) + part + random.pick(letters);
}

/** The same expression for V8, whose `(?i:…)` loses matches. In both, character classes are ASCII. */
export const forV8 = (source: string): RegExp =>
  new RegExp(
    source.replace('(?i)', '').replaceAll('[[:alpha:]]', '[A-Za-z]'),
    source.startsWith('(?i)') ? 'iu' : 'u',
  );
