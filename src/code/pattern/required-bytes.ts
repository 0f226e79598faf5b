import { type ByteTest, chanceOf, exactly } from '../byte-scan.ts';
import type { Pattern, Range } from './syntax.ts';

/** Returns the window if the pattern is just a fixed sequence of byte tests. */
export function wholeWindow(pattern: Pattern): ByteTest[] | undefined {
  const parts = pattern.kind === 'cat' ? pattern.parts : [pattern];
  const tests = parts.map((part) => (part.kind === 'set' ? testsOf(part.ranges) : undefined));
  return tests.length > 0 && tests.every((each) => each !== undefined) ? tests.flat() : undefined;
}

/** A window that matches more often than this is on so many lines that scanning everything is faster. */
const maxSelectiveChance = 0.0005;
const maxWindowLength = 64;

/**
 * Finds the most selective run of adjacent bytes that every match contains; undefined if none is rare enough.
 */
export function selectiveWindow(pattern: Pattern): ByteTest[] | undefined {
  let best: { tests: ByteTest[]; chance: number } | undefined;
  let current: ByteTest[] = [];
  const endRun = (): void => {
    const tests = current.slice(0, maxWindowLength);
    const chance = tests.reduce((product, test) => product * chanceOf(test), 1);
    if (chance < (best?.chance ?? maxSelectiveChance)) best = { tests, chance };
    current = [];
  };
  const visit = (node: Pattern): void => {
    if (node.kind === 'cat') node.parts.forEach(visit);
    else if (node.kind === 'repeat' && node.min > 0) visitRepeat(node);
    else if (node.kind !== 'assert') {
      const tests = node.kind === 'set' ? testsOf(node.ranges) : undefined;
      if (tests === undefined) endRun();
      else current.push(...tests);
    }
  };
  /** A repetition contributes its minimum count to the run before it and to the run after it. */
  const visitRepeat = ({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>): void => {
    const tests = part.kind === 'set' ? testsOf(part.ranges) : undefined;
    if (tests === undefined) {
      endRun();
      visit(part);
      endRun();
      return;
    }
    const needed = Array.from({ length: Math.min(min, maxWindowLength) }, () => tests).flat();
    current.push(...needed);
    if (min === max && min <= maxWindowLength) return;
    endRun();
    current.push(...needed);
  };
  visit(pattern);
  endRun();
  return best?.tests;
}

/** Converts a set to byte tests: one character, an ASCII range, or the same letters in both cases. */
function testsOf(ranges: Range[]): ByteTest[] | undefined {
  const [first, second, ...more] = ranges;
  if (first === undefined || more.length > 0) return undefined;
  const [low, high] = first;
  if (second === undefined) {
    if (low === high) return [...Buffer.from(String.fromCodePoint(low))].map(exactly);
    return high < 128 ? [{ or: 0, low, more: high - low }] : undefined;
  }
  const isBothCases = low >= 65 && high <= 90 && second[0] === low + 32 && second[1] === high + 32;
  return isBothCases ? [{ or: 32, low: low + 32, more: high - low }] : undefined;
}
