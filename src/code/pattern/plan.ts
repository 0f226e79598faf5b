import type { ByteTest } from '../byte-scan.ts';
import { breakClass, classOf } from '../index/alphabet.ts';
import type { Pattern, Range } from './syntax.ts';
import { utf8Sequences } from './utf8.ts';

/**
 * What a text must hold for a pattern to match in it, said in grams. It may promise too little, never too
 * much: whatever is not understood promises nothing.
 */
export type Plan =
  | { kind: 'any' }
  /** At least one gram made of a class of each mask. */
  | { kind: 'gram'; masks: readonly [Mask, Mask, Mask] }
  | { kind: 'and'; parts: Plan[] }
  | { kind: 'or'; parts: Plan[] };

/** One bit for each class of the alphabet. */
export type Mask = bigint;

/** What is known of the texts a pattern matches, after Russ Cox's analysis, over masks instead of letters. */
interface Shape {
  /** All of them, when they are few and short. */
  exact: Word[] | undefined;
  /** How each begins and ends; the empty word where nothing is known. */
  prefix: Word[];
  suffix: Word[];
  isEmptyable: boolean;
  plan: Plan;
}
type Word = readonly Mask[];

const breakBit = 1n << BigInt(breakClass);
const maxWords = 32;
const maxWordLength = 24;
const any: Plan = { kind: 'any' };
const noWord: Word = [];

export const planOf = (pattern: Pattern): Plan => {
  const shape = finish(shapeOf(pattern));
  return shape.plan;
};

/** The same for one window of bytes, which is most of what is searched for, without the analysis. */
export const planOfWindow = (tests: ByteTest[]): Plan =>
  // What a test adds tells the cases of a letter apart, and classes do not.
  planOfWord(tests.map(({ low, more }) => maskOf([low, low + more])));

function classes(mask: Mask): number {
  let count = 0;
  for (let left = mask; left !== 0n; left &= left - 1n) count++;
  return count;
}

/** Lists to be read for one gram of masks; beyond this they hold nearly every block anyway. */
const maxGrams = 2_048;

export const gramsIn = ([a, b, c]: readonly [Mask, Mask, Mask]): number =>
  classes(a) * classes(b) * classes(c);

function and(...parts: Plan[]): Plan {
  const telling = parts.flatMap((part) =>
    part.kind === 'and' ? part.parts : part.kind === 'any' ? [] : [part],
  );
  return telling.length === 0
    ? any
    : telling.length === 1
      ? (telling[0] as Plan)
      : { kind: 'and', parts: telling };
}

function or(parts: Plan[]): Plan {
  if (parts.length === 0 || parts.some(({ kind }) => kind === 'any')) return any;
  return parts.length === 1 ? (parts[0] as Plan) : { kind: 'or', parts };
}

/** One of these words stands in the text. */
const planOfWords = (words: Word[]): Plan => or(words.map(planOfWord));

function planOfWord(word: Word): Plan {
  const grams: Plan[] = [];
  for (let at = 0; at + 3 <= word.length; at++) {
    const masks = [word[at], word[at + 1], word[at + 2]] as [Mask, Mask, Mask];
    // No gram holds a control character, so one that may be there says nothing.
    if (masks.every((mask) => (mask & breakBit) === 0n) && gramsIn(masks) <= maxGrams)
      grams.push({ kind: 'gram', masks });
  }
  return and(...grams);
}

const unknown = (isEmptyable: boolean): Shape => ({
  exact: undefined,
  prefix: [noWord],
  suffix: [noWord],
  isEmptyable,
  plan: any,
});

const exactly = (words: Word[]): Shape => ({
  exact: words,
  prefix: words,
  suffix: words,
  isEmptyable: words.some((word) => word.length === 0),
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
  if (ranges.length === 0) return unknown(false);
  const sequences = ranges.flatMap(([low, high]) => utf8Sequences(low, high));
  const mask = sequences
    .filter((bytes) => bytes.length === 1)
    .reduce((sum, [range]) => sum | maskOf(range as Range), 0n);
  const words: Word[] = sequences.filter((bytes) => bytes.length > 1).map((bytes) => bytes.map(maskOf));
  if (mask !== 0n) words.push([mask]);
  // A set that may hold a line break or a control character says nothing: grams have none of these.
  const hasBreak = words.some((word) => word.some((each) => (each & breakBit) !== 0n));
  return words.length > 4 || hasBreak ? unknown(false) : exactly(distinct(words));
}

const bitOfByte = Array.from(classOf, (at) => 1n << BigInt(at));

function maskOf([low, high]: Range): Mask {
  let mask = 0n;
  for (let byte = low; byte <= high; byte++) mask |= bitOfByte[byte] as Mask;
  return mask;
}

function shapeOfRepeat({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>): Shape {
  if (max === 0) return exactly([noWord]);
  const inner = shapeOf(part);
  if (min === 0) return max === 1 ? alternate(inner, exactly([noWord])) : unknown(true);
  if (min === 1 && max === 1) return inner;
  const needed = Array.from({ length: Math.min(min, maxWordLength) }, () => inner).reduce(concatenate);
  if (min === max && min <= maxWordLength) return needed;
  // More may follow, so it is no longer known how all of it looks, only how it begins and ends.
  return { ...inexact(needed), isEmptyable: inner.isEmptyable };
}

/** Gives up the full list of texts for what it implies. */
function inexact(shape: Shape): Shape {
  if (shape.exact === undefined) return shape;
  return {
    exact: undefined,
    prefix: shape.exact,
    suffix: shape.exact,
    isEmptyable: shape.isEmptyable,
    plan: and(shape.plan, planOfWords(shape.exact)),
  };
}

const finish = inexact;

function concatenate(left: Shape, right: Shape): Shape {
  const isEmptyable = left.isEmptyable && right.isEmptyable;
  const plan = and(left.plan, right.plan);
  if (left.exact !== undefined && right.exact !== undefined) {
    const exact = cross(left.exact, right.exact);
    if (exact?.every((word) => word.length <= maxWordLength))
      return { exact, prefix: exact, suffix: exact, isEmptyable, plan };
  }
  const [a, b] = [inexact(left), inexact(right)];
  const prefix =
    left.exact !== undefined
      ? cross(left.exact, b.prefix)
      : left.isEmptyable
        ? [...a.prefix, ...b.prefix]
        : a.prefix;
  const suffix =
    right.exact !== undefined
      ? cross(a.suffix, right.exact)
      : right.isEmptyable
        ? [...a.suffix, ...b.suffix]
        : b.suffix;
  const seam = cross(a.suffix.map(lastTwo), b.prefix.map(firstTwo));
  return {
    exact: undefined,
    prefix: few(prefix ?? a.prefix, firstLetters),
    suffix: few(suffix ?? b.suffix, lastLetters),
    isEmptyable,
    plan: and(a.plan, b.plan, seam === undefined ? any : planOfWords(seam)),
  };
}

function alternate(left: Shape, right: Shape): Shape {
  if (left.exact !== undefined && right.exact !== undefined) {
    const exact = distinct([...left.exact, ...right.exact]);
    if (exact.length <= maxWords) {
      const plan = left.plan.kind === 'any' || right.plan.kind === 'any' ? any : or([left.plan, right.plan]);
      return {
        exact,
        prefix: exact,
        suffix: exact,
        isEmptyable: left.isEmptyable || right.isEmptyable,
        plan,
      };
    }
  }
  const [a, b] = [inexact(left), inexact(right)];
  return {
    exact: undefined,
    prefix: few([...a.prefix, ...b.prefix], firstLetters),
    suffix: few([...a.suffix, ...b.suffix], lastLetters),
    isEmptyable: a.isEmptyable || b.isEmptyable,
    plan: or([a.plan, b.plan]),
  };
}

const firstTwo = (word: Word): Word => word.slice(0, 2);
const lastTwo = (word: Word): Word => word.slice(-2);
const edgeLength = 8;
const firstLetters = (word: Word): Word => word.slice(0, edgeLength);
const lastLetters = (word: Word): Word => word.slice(-edgeLength);

/** Undefined when there are too many. */
function cross(left: Word[], right: Word[]): Word[] | undefined {
  if (left.length * right.length > maxWords) return undefined;
  return distinct(left.flatMap((word) => right.map((then) => [...word, ...then])));
}

/** Words cut at the far end; when they are too many, nothing is known of that end. */
function few(words: Word[], cut: (word: Word) => Word): Word[] {
  const short = distinct(words.map(cut));
  return short.length > maxWords || short.some((word) => word.length === 0) ? [noWord] : short;
}

const distinct = (words: Word[]): Word[] => [...new Map(words.map((word) => [word.join(), word])).values()];
