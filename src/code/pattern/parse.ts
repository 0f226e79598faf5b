import { AppError } from '../../base/errors.ts';
import { type ClassEscape, classEscapes, posixClasses } from './classes.ts';
import {
  type Assertion,
  alt,
  cat,
  complement,
  empty,
  foldCase,
  maxCodePoint,
  newline,
  type Pattern,
  type PatternOptions,
  type Range,
  union,
  without,
} from './syntax.ts';

/** Parses the dialect of docs/guides/search.md. Everything else is rejected, never reinterpreted. */
export function parseRegex(source: string, options: PatternOptions): Pattern {
  const parser = new Parser(source, options);
  const pattern = parser.alternatives();
  if (!parser.isAtEnd()) throw invalidPattern('unmatched )', 'Write \\) for a parenthesis in the text');
  return withWordBoundaries(pattern, options);
}

export function parseLiteral(text: string, options: PatternOptions): Pattern {
  if (text.includes('\n')) throw lineBreak();
  const points = [...text].map((letter) => letter.codePointAt(0) as number);
  return withWordBoundaries(
    cat(
      points.map(
        (point): Pattern => ({
          kind: 'set',
          ranges: options.ignoreCase ? foldCase([[point, point]]) : [[point, point]],
        }),
      ),
    ),
    options,
  );
}

const withWordBoundaries = (pattern: Pattern, { wholeWord }: PatternOptions): Pattern =>
  wholeWord ? cat([assert('no-word-before'), pattern, assert('no-word-after')]) : pattern;

const assert = (what: Assertion): Pattern => ({ kind: 'assert', what });
const maxRepeat = 1_000;
const maxDepth = 200;
/** Of a group name, a count or the like. */
const maxTokenLength = 64;

export const invalidPattern = (what: string, hint: string): AppError =>
  new AppError('INVALID_QUERY', `invalid pattern: ${what}`, { hint });

const lineBreak = (): AppError =>
  invalidPattern('line break', 'A match is within one line: search for one, then read the lines around it');

/** A recursive-descent parser: its position in the source and the flags that apply there. */
class Parser {
  private readonly source: string[];
  private at = 0;
  private depth = 0;
  private ignoreCase: boolean;

  constructor(source: string, options: PatternOptions) {
    this.source = [...source];
    this.ignoreCase = options.ignoreCase;
  }

  isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  private peek(ahead = 0): string {
    return this.source[this.at + ahead] ?? '';
  }

  private take(text: string): boolean {
    const letters = [...text];
    if (!letters.every((letter, ahead) => this.peek(ahead) === letter)) return false;
    this.at += letters.length;
    return true;
  }

  private takeMatching(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.source.slice(this.at, this.at + maxTokenLength).join(''))?.[0];
    if (found !== undefined) this.at += [...found].length;
    return found;
  }

  alternatives(): Pattern {
    // Limits recursion, here and in every function that walks the tree.
    if (++this.depth > maxDepth)
      throw invalidPattern(`groups nested deeper than ${maxDepth}`, 'Simplify the pattern');
    const { ignoreCase } = this;
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    // A flag set inside a group ends with the group.
    this.ignoreCase = ignoreCase;
    this.depth--;
    return alt(parts);
  }

  private sequence(): Pattern {
    const parts: Pattern[] = [];
    while (!this.isAtEnd() && this.peek() !== '|' && this.peek() !== ')') parts.push(this.repeated());
    return cat(parts);
  }

  private repeated(): Pattern {
    let part = this.single();
    for (let bounds = this.quantifier(); bounds !== undefined; bounds = this.quantifier()) {
      part = { kind: 'repeat', part, ...bounds };
      // Laziness is ignored, because it does not change which lines match.
      if (this.take('?')) continue;
      if (this.peek() === '+')
        throw invalidPattern('possessive quantifiers are not supported', 'Leave out the second +');
    }
    return part;
  }

  private quantifier(): { min: number; max: number } | undefined {
    if (this.take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.take('?')) return { min: 0, max: 1 };
    // As in most dialects, a brace without counts is literal.
    const counted = this.takeMatching(/^\{\d{1,6}(?:,\d{0,6})?\}/);
    if (counted === undefined) return undefined;
    const [low, high] = counted.slice(1, -1).split(',');
    const min = Number(low);
    const max = high === undefined ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    if (max < min) throw invalidPattern(`reversed repetition ${counted}`, 'Write the smaller number first');
    if (min > maxRepeat || (max > maxRepeat && max !== Number.POSITIVE_INFINITY))
      throw invalidPattern(
        `repetition ${counted} is too large`,
        `Repeat at most ${maxRepeat} times, or use * or +`,
      );
    return { min, max };
  }

  private single(): Pattern {
    if (this.take('(')) return this.group();
    if (this.take('[')) return this.toSet(this.bracket());
    if (this.take('.')) return this.toSet(complement([[newline, newline]]));
    if (this.take('^')) return assert('line-start');
    // A carriage return before a line end counts as part of the line end, as in editors.
    if (this.take('$'))
      return cat([{ kind: 'repeat', part: this.toSet([[13, 13]]), min: 0, max: 1 }, assert('line-end')]);
    if (this.take('\\')) return this.escape();
    const letter = this.peek();
    if ('*+?'.includes(letter))
      throw invalidPattern(
        `nothing to repeat before ${letter}`,
        `Write \\${letter} for the character itself`,
      );
    this.at++;
    const point = letter.codePointAt(0) as number;
    if (point === newline) throw lineBreak();
    return this.toSet([[point, point]]);
  }

  private group(): Pattern {
    if (!this.take('?')) return this.closed(this.alternatives());
    if (this.take(':')) return this.closed(this.alternatives());
    if (/^(?:[=!]|<[=!])/.test(this.peek() + this.peek(1)))
      throw invalidPattern(
        'look-around is not supported',
        'Search for one part, then filter the lines by the other',
      );
    if (this.takeMatching(/^P?<[A-Za-z_]\w*>/) !== undefined) return this.closed(this.alternatives());
    const flags = this.takeMatching(/^[a-z]*(?:-[a-z]+)?[:)]/);
    if (flags === undefined)
      throw invalidPattern('unknown group syntax', 'Groups are (…), (?:…), (?<name>…) and (?i:…)');
    return this.flagged(flags);
  }

  private flagged(flags: string): Pattern {
    const before = this.ignoreCase;
    const [on = '', off = ''] = flags.slice(0, -1).split('-');
    // `m` and `s` change nothing, because a match is within one line.
    if (/[^ims]/.test(on + off))
      throw invalidPattern(`unknown flags in (?${flags}`, 'The flag i ignores case');
    if (on.includes('i')) this.ignoreCase = true;
    if (off.includes('i')) this.ignoreCase = false;
    // Without a colon the flags apply to the rest of the enclosing group.
    if (flags.endsWith(')')) return empty;
    const inner = this.closed(this.alternatives());
    this.ignoreCase = before;
    return inner;
  }

  private closed(inner: Pattern): Pattern {
    if (this.take(')')) return inner;
    throw invalidPattern('unmatched (', 'Write \\( for a parenthesis in the text');
  }

  private escape(): Pattern {
    const letter = this.peek();
    const known = classEscapes[letter as ClassEscape];
    if (known !== undefined) {
      this.at++;
      return this.toSet(known);
    }
    const boundary = ({ b: 'word-boundary', B: 'no-word-boundary' } as const)[letter];
    if (boundary !== undefined) {
      this.at++;
      return assert(boundary);
    }
    if (/[1-9k]/.test(letter))
      throw invalidPattern(
        'back references are not supported',
        'Search for the first part, then filter the lines',
      );
    const point = this.escapedPoint();
    if (point === newline) throw lineBreak();
    return this.toSet([[point, point]]);
  }

  private escapedPoint(): number {
    const hex = this.takeMatching(/^(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[xu]\{[0-9a-fA-F]{1,6}\})/);
    if (hex !== undefined) {
      const point = Number.parseInt(hex.replace(/[^0-9a-fA-F]/g, ''), 16);
      if (point > maxCodePoint) throw invalidPattern('code point beyond Unicode', 'The last is \\u{10FFFF}');
      return point;
    }
    const letter = this.peek();
    const control = 'n\nr\rt\tf\fv\v0\0a\x07e\x1b';
    const at = control.indexOf(letter);
    if (letter === '' || (/[A-Za-z0-9]/.test(letter) && at === -1))
      throw invalidPattern(
        `unknown escape \\${letter}`,
        letter === 'p' || letter === 'P'
          ? 'Write the characters as a class, such as [à-ÿ]'
          : 'Write \\\\ for a backslash',
      );
    this.at++;
    return (/[A-Za-z0-9]/.test(letter) ? control.charCodeAt(at + 1) : letter.codePointAt(0)) as number;
  }

  private bracket(): Range[] {
    const isNegated = this.take('^');
    const ranges: Range[] = [];
    // A closing bracket at the start of a class is literal.
    for (let isFirst = true; isFirst || this.peek() !== ']'; isFirst = false) {
      if (this.isAtEnd()) throw invalidPattern('unmatched [', 'Write \\[ for a bracket in the text');
      if (this.peek() === '&' && this.peek(1) === '&')
        throw invalidPattern('class intersections are not supported', 'Write \\& for the character');
      ranges.push(...this.classItem());
    }
    this.at++;
    const folded = this.ignoreCase ? foldCase(ranges) : union(ranges);
    return isNegated ? complement(folded) : folded;
  }

  private classItem(): Range[] {
    const posix = this.takeMatching(/^\[:\^?[a-z]+:\]/);
    if (posix !== undefined) {
      const name = posix.replace(/[^a-z]/g, '');
      const known = posixClasses[name];
      if (known === undefined)
        throw invalidPattern(`unknown class ${posix}`, 'Classes are [:alpha:], [:digit:], [:space:] …');
      return posix.includes('^') ? complement(known) : known;
    }
    const low = this.classPoint();
    if (typeof low !== 'number') return low;
    if (this.peek() !== '-' || this.peek(1) === ']') return [[low, low]];
    this.at++;
    const high = this.classPoint();
    if (typeof high !== 'number' || high < low)
      throw invalidPattern('invalid range in a class', 'Put a - first or last, or write \\-');
    return [[low, high]];
  }

  private classPoint(): number | Range[] {
    if (!this.take('\\')) {
      const point = this.peek().codePointAt(0) as number;
      this.at++;
      return point;
    }
    const known = classEscapes[this.peek() as ClassEscape];
    if (known !== undefined) {
      this.at++;
      return known;
    }
    if (this.take('b')) return 8;
    return this.escapedPoint();
  }

  /** No set contains a newline, so that a match never leaves its line. */
  private toSet(ranges: Range[]): Pattern {
    const folded = this.ignoreCase ? foldCase(ranges) : union(ranges);
    return { kind: 'set', ranges: without(folded, newline) };
  }
}
