import { complement, type Range } from './syntax.ts';

const digit: Range[] = [[48, 57]];
const upper: Range[] = [[65, 90]];
const lower: Range[] = [[97, 122]];
const alpha: Range[] = [...upper, ...lower];
const word: Range[] = [...digit, ...alpha, [95, 95]];
const space: Range[] = [
  [9, 13],
  [32, 32],
];

/** ASCII only: code search is about identifiers, and results must be the same on every machine. */
export const classEscapes = {
  d: digit,
  D: complement(digit),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
  h: [
    [9, 9],
    [32, 32],
  ] as Range[],
};
export type ClassEscape = keyof typeof classEscapes;

export const posixClasses: Record<string, Range[]> = {
  alpha,
  digit,
  upper,
  lower,
  word,
  space,
  alnum: [...digit, ...alpha],
  blank: classEscapes.h,
  xdigit: [...digit, [65, 70], [97, 102]],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  print: [[32, 126]],
  graph: [[33, 126]],
  ascii: [[0, 127]],
};

export const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(word.some(([low, high]) => byte >= low && byte <= high)),
);
