import { assignedSecret, passwordNames, secretNames } from './assigned-secret.ts';
import { isBareToken } from './bare-token.ts';
import { isAlphanumeric } from './character-classes.ts';
import { decodedText, isLogin } from './encoded-secret.ts';
import type { Strength } from './is-secret-value.ts';
import { createKeywordTable, type Keyword, type KeywordTable, scanKeywords } from './keyword-finder.ts';
import { visitLongRuns } from './long-runs.ts';
import { plainView } from './plain-view.ts';
import { isKeyLine } from './private-key-lines.ts';
import { isExample, isRandom, isVaried } from './randomness.ts';
import { repeatedSecrets } from './repeated-secret.ts';
import { type SecretForm, secretForms } from './secret-contexts.ts';
import { type SecretRule, secretRules } from './secret-formats.ts';
import {
  foreignSecrets,
  keyWords,
  loginWords,
  passwordWords,
  pinInSentence,
  pinWords,
  secretInSentence,
} from './secret-in-sentence.ts';
import { seedPhrases } from './seed-phrase.ts';
import { tableHeadings, tableSecret } from './table-secret.ts';
import { isPrefixedToken, shapedToken } from './unlisted-token.ts';

/**
 * Removes secrets and private passages from text before it is written. One pass finds the keywords at which a secret
 * may begin, and a matcher then checks a bounded window there, so the time is linear in the length of the text.
 * Regexes are compiled when their keyword is first found.
 */
export interface Redactor {
  redact(text: string): string;
  /** Redacts every string inside a JSON value, keys included. */
  redactDeep<T>(value: T): T;
  /** Masks only values that are known exactly, in text that the rules have cleaned before. */
  maskDeep<T>(value: T): T;
}

export interface Span {
  start: number;
  end: number;
  name: string;
  /**
   * Which name is shown if several rules find the same secret; the lowest wins. 0: a provider's format. 1: a known
   * value. 2: a value with a secret's name.
   */
  rank: 0 | 1 | 2;
}

/**
 * Checks the text at a keyword and returns the secret spans. If it returns a number, there is no secret before that
 * position, so the same text is not read again for each of many adjacent keywords.
 */
export type Matcher = (text: string, start: number, end: number) => Span[] | Read | number | undefined;

/** All spans up to the position `until`. The same matcher need not read the text before it again. */
interface Read {
  spans: Span[];
  until: number;
}

/** Minimum length of a secret that a rule finds. A value that is known exactly may be shorter. */
const minSecretLength = 8;

export function createRedactor({ values }: { values: readonly string[] }): Redactor {
  let table: KeywordTable<Matcher> | undefined;
  const redact = (text: string): string => {
    if (text.length < minSecretLength) return mask(text);
    ruleKeywords ??= createRuleKeywords();
    table ??= createKeywordTable([...ruleKeywords, ...values.map(exactValue)]);
    const open = withoutPrivate(text);
    return replaceSpans(open, allSpans(open, table));
  };
  const mask = (text: string): string =>
    values.reduce(
      (masked, value) =>
        masked.includes(value) ? masked.replaceAll(value, '[redacted:known-value]') : masked,
      text,
    );
  return {
    redact,
    redactDeep: (value) => inDepth(value, redact),
    maskDeep: (value) => (values.length === 0 ? value : inDepth(value, mask)),
  };
}

function inDepth<T>(value: T, clean: (text: string) => string): T {
  if (typeof value === 'string') return clean(value) as T;
  if (Array.isArray(value)) return value.map((item) => inDepth(item, clean)) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [clean(key), inDepth(inner, clean)]),
    ) as T;
  }
  return value;
}

const privateMark = /<(\/?)private>/gi;

/** Removes passages that the user marked as private. They may be nested, and an unclosed one extends to the end. */
function withoutPrivate(text: string): string {
  if (!/<private>/i.test(text)) return text;
  let clean = '';
  let depth = 0;
  let at = 0;
  for (const mark of text.matchAll(privateMark)) {
    const isClosing = mark[1] === '/';
    if (depth === 0 && !isClosing) clean += `${text.slice(at, mark.index)}[private]`;
    if (depth > 0 || !isClosing) depth += isClosing ? -1 : 1;
    if (depth === 0 && isClosing) at = Math.max(at, mark.index + mark[0].length);
  }
  return depth > 0 ? clean : clean + text.slice(at);
}

/** Deterministic and without the user's own secrets, so ids may be derived from the result. */
export const rulesOnly: Redactor = createRedactor({ values: [] });
export const { redact, redactDeep } = rulesOnly;

let ruleKeywords: Keyword<Matcher>[] | undefined;

function createRuleKeywords(): Keyword<Matcher>[] {
  const keywords = secretRules().flatMap(formatKeywords);
  const forms: SecretForm[] = [
    ...secretForms,
    ...secretNames.map(([words, strength]): SecretForm => [words, assigned(strength)]),
    [passwordNames, atWordStart(assigned('password'))],
    [passwordWords, secretInSentence('password')],
    [keyWords, secretInSentence('key')],
    [loginWords, secretInSentence('login')],
    [pinWords, pinInSentence],
    [tableHeadings, tableSecret],
  ];
  for (const [words, matcher] of forms)
    for (const word of words.split('|')) keywords.push({ word, ignoreCase: true, value: matcher });
  return keywords;
}

/** The prefixes of one format, each with the matcher of its pattern. */
export function formatKeywords(rule: SecretRule): Keyword<Matcher>[] {
  const value = ruleMatcher(rule);
  return rule.starts.map((word) => ({ word, ignoreCase: false, startsWord: !rule.isAnywhere, value }));
}

const assigned =
  (strength: Strength): Matcher =>
  (text, start, end) => {
    const found = assignedSecret(text, start, end, strength);
    return found && [{ ...found, name: 'assigned-secret', rank: 2 }];
  };

const atWordStart =
  (matcher: Matcher): Matcher =>
  (text, start, end) =>
    isAlphanumeric(text.charCodeAt(start - 1)) ? undefined : matcher(text, start, end);

function ruleMatcher({ name, rest, before, lead, isShort, isAnywhere, ignoreCase }: SecretRule): Matcher {
  let pattern: RegExp | undefined;
  return (text, start, end) => {
    if (!isAnywhere && !isWordStart(text, start, end)) return undefined;
    pattern ??= new RegExp(rest, ignoreCase ? 'yi' : 'y');
    const at =
      before === 0 ? end : lead === undefined ? start - before : startOfLead(text, start, before, lead);
    if (at < 0) return undefined;
    // If the characters before the prefix are more than the format allows, this is another format. Skip all of them.
    if (lead !== undefined && start - at === before && isOf(lead, text, at - 1)) {
      let next = end;
      while (isOf(lead, text, next)) next++;
      return next;
    }
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [whole, group] = match;
    const from = group === undefined ? Math.min(start, at) : at + whole.lastIndexOf(group);
    const body = group ?? whole;
    const isPlain = end - start >= distinctivePrefixLength || isVaried(body);
    if (isExample(body) || !(isShort ? isRandom(body) : isPlain)) {
      return Math.max(at + whole.length, start + before / 2);
    }
    return [
      { start: from, end: group === undefined ? at + whole.length : from + group.length, name, rank: 0 },
    ];
  };
}

function startOfLead(text: string, start: number, before: number, lead: 'digits' | 'letters'): number {
  let at = start;
  for (const limit = Math.max(0, start - before); at > limit && isOf(lead, text, at - 1); at--);
  return at;
}

function isOf(lead: 'digits' | 'letters', text: string, at: number): boolean {
  return (lead === 'digits' ? /\d/ : /[A-Za-z0-9+/]/).test(text[at] ?? '');
}

/** A prefix of at least this length is conclusive, whatever follows it. */
const distinctivePrefixLength = 12;

/** A known value matches exactly, without further checks. */
const exactValue = (word: string): Keyword<Matcher> => ({
  word,
  ignoreCase: false,
  value: (_text, start, end) => [{ start, end, name: 'known-value', rank: 1 }],
});

/** A preceding letter of an escape, such as `\n` or `%3D`, is not part of the word. */
function isWordStart(text: string, at: number, end: number): boolean {
  if (at === 0) return true;
  // Inside base64 or as a file extension, a short prefix of a secret occurs by coincidence.
  if (text[at - 1] === '+' || (text[at - 1] === '.' && end - at < 5))
    return !isAlphanumeric(text.charCodeAt(at - 2));
  if (text[at - 1] === '/' && end - at < 5) return !/[A-Za-z0-9+/]{24}$/.test(text.slice(at - 24, at));
  if (!isAlphanumeric(text.charCodeAt(at - 1))) return true;
  if (text[at - 2] === '\\') return 'nrt'.includes(text[at - 1] as string);
  return text[at - 3] === '%';
}

/** Searches the text and its plain view, then for repetitions of what was found. */
function allSpans(text: string, table: KeywordTable<Matcher>): Span[] {
  const spans = findSpans(text, table);
  const view = plainView(text);
  if (view !== undefined) {
    for (const span of findSpans(view.text, table))
      spans.push({ ...span, ...view.original(span.start, span.end) });
  }
  return spans.length === 0 ? spans : [...spans, ...repeatedSecrets(text, spans)];
}

function findSpans(text: string, table: KeywordTable<Matcher>): Span[] {
  const spans = [...keywordSpans(text, table), ...foreignSecrets(text), ...seedPhrases(text)];
  visitLongRuns(text, (start, end) => {
    const found = secretRun(text, start, end, table);
    if (found !== undefined) spans.push(found);
  });
  return spans;
}

/** It may be encoded text, a token of an unknown provider, or a line of a key file. */
function secretRun(text: string, first: number, end: number, table: KeywordTable<Matcher>): Span | undefined {
  // The letter of an escape, such as `\n`, is not part of the word.
  const start = text[first - 1] === '\\' && 'nrt'.includes(text[first] as string) ? first + 1 : first;
  const run = text.slice(start, end);
  // Runs of lower-case letters are paths and identifiers.
  if (!/[A-Z0-9]/.test(run)) return undefined;
  const shaped = shapedToken(text, start, end);
  if (shaped !== undefined) return { ...shaped, name: 'api-token', rank: 1 };
  // Runs of hexadecimal digits are hashes and UUIDs.
  if (/^[0-9a-f-]+$/.test(run)) return undefined;
  if (isPrefixedToken(run)) return { start, end, name: 'api-token', rank: 1 };
  if (!/[A-Z]/.test(run)) return undefined;
  if (isKeyLine(text, start, end)) return { start, end, name: 'private-key', rank: 1 };
  if (/\d/.test(run) && isBareToken(text, start, end)) return { start, end, name: 'random-token', rank: 2 };
  const encoded = decodedText(text, start, end);
  if (encoded === undefined) return undefined;
  const isSecret = isLogin(encoded.text) || keywordSpans(encoded.text, table).length > 0;
  return isSecret ? { start, end: encoded.end, name: 'encoded-secret', rank: 1 } : undefined;
}

export function keywordSpans(text: string, table: KeywordTable<Matcher>): Span[] {
  const spans: Span[] = [];
  const rejectedUntil = new Map<Matcher, number>();
  scanKeywords(text, table, (matcher, start, end) => {
    if (start < (rejectedUntil.get(matcher) ?? 0)) return undefined;
    const found = matcher(text, start, end);
    if (found === undefined) return undefined;
    if (typeof found === 'number') {
      rejectedUntil.set(matcher, found);
      return undefined;
    }
    if (!Array.isArray(found)) rejectedUntil.set(matcher, found.until);
    const own = Array.isArray(found) ? found : found.spans;
    spans.push(...own);
    // Continue after the secret, unless it was found only by its name (rank 2): it may also match a provider's format,
    // which is more specific, so its text is scanned again.
    return own.find((span) => span.rank !== 2 && span.start <= end && span.end > end)?.end;
  });
  return spans;
}

/** Overlapping spans are merged and get the name with the highest precedence. */
function replaceSpans(text: string, spans: Span[]): string {
  if (spans.length === 0) return text;
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  let clean = '';
  let at = 0;
  let current: Span | undefined;
  const flush = () => {
    if (current === undefined) return;
    clean += `${text.slice(at, current.start)}[redacted:${current.name}]`;
    at = current.end;
  };
  for (const span of spans) {
    if (current !== undefined && span.start < current.end) {
      if (span.rank < current.rank) current = { ...current, name: span.name, rank: span.rank };
      current.end = Math.max(current.end, span.end);
    } else {
      flush();
      current = { ...span };
    }
  }
  flush();
  return clean + text.slice(at);
}
