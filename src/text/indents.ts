/**
 * A formatter may have changed the indentation between an edit and its commit. Edit events keep only hashes of lines,
 * so the original cannot be compared as text. Instead, each function here turns a committed line into one candidate of
 * how it may have been written, and the caller compares hashes.
 */
const units = ['\t', '  ', '    ', '        '];

export type Reindent = (line: string) => string;

const swap =
  (from: string, to: string): Reindent =>
  (line) => {
    const depth = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    const levels = depth / from.length;
    const isInUnits = Number.isInteger(levels) && line.startsWith(from.repeat(levels));
    return isInUnits ? to.repeat(levels) + line.slice(depth) : line;
  };

const deeper =
  (unit: string): Reindent =>
  (line) =>
    line === '' ? line : unit + line;

const shallower =
  (unit: string): Reindent =>
  (line) =>
    line.startsWith(unit) ? line.slice(unit.length) : line;

export const reindents: Reindent[] = [
  ...units.flatMap((from) => units.filter((to) => to !== from).map((to) => swap(from, to))),
  ...units.slice(0, 3).flatMap((unit) => [deeper(unit), shallower(unit)]),
];
