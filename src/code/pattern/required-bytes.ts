import type { Pattern } from './syntax.ts';

/** Returns the bytes of the pattern if it is a fixed sequence of characters. */
export function wholeBytes(pattern: Pattern): Buffer | undefined {
  const parts = pattern.kind === 'cat' ? pattern.parts : [pattern];
  const letters = parts.map(letterOf);
  return letters.length > 0 && letters.every((letter) => letter !== undefined)
    ? Buffer.from(letters.join(''))
    : undefined;
}

/** A shorter run is on so many lines that reading every byte with the automaton is faster. */
const minBytes = 3;
const maxRepeated = 64;

/** Finds the longest run of adjacent bytes that every match contains; undefined if none is long enough. */
export function requiredBytes(pattern: Pattern): Buffer | undefined {
  let best = Buffer.from('');
  let current = '';
  const endRun = (): void => {
    const run = Buffer.from(current);
    if (run.length > best.length) best = run;
    current = '';
  };
  const visit = (node: Pattern): void => {
    const letter = letterOf(node);
    if (letter !== undefined) current += letter;
    else if (node.kind === 'cat') node.parts.forEach(visit);
    else if (node.kind === 'repeat' && node.min > 0) visitRepeat(node);
    else if (node.kind !== 'assert') endRun();
  };
  /** A repeated character contributes its minimum count to the run before it and to the run after it. */
  const visitRepeat = ({ part, min, max }: Extract<Pattern, { kind: 'repeat' }>): void => {
    const needed = letterOf(part)?.repeat(Math.min(min, maxRepeated));
    if (needed !== undefined) current += needed;
    if (needed !== undefined && min === max && min <= maxRepeated) return;
    endRun();
    if (needed === undefined) visit(part);
    if (needed === undefined) endRun();
    else current = needed;
  };
  visit(pattern);
  endRun();
  return best.length >= minBytes ? best : undefined;
}

function letterOf(pattern: Pattern): string | undefined {
  if (pattern.kind !== 'set' || pattern.ranges.length !== 1) return undefined;
  const [low, high] = pattern.ranges[0] as readonly [number, number];
  return low === high ? String.fromCodePoint(low) : undefined;
}
