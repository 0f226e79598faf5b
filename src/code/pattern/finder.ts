import { createWindowSearch, type WindowSearch } from '../byte-scan.ts';
import { Automaton, contextOf } from './automaton.ts';
import { isWordByte } from './classes.ts';
import { parseLiteral, parseRegex } from './parse.ts';
import { type Plan, planOf, planOfWindow } from './plan.ts';
import { compileProgram } from './program.ts';
import { newline, type PatternOptions } from './syntax.ts';
import { telltaleWindow, wholeWindow } from './window.ts';

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

/** A slow pattern asks `isOver` now and then, and ends the search with `TimeIsUp` when it is. */
export function createFinder({ text, mode, ...options }: PatternQuery, isOver?: () => boolean): Finder {
  const pattern = mode === 'literal' ? parseLiteral(text, options) : parseRegex(text, options);
  // Most regular expressions that agents write are plain words.
  const whole =
    mode === 'literal'
      ? wholeWindow(options.wholeWord ? parseLiteral(text, { ...options, wholeWord: false }) : pattern)
      : options.wholeWord
        ? undefined
        : wholeWindow(pattern);
  const window = whole ?? telltaleWindow(pattern);
  const search = window === undefined ? undefined : createWindowSearch(window);
  // Made when first needed: a plain search needs none.
  let forward: Automaton | undefined;
  let backward: Automaton | undefined;
  const ahead = (): Automaton => {
    forward ??= new Automaton(compileProgram(pattern), isOver);
    return forward;
  };
  const back = (): Automaton => {
    backward ??= new Automaton(compileProgram(pattern, true), isOver);
    return backward;
  };
  const plain = whole === undefined ? undefined : search;
  // What cannot be compiled is refused now and not in the middle of a search.
  if (plain === undefined) ahead();
  return {
    plan: whole === undefined ? planOf(pattern) : planOfWindow(whole),
    isMultiline: options.multiline,
    next:
      plain !== undefined
        ? (bytes, from) => nextPlain(bytes, plain, window?.length ?? 0, from, options.wholeWord)
        : search !== undefined
          ? (bytes, from) => nextWithWindow(bytes, search, from, ahead())
          : (bytes, from) => nextLine(bytes, from, ahead()),
    startIn:
      plain !== undefined
        ? (bytes, start) => nextPlain(bytes, plain, window?.length ?? 0, start, options.wholeWord)
        : (bytes, start, end) => back().findStart(bytes, start, end, 'line-edge', 'line-edge'),
    nextSpan(bytes, from) {
      const before = from === 0 ? 'text-edge' : contextOf(bytes[from - 1] as number);
      const end = ahead().findEnd(bytes, from, bytes.length, before, 'text-edge');
      if (end === -1) return undefined;
      const after = end === bytes.length ? 'text-edge' : contextOf(bytes[end] as number);
      return { start: back().findStart(bytes, from, end, before, after), end };
    },
  };
}

function nextPlain(
  bytes: Buffer,
  search: WindowSearch,
  length: number,
  from: number,
  wholeWord: boolean,
): number {
  for (let at = search(bytes, from); at !== -1; at = search(bytes, at + 1)) {
    if (!wholeWord || (!isWord(bytes[at - 1]) && !isWord(bytes[at + length]))) return at;
  }
  return -1;
}

const isWord = (byte: number | undefined): boolean => byte !== undefined && isWordByte[byte] === 1;

/** Only lines that hold what the pattern cannot do without are looked at closely. */
function nextWithWindow(bytes: Buffer, search: WindowSearch, from: number, automaton: Automaton): number {
  for (let at = search(bytes, from); at !== -1; ) {
    const lineStart = bytes.lastIndexOf(newline, at) + 1;
    const lineEnd = lineEndAt(bytes, at);
    if (automaton.findEnd(bytes, lineStart, lineEnd, 'line-edge', 'line-edge') !== -1) return at;
    at = lineEnd === bytes.length ? -1 : search(bytes, lineEnd + 1);
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
