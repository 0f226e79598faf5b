/**
 * The pattern engine of code search: a parser, a query planner and a matcher for one dialect of regular
 * expressions. `createFinder` is the entry point; `candidates.ts` evaluates its plan on the index.
 *
 * Motivation: V8's regular expressions backtrack, so some patterns take exponential time, and a pattern comes
 * from an agent. They also match strings, so every file would have to be decoded first; the same holds for
 * re2js. Here all work is done on UTF-8 bytes. Planner and matcher use the same syntax tree, so the index
 * cannot rule out a file that the matcher would accept.
 *
 * How a pattern is matched, fastest first:
 *
 * - A fixed sequence of bytes, such as a literal or a plain word, is searched with `Buffer.indexOf`.
 * - If every match contains such a sequence, the automaton runs only on lines that contain it.
 * - Any other pattern: a lazily built DFA reads every byte of the candidates.
 *
 * # Known tradeoffs
 *
 * Features: there are no captures, back references, look-around, possessive quantifiers or Unicode properties.
 * They are rejected with a hint, never reinterpreted. Lazy quantifiers are accepted but change nothing, because
 * only the set of matching lines is reported.
 *
 * Unicode: `\w`, `\d`, `\s` and `\b` are ASCII. Case is ignored for ASCII letters, and for others if they are
 * written one by one or in a short range. Bytes that are not valid UTF-8 match nothing, not even `.`.
 *
 * Lines: a match is within one line.
 *
 * # Limits
 *
 * A count is at most 1,000, nesting 200 levels, and a compiled pattern 20,000 states. The table of each DFA is
 * cleared when it reaches 4 MB. A pattern that needs new states for nearly every byte, such as
 * `a.{0,300}b.{0,300}c`, is rejected during the search, once it has exceeded its budget.
 */
import { Automaton } from './automaton.ts';
import { isWordByte } from './classes.ts';
import { parseLiteral, parseRegex } from './parse.ts';
import { type Plan, planOf } from './plan.ts';
import { compileProgram } from './program.ts';
import { requiredBytes, wholeBytes } from './required-bytes.ts';
import { newline, type PatternOptions } from './syntax.ts';

export interface PatternQuery extends PatternOptions {
  text: string;
  mode: 'literal' | 'regex';
}

/** All implementations are linear; they differ in how fast they skip text that does not match. */
export interface Finder {
  plan: Plan;
  /** A position on the next matching line, or -1. `from` starts a line, and `bytes` contains whole lines. */
  next(bytes: Buffer, from: number): number;
  startIn(bytes: Buffer, lineStart: number, lineEnd: number): number;
}

/** Throws INVALID_QUERY for an unsupported pattern. The finder polls `isExpired` and then throws `DeadlineExceeded`. */
export function createFinder({ text, mode, ...options }: PatternQuery, isExpired?: () => boolean): Finder {
  const pattern = mode === 'literal' ? parseLiteral(text, options) : parseRegex(text, options);
  // Most regular expressions that agents write are plain words.
  const plain =
    mode === 'literal'
      ? wholeBytes(options.wholeWord ? parseLiteral(text, { ...options, wholeWord: false }) : pattern)
      : options.wholeWord
        ? undefined
        : wholeBytes(pattern);
  const required = plain === undefined ? requiredBytes(pattern) : undefined;
  // Created on first use, because a plain search needs no automaton.
  let forward: Automaton | undefined;
  let backward: Automaton | undefined;
  const forwardAutomaton = (): Automaton => {
    forward ??= new Automaton(compileProgram(pattern), isExpired);
    return forward;
  };
  const backwardAutomaton = (): Automaton => {
    backward ??= new Automaton(compileProgram(pattern, true), isExpired);
    return backward;
  };
  // Compile now, so that an unsupported pattern fails here and not in the middle of a search.
  if (plain === undefined) forwardAutomaton();
  return {
    plan: planOf(pattern),
    next:
      plain !== undefined
        ? (bytes, from) => nextPlain(bytes, plain, from, options.wholeWord)
        : required !== undefined
          ? (bytes, from) => nextWithBytes(bytes, required, from, forwardAutomaton())
          : (bytes, from) => nextLine(bytes, from, forwardAutomaton()),
    startIn:
      plain !== undefined
        ? (bytes, start) => nextPlain(bytes, plain, start, options.wholeWord)
        : (bytes, start, end) => backwardAutomaton().findStart(bytes, start, end, 'line-edge', 'line-edge'),
  };
}

function nextPlain(bytes: Buffer, wanted: Buffer, from: number, wholeWord: boolean): number {
  for (let at = bytes.indexOf(wanted, from); at !== -1; at = bytes.indexOf(wanted, at + 1)) {
    if (!wholeWord || (!isWord(bytes[at - 1]) && !isWord(bytes[at + wanted.length]))) return at;
  }
  return -1;
}

const isWord = (byte: number | undefined): boolean => byte !== undefined && isWordByte[byte] === 1;

/** Runs the automaton only on lines that contain the bytes that every match contains. */
function nextWithBytes(bytes: Buffer, required: Buffer, from: number, automaton: Automaton): number {
  for (let at = bytes.indexOf(required, from); at !== -1; ) {
    const lineStart = bytes.lastIndexOf(newline, at) + 1;
    const lineEnd = lineEndAt(bytes, at);
    if (automaton.findEnd(bytes, lineStart, lineEnd, 'line-edge', 'line-edge') !== -1) return at;
    at = lineEnd === bytes.length ? -1 : bytes.indexOf(required, lineEnd + 1);
  }
  return -1;
}

function nextLine(bytes: Buffer, from: number, automaton: Automaton): number {
  // The last newline ends a line and does not start another.
  const to = bytes[bytes.length - 1] === newline ? bytes.length - 1 : bytes.length;
  return bytes.length === 0 || from > to ? -1 : automaton.findEnd(bytes, from, to, 'line-edge', 'line-edge');
}

export function lineEndAt(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(newline, at);
  return end === -1 ? bytes.length : end;
}
