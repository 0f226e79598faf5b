import { classOf } from '../index/alphabet.ts';
import { newline, type Pattern, type Range } from './syntax.ts';
import { utf8Sequences } from './utf8.ts';

/** The grams that a text must contain for a pattern to match in it. A plan may require too little, never too much. */
export type Plan =
  | { kind: 'any' }
  /** One gram in which the class of each character is in its mask. */
  | { kind: 'gram'; masks: readonly [Mask, Mask, Mask] }
  | { kind: 'and'; parts: Plan[] }
  | { kind: 'or'; parts: Plan[] };

/** One bit for each class of the alphabet. */
export type Mask = bigint;

/**
 * What is known about the texts that a pattern matches. Follows Russ Cox's trigram analysis, with masks of
 * classes instead of letters.
 */
interface Shape {
  /** All texts that the pattern matches, if they are few and short. */
  exact: Word[] | undefined;
  /** How the texts start and end; the empty word if unknown. */
  prefix: Word[];
  suffix: Word[];
  plan: Plan;
}
type Word = readonly Mask[];

const bitOfByte = Array.from(classOf, (at) => 1n << BigInt(at));
const breakBit = bitOfByte[newline] as Mask;
const maxWords = 32;
/** Of characters in a set that are not ASCII. All ASCII characters count as one. */
const maxEncodings = 4;
const maxWordLength = 24;
const any: Plan = { kind: 'any' };
const noWord: Word = [];

export const planOf = (pattern: Pattern): Plan => inexact(shapeOf(pattern)).plan;

const classes = (mask: Mask): number => mask.toString(2).replaceAll('0', '').length;

/** Maximum number of posting lists to unite for one gram. More would include nearly every block. */
const maxGrams = 2_048;

export const gramsIn = ([a, b, c]: readonly [Mask, Mask, Mask]): number =>
  classes(a) * classes(b) * classes(c);

function and(...parts: Plan[]): Plan {
  const useful = parts.flatMap((part) =>
    part.kind === 'and' ? part.parts : part.kind === 'any' ? [] : [part],
  );
  const [first = any, other] = useful;
  return other === undefined ? first : { kind: 'and', parts: useful };
}

function or(parts: Plan[]): Plan {
  const [first, other] = parts;
  if (first === undefined || parts.some(({ kind }) => kind === 'any')) return any;
  return other === undefined ? first : { kind: 'or', parts };
}

const planOfWords = (words: Word[]): Plan => or(words.map(planOfWord));

function planOfWord(word: Word): Plan {
  const grams: Plan[] = [];
  for (let at = 0; at + 3 <= word.length; at++) {
    const masks = [word[at], word[at + 1], word[at + 2]] as [Mask, Mask, Mask];
    // No gram of the index contains a control character, so a mask that allows one requires nothing.
    if (masks.every((mask) => (mask & breakBit) === 0n) && gramsIn(masks) <= maxGrams)
      grams.push({ kind: 'gram', masks });
  }
  return and(...grams);
}

const unknown: Shape = { exact: undefined, prefix: [noWord], suffix: [noWord], plan: any };

const exactly = (words: Word[]): Shape => ({
  exact: words,
  prefix: words,
  suffix: words,
  plan: any,
});

function shapeOf(pattern: Pattern): Shape {
  switch (pattern.kind) {
    case 'set':
      return shapeOfSet(pattern.ranges);
    case 'assert':
      return exactly([noWord]);
    case 'cat':
      return pattern.parts.map(shapeOf).reduce(concatenate, exactly([noWord]));
    case 'alt':
      return pattern.parts.map(shapeOf).reduce(alternate);
    case 'repeat':
      return shapeOfRepeat(pattern);
  }
}

function shapeOfSet(ranges: Range[]): Shape {
  const sequences = ranges.flatMap(([low, high]) => utf8Sequences(low, high));
  const mask = sequences
    .filter((bytes) => bytes.length === 1)
    .reduce((sum, [range]) => sum | maskOf(range as Range), 0n);
  const words: Word[] = sequences.filter((bytes) => bytes.length > 1).map((bytes) => bytes.map(maskOf));
  if (mask !== 0n) words.push([mask]);
  // A set that may contain a newline or control character requires nothing, because grams never contain them.
  const hasBreak = words.some((word) => word.some((each) => (each & breakBit) !== 0n));
  return words.length > maxEncodings || hasBreak ? unknown : exactly(distinct(words));
}

function maskOf([low, high]: Range): Mask {
  let mask = 0n;
  for (let byte = low; byte <= high; byte++) mask |= bitOfByte[byte] as Mask;
  return mask;
}

function shapeOfRepeat({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>): Shape {
  if (max === 0) return exactly([noWord]);
  const inner = shapeOf(part);
  if (min === 0) return max === 1 ? alternate(inner, exactly([noWord])) : unknown;
  if (min === 1 && max === 1) return inner;
  const needed = Array.from({ length: Math.min(min, maxWordLength) }, () => inner).reduce(concatenate);
  if (min === max && min <= maxWordLength) return needed;
  // More repetitions may follow, so only the start and end are known.
  return inexact(needed);
}

function inexact(shape: Shape): Shape {
  if (shape.exact === undefined) return shape;
  const plan = and(shape.plan, planOfWords(shape.exact));
  return { ...exactly(shape.exact), exact: undefined, plan };
}

function concatenate(left: Shape, right: Shape): Shape {
  const plan = and(left.plan, right.plan);
  if (left.exact !== undefined && right.exact !== undefined) {
    const exact = cross(left.exact, right.exact);
    if (exact?.every((word) => word.length <= maxWordLength)) return { ...exactly(exact), plan };
  }
  const [a, b] = [inexact(left), inexact(right)];
  // A text that can be empty has the empty word as its prefix and suffix, so nothing is known about that end.
  const prefix = left.exact === undefined ? a.prefix : cross(left.exact, b.prefix);
  const suffix = right.exact === undefined ? b.suffix : cross(a.suffix, right.exact);
  const seam = cross(a.suffix.map(lastTwo), b.prefix.map(firstTwo));
  return {
    exact: undefined,
    prefix: limitWords(prefix ?? a.prefix, firstLetters),
    suffix: limitWords(suffix ?? b.suffix, lastLetters),
    plan: and(a.plan, b.plan, seam === undefined ? any : planOfWords(seam)),
  };
}

function alternate(left: Shape, right: Shape): Shape {
  if (left.exact !== undefined && right.exact !== undefined) {
    const exact = distinct([...left.exact, ...right.exact]);
    if (exact.length <= maxWords) {
      return { ...exactly(exact), plan: or([left.plan, right.plan]) };
    }
  }
  const [a, b] = [inexact(left), inexact(right)];
  return {
    exact: undefined,
    prefix: limitWords([...a.prefix, ...b.prefix], firstLetters),
    suffix: limitWords([...a.suffix, ...b.suffix], lastLetters),
    plan: or([a.plan, b.plan]),
  };
}

/** How much of each side a gram at the seam of two texts can have. */
const seamLength = 2;
const firstTwo = (word: Word): Word => word.slice(0, seamLength);
const lastTwo = (word: Word): Word => word.slice(-seamLength);
const edgeLength = 8;
const firstLetters = (word: Word): Word => word.slice(0, edgeLength);
const lastLetters = (word: Word): Word => word.slice(-edgeLength);

/** Returns every word of `left` followed by every word of `right`; undefined if there are too many combinations. */
function cross(left: Word[], right: Word[]): Word[] | undefined {
  if (left.length * right.length > maxWords) return undefined;
  return distinct(left.flatMap((word) => right.map((then) => [...word, ...then])));
}

/** Shortens the words with `cut`; returns the empty word if there are still too many. */
function limitWords(words: Word[], cut: (word: Word) => Word): Word[] {
  const short = distinct(words.map(cut));
  return short.length > maxWords || short.some((word) => word.length === 0) ? [noWord] : short;
}

const distinct = (words: Word[]): Word[] => [...new Map(words.map((word) => [word.join(), word])).values()];
