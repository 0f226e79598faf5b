/** A pattern as a syntax tree. Groups are not represented, because no caller needs captures. */
export type Pattern =
  | { kind: 'set'; ranges: Range[] }
  | { kind: 'cat'; parts: Pattern[] }
  | { kind: 'alt'; parts: Pattern[] }
  | { kind: 'repeat'; part: Pattern; min: number; max: number }
  | { kind: 'assert'; what: Assertion };

/** Code points, both ends inclusive. The ranges of a set ascend and do not touch. */
export type Range = readonly [number, number];

export type Assertion =
  | 'line-start'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary'
  /** `no-word-boundary` for text read backwards. */
  | 'no-word-boundary-back'
  /** One-sided boundaries for whole-word search: `foo(` ends a word although `(` is not in one. */
  | 'no-word-before'
  | 'no-word-after';

export interface PatternOptions {
  ignoreCase: boolean;
  wholeWord: boolean;
}

export const newline = 10;
export const maxCodePoint = 0x10ffff;

export const empty: Pattern = { kind: 'cat', parts: [] };
export const cat = (parts: Pattern[]): Pattern =>
  parts.length === 1 ? (parts[0] as Pattern) : { kind: 'cat', parts };
export const alt = (parts: Pattern[]): Pattern =>
  parts.length === 1 ? (parts[0] as Pattern) : { kind: 'alt', parts };

export function union(ranges: Range[]): Range[] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function complement(ranges: Range[]): Range[] {
  const outside: Range[] = [];
  let from = 0;
  for (const [low, high] of union(ranges)) {
    if (low > from) outside.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= maxCodePoint) outside.push([from, maxCodePoint]);
  return outside;
}

export const without = (ranges: Range[], point: number): Range[] =>
  ranges.flatMap(([low, high]): Range[] =>
    point < low || point > high
      ? [[low, high]]
      : [
          ...(low < point ? [[low, point - 1] as const] : []),
          ...(point < high ? [[point + 1, high] as const] : []),
        ],
  );

/** Maximum size of a character range that is case-folded. Larger ranges cover whole scripts. */
const foldedRange = 256;

/** Adds the other case: always for ASCII, otherwise for single characters and short ranges. */
export function foldCase(ranges: Range[]): Range[] {
  const more: Range[] = [];
  for (const [low, high] of ranges) {
    for (let point = Math.max(low, 65); point <= Math.min(high, 122); point++) {
      if (point <= 90 || point >= 97) more.push([point ^ 32, point ^ 32]);
    }
    if (high - low > foldedRange) continue;
    for (let point = low; point <= high; point++) more.push(...otherCases(point));
  }
  return union([...ranges, ...more]);
}

function otherCases(point: number): Range[] {
  const letter = String.fromCodePoint(point);
  return (
    [letter.toLowerCase(), letter.toUpperCase()]
      // A character that folds to an ASCII letter, such as the kelvin sign, does not match that letter.
      .filter((other) => other !== letter && !/^[A-Za-z]$/.test(other) && [...other].length === 1)
      .map((other) => other.codePointAt(0) as number)
      .map((other) => [other, other] as const)
  );
}
