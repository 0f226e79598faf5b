import type { Random } from '../../harness/random.ts';

const letters = 'abcdefgh_019.:(){}<>-+ é';
const words = [
  'foo',
  'bar',
  'async',
  'function',
  'mutex_lock',
  'x1',
  '::',
  '->',
  'größe',
  'TODO',
  'ret',
  'a',
];

/** A line like those in code: words, punctuation and some noise. */
export function randomLine(random: Random): string {
  let line = '';
  for (let left = random.whole(0, 4); left > 0; left--) {
    line += random.chance(0.7) ? random.pick(words) : letter(random);
    if (random.chance(0.3)) line += random.pick([' ', '(', '.', '']);
  }
  return random.chance(0.1) ? line.toUpperCase() : line;
}

const letter = (random: Random): string => random.pick([...letters]);
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const classes = [
  '.',
  '\\w',
  '\\d',
  '\\s',
  '\\W',
  '\\S',
  '[a-f]',
  '[^a-f]',
  '[_0-9]',
  '[é-ü]',
  '[^\\s(]',
  '[[:alpha:]]',
];
const assertions = ['^', '$', '\\b', '\\B'];
const quantifiers = ['*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '*?', '+?'];

/** Generates a regular expression. Half of them contain a word that also occurs in the lines, so that many match. */
export function randomRegex(random: Random, depth = 3): string {
  const kind = random.next();
  if (depth === 0 || kind < 0.35) return escaped(random.chance(0.6) ? random.pick(words) : letter(random));
  if (kind < 0.45) return random.pick(classes);
  if (kind < 0.5) return random.pick(assertions);
  if (kind < 0.75)
    return Array.from({ length: random.whole(2, 3) }, () => randomRegex(random, depth - 1)).join('');
  if (kind < 0.87) return `(?:${randomRegex(random, depth - 1)}|${randomRegex(random, depth - 1)})`;
  if (kind < 0.9) return `(?i:${randomRegex(random, depth - 1)})`;
  return `(?:${randomRegex(random, depth - 1)})${random.pick(quantifiers)}`;
}

/** The same pattern for V8. In both, character classes are ASCII. */
export const forV8 = (regex: string): RegExp =>
  new RegExp(
    regex.replaceAll('[[:alpha:]]', '[A-Za-z]').replaceAll('$', '\\r?$').replaceAll('\\\\r?$', '\\$'),
    'u',
  );
