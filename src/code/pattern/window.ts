import { type ByteTest, chanceOf, exactly } from '../byte-scan.ts';
import type { Pattern, Range } from './syntax.ts';

/** The bytes of a pattern that matches windows of these bytes and nothing else. */
export function wholeWindow(pattern: Pattern): ByteTest[] | undefined {
  const parts = pattern.kind === 'cat' ? pattern.parts : [pattern];
  const tests = parts.map((part) => (part.kind === 'set' ? testsOf(part.ranges) : undefined));
  return tests.length > 0 && tests.every((each) => each !== undefined) ? tests.flat() : undefined;
}

/** What passes more often than this is found on so many lines that looking at everything is faster. */
const telltaleChance = 0.0005;
const maxWindowLength = 64;

/** Bytes that stand side by side in every match, as far as it is plain to see, where they are seldom seen. */
export function telltaleWindow(pattern: Pattern): ByteTest[] | undefined {
  let best: { tests: ByteTest[]; chance: number } | undefined;
  let current: ByteTest[] = [];
  const end = (): void => {
    const tests = current.slice(0, maxWindowLength);
    const chance = tests.reduce((product, test) => product * chanceOf(test), 1);
    if (chance < (best?.chance ?? telltaleChance)) best = { tests, chance };
    current = [];
  };
  const visit = (node: Pattern): void => {
    if (node.kind === 'cat') node.parts.forEach(visit);
    else if (node.kind === 'repeat' && node.min > 0) visitRepeat(node);
    else if (node.kind !== 'assert') {
      const tests = node.kind === 'set' ? testsOf(node.ranges) : undefined;
      if (tests === undefined) end();
      else current.push(...tests);
    }
  };
  /** As often as it must come, what comes before it and what comes behind each stand beside it. */
  const visitRepeat = ({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>): void => {
    const tests = part.kind === 'set' ? testsOf(part.ranges) : undefined;
    if (tests === undefined) {
      end();
      visit(part);
      end();
      return;
    }
    const needed = Array.from({ length: Math.min(min, maxWindowLength) }, () => tests).flat();
    current.push(...needed);
    if (min === max && min <= maxWindowLength) return;
    end();
    current.push(...needed);
  };
  visit(pattern);
  end();
  return best?.tests;
}

/** A set as tests of bytes: one character, a range of ASCII, or the same letters in both cases. */
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
