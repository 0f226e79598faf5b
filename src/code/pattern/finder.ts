import { Automaton, contextOf } from './automaton.ts';
import { isWordByte } from './classes.ts';
import { parseLiteral, parseRegex } from './parse.ts';
import { type Plan, planOf } from './plan.ts';
import { compileProgram } from './program.ts';
import { newline, type Pattern, type PatternOptions } from './syntax.ts';

export interface PatternQuery extends PatternOptions {
  text: string;
  mode: 'literal' | 'regex';
}

/**
 * Finds lines. Every way to do it takes time linear in the text; the three differ in how fast they pass over
 * text that does not match.
 */
export interface Finder {
  plan: Plan;
  isMultiline: boolean;
  /**
   * Somewhere on the next line that matches, from the start of a line on; -1 where there is none. `bytes`
   * holds whole lines.
   */
  next(bytes: Buffer, from: number): number;
  /** Where the first match of a line that matches begins. */
  startIn(bytes: Buffer, lineStart: number, lineEnd: number): number;
  /** For patterns that span lines: the next match in a whole file. */
  nextSpan(bytes: Buffer, from: number): { start: number; end: number } | undefined;
}

export function createFinder({ text, mode, ...options }: PatternQuery): Finder {
  const pattern = mode === 'literal' ? parseLiteral(text, options) : parseRegex(text, options);
  const plan = planOf(pattern);
  // Most regular expressions that agents write are plain words.
  const plainText = wholeLiteral(
    options.wholeWord && mode === 'regex' ? undefined : pattern,
    text,
    mode,
    options,
  );
  const isPlain = plainText !== undefined;
  // Made when first needed: a plain search needs none.
  let forward: Automaton | undefined;
  let backward: Automaton | undefined;
  const ahead = (): Automaton => {
    forward ??= new Automaton(compileProgram(pattern));
    return forward;
  };
  const back = (): Automaton => {
    backward ??= new Automaton(compileProgram(pattern, true));
    return backward;
  };
  const literal = isPlain ? Buffer.from(plainText) : longestLiteral(pattern);
  // What cannot be compiled is refused now and not in the middle of a search.
  if (!isPlain) ahead();
  return {
    plan,
    isMultiline: options.multiline,
    next: isPlain
      ? (bytes, from) => nextPlain(bytes, literal, from, options.wholeWord)
      : literal.length >= shortestUseful
        ? (bytes, from) => nextWithLiteral(bytes, literal, from, ahead())
        : (bytes, from) => nextLine(bytes, from, ahead()),
    startIn: isPlain
      ? (bytes, lineStart) => nextPlain(bytes, literal, lineStart, options.wholeWord)
      : (bytes, lineStart, lineEnd) => back().findStart(bytes, lineStart, lineEnd, 'line-edge', 'line-edge'),
    nextSpan(bytes, from) {
      const before = from === 0 ? 'text-edge' : contextOf(bytes[from - 1] as number);
      const end = ahead().findEnd(bytes, from, bytes.length, before, 'text-edge');
      if (end === -1) return undefined;
      const after = end === bytes.length ? 'text-edge' : contextOf(bytes[end] as number);
      return { start: back().findStart(bytes, from, end, before, after), end };
    },
  };
}

/** A shorter one is found so often that looking at its line each time is slower than looking at everything. */
const shortestUseful = 3;

function nextPlain(bytes: Buffer, literal: Buffer, from: number, wholeWord: boolean): number {
  for (let at = bytes.indexOf(literal, from); at !== -1; at = bytes.indexOf(literal, at + 1)) {
    if (!wholeWord || (!isWord(bytes[at - 1]) && !isWord(bytes[at + literal.length]))) return at;
  }
  return -1;
}

const isWord = (byte: number | undefined): boolean => byte !== undefined && isWordByte[byte] === 1;

/** Only lines that hold a text the pattern cannot do without are looked at closely. */
function nextWithLiteral(bytes: Buffer, literal: Buffer, from: number, automaton: Automaton): number {
  for (let at = bytes.indexOf(literal, from); at !== -1; ) {
    const lineStart = bytes.lastIndexOf(newline, at) + 1;
    const lineEnd = lineEndAt(bytes, at);
    if (automaton.findEnd(bytes, lineStart, lineEnd, 'line-edge', 'line-edge') !== -1) return at;
    at = lineEnd === bytes.length ? -1 : bytes.indexOf(literal, lineEnd + 1);
  }
  return -1;
}

function nextLine(bytes: Buffer, from: number, automaton: Automaton): number {
  // The last line break ends a line and begins none.
  const to = bytes[bytes.length - 1] === newline ? bytes.length - 1 : bytes.length;
  return bytes.length === 0 || from > to ? -1 : automaton.findEnd(bytes, from, to, 'line-edge', 'line-edge');
}

export function lineEndAt(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(newline, at);
  return end === -1 ? bytes.length : end;
}

/** The text, where a pattern matches that text and nothing else. */
function wholeLiteral(
  pattern: Pattern | undefined,
  text: string,
  mode: PatternQuery['mode'],
  { ignoreCase }: PatternOptions,
): string | undefined {
  if (mode === 'literal') return ignoreCase ? undefined : text;
  const parts = pattern?.kind === 'cat' ? pattern.parts : [];
  const points = parts.map((part) =>
    part.kind === 'set' && part.ranges.length === 1 ? part.ranges[0] : undefined,
  );
  const isPlain = points.length > 0 && points.every((range) => range !== undefined && range[0] === range[1]);
  return isPlain ? points.map((range) => String.fromCodePoint(range?.[0] ?? 0)).join('') : undefined;
}

/** The longest text that every match holds, as far as it is plain to see; empty where it is not. */
function longestLiteral(pattern: Pattern): Buffer {
  let longest = Buffer.alloc(0);
  let current = '';
  const end = (): void => {
    const bytes = Buffer.from(current);
    if (bytes.length > longest.length) longest = bytes;
    current = '';
  };
  const visit = (node: Pattern): void => {
    const [range, ...more] = node.kind === 'set' ? node.ranges : [];
    if (range !== undefined && more.length === 0 && range[0] === range[1])
      current += String.fromCodePoint(range[0]);
    else if (node.kind === 'cat') node.parts.forEach(visit);
    else if (node.kind === 'repeat' && node.min > 0) {
      end();
      visit(node.part);
      end();
    } else if (node.kind !== 'assert') end();
  };
  visit(pattern);
  end();
  return longest;
}
