import { assignedSecret, secretNames, wholeSecretNames } from './assigned-secret.ts';
import { isBareToken } from './bare-token.ts';
import { isAlphanumeric } from './character-classes.ts';
import { decodedText, isLogin } from './encoded-secret.ts';
import { createKeywordTable, type Keyword, type KeywordTable, scanKeywords } from './keyword-finder.ts';
import { kindsOfRun, visitLongRuns } from './long-runs.ts';
import { plainView } from './plain-view.ts';
import { isPrefixedToken, shapedToken } from './prefixed-token.ts';
import { isKeyLine } from './private-key-lines.ts';
import { isExample, isRandom, isVaried } from './randomness.ts';
import { repeatedSecrets } from './repeated-secret.ts';
import { secretForms } from './secret-contexts.ts';
import { type SecretRule, secretRules } from './secret-formats.ts';
import {
  foreignSecrets,
  saidKeys,
  saidLogins,
  saidNetworks,
  saidPasswords,
  saidPin,
  saidPins,
  saidSecret,
} from './secret-in-sentence.ts';
import { seedPhrases } from './seed-phrase.ts';
import { tableHeadings, tableSecret } from './table-secret.ts';

/**
 * Takes secrets and private passages out of text before its first byte is written. One pass finds the places
 * where a secret may begin; what stands there is then looked at within a bounded window, so the time grows with
 * the length of the text and with nothing else. Patterns are compiled when their first word is met.
 */
export interface Redactor {
  redact(text: string): string;
  /** The same for every string inside a value, keys included; cycles cannot occur in parsed JSON. */
  redactDeep<T>(value: T): T;
  /** For text that the rules have been over already: only the known values are still looked for. */
  maskDeep<T>(value: T): T;
}

export interface Span {
  start: number;
  end: number;
  name: string;
  /** A maker's own form says more than a known value, and that more than a name before a value. */
  rank: 0 | 1 | 2;
}

/**
 * Looks at a place where a keyword stands; says what of it is secret. A number says that nothing is, and from
 * where on looking again makes sense: without it, one long run of beginnings would be read once for each.
 */
export type Look = (text: string, start: number, end: number) => Span[] | Read | number | undefined;

/** What was found in all of the text up to a place, which the same look need not read again. */
interface Read {
  spans: Span[];
  until: number;
}

/** Nothing shorter has a beginning and a secret after it; a known value may be shorter. */
const minSecretLength = 8;

export function createRedactor({ values }: { values: readonly string[] }): Redactor {
  let table: KeywordTable<Look> | undefined;
  const redact = (text: string): string => {
    if (text.length < minSecretLength) return mask(text);
    rulesTable ??= createRulesTable();
    table ??= createKeywordTable(values.map(exactValue), rulesTable);
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

/** Passages may stand within one another, and one that is not closed goes to the end. */
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

/** The same for everybody and at all times, so ids may be made from its result. */
export const rulesOnly: Redactor = createRedactor({ values: [] });
export const { redact, redactDeep } = rulesOnly;

let rulesTable: KeywordTable<Look> | undefined;

function createRulesTable(): KeywordTable<Look> {
  const keywords: Keyword<Look>[] = [];
  for (const rule of secretRules()) {
    const look = ruleLook(rule);
    for (const word of rule.starts) {
      keywords.push({ word, ignoreCase: false, startsWord: !rule.isAnywhere, value: look });
    }
  }
  for (const [words, look] of secretForms) {
    for (const word of words.split('|')) keywords.push({ word, ignoreCase: true, value: look });
  }
  for (const [word, strength] of [...secretNames, ...wholeSecretNames]) {
    const isWhole = wholeSecretNames.some(([name]) => name === word);
    const look: Look = (text, start, end) => {
      if (isWhole && isAlphanumeric(text.charCodeAt(start - 1))) return undefined;
      const found = assignedSecret(text, start, end, strength);
      return found && [{ ...found, name: 'assigned-secret', rank: 2 }];
    };
    keywords.push({ word, ignoreCase: true, value: look });
  }
  const spoken: [words: string, look: Look][] = [
    [saidPasswords, saidSecret('password')],
    [saidNetworks, saidSecret('network')],
    [saidKeys, saidSecret('key')],
    [saidLogins, saidSecret('login')],
    [saidPins, saidPin],
    [tableHeadings, tableSecret],
  ];
  for (const [words, look] of spoken)
    for (const word of words.split('|')) keywords.push({ word, ignoreCase: true, value: look });
  return createKeywordTable(keywords);
}

function ruleLook({ name, rest, before, lead, isShort, isAnywhere, ignoreCase }: SecretRule): Look {
  let pattern: RegExp | undefined;
  return (text, start, end) => {
    if (!isAnywhere && !isWordStart(text, start, end)) return undefined;
    pattern ??= new RegExp(rest, ignoreCase ? 'yi' : 'y');
    const at =
      before === 0 ? end : lead === undefined ? start - before : startOfLead(text, start, before, lead);
    if (at < 0) return undefined;
    // A longer run is something else, and so is all that follows in it.
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
    const isPlain = end - start >= tellingLength || isVaried(body);
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
  const code = text.charCodeAt(at);
  if (lead === 'digits') return code >= 48 && code <= 57;
  return isAlphanumeric(code) || code === 43 || code === 47;
}

/** A beginning this long is no accident, whatever follows it. */
const tellingLength = 12;

/** Values are known letter for letter, so nothing has to be judged. */
const exactValue = (word: string): Keyword<Look> => ({
  word,
  ignoreCase: false,
  value: (_text, start, end) => [{ start, end, name: 'known-value', rank: 1 }],
});

/** Not in the middle of a word, unless what precedes is the letter of an escape such as `\n` or `%3D`. */
function isWordStart(text: string, at: number, end: number): boolean {
  if (at === 0) return true;
  // Inside base64, and after a file's name, few letters that look like a beginning are none.
  if (text[at - 1] === '+' || (text[at - 1] === '.' && end - at < 5))
    return !isAlphanumeric(text.charCodeAt(at - 2));
  if (!isAlphanumeric(text.charCodeAt(at - 1))) return true;
  if (text[at - 2] === '\\') return 'nrt'.includes(text[at - 1] as string);
  return text[at - 3] === '%';
}

/** In the text as it is, and in what a reader sees of it. */
function allSpans(text: string, table: KeywordTable<Look>): Span[] {
  const spans = findSpans(text, table);
  const view = plainView(text);
  if (view !== undefined) {
    for (const span of findSpans(view.text, table))
      spans.push({ ...span, ...view.original(span.start, span.end) });
  }
  return spans.length === 0 ? spans : [...spans, ...repeatedSecrets(text, spans)];
}

function findSpans(text: string, table: KeywordTable<Look>): Span[] {
  const spans = [...keywordSpans(text, table), ...foreignSecrets(text), ...seedPhrases(text)];
  visitLongRuns(text, (start, end) => {
    const found = secretRun(text, start, end, table);
    if (found !== undefined) spans.push(found);
  });
  return spans;
}

/** Long runs of letters that no keyword begins: encoded, from a maker no rule knows, or out of a key file. */
function secretRun(text: string, start: number, end: number, table: KeywordTable<Look>): Span | undefined {
  const { hasUpper, hasDigit, isHex } = kindsOfRun(text, start, end);
  // Paths and identifiers.
  if (!hasUpper && !hasDigit) return undefined;
  const shaped = shapedToken(text, start, end);
  if (shaped !== undefined) return { ...shaped, name: 'api-token', rank: 1 };
  // Hashes and UUIDs.
  if (isHex) return undefined;
  if (isPrefixedToken(text.slice(start, end))) return { start, end, name: 'api-token', rank: 1 };
  if (!hasUpper) return undefined;
  if (isKeyLine(text, start, end)) return { start, end, name: 'private-key', rank: 1 };
  if (hasDigit && isBareToken(text, start, end)) return { start, end, name: 'random-token', rank: 2 };
  const encoded = decodedText(text, start, end);
  if (encoded === undefined) return undefined;
  const isSecret = isLogin(encoded.text) || keywordSpans(encoded.text, table).length > 0;
  return isSecret ? { start, end: encoded.end, name: 'encoded-secret', rank: 1 } : undefined;
}

function keywordSpans(text: string, table: KeywordTable<Look>): Span[] {
  const spans: Span[] = [];
  const rejectedUntil = new Map<Look, number>();
  scanKeywords(text, table, (look, start, end) => {
    if (start < (rejectedUntil.get(look) ?? 0)) return undefined;
    const found = look(text, start, end);
    if (found === undefined) return undefined;
    if (typeof found === 'number') {
      rejectedUntil.set(look, found);
      return undefined;
    }
    if (!Array.isArray(found)) rejectedUntil.set(look, found.until);
    const own = Array.isArray(found) ? found : found.spans;
    spans.push(...own);
    // What a name stands before may be of a known form, which says more; so only those are passed over.
    return own.find((span) => span.rank !== 2 && span.start <= end && span.end > end)?.end;
  });
  return spans;
}

/** Spans that meet become one, called after the most telling of them. */
function replaceSpans(text: string, spans: Span[]): string {
  if (spans.length === 0) return text;
  spans.sort((one, other) => one.start - other.start || other.end - one.end);
  let clean = '';
  let at = 0;
  let current: Span | undefined;
  const put = () => {
    if (current === undefined) return;
    clean += `${text.slice(at, current.start)}[redacted:${current.name}]`;
    at = current.end;
  };
  for (const span of spans) {
    if (current !== undefined && span.start < current.end) {
      if (span.rank < current.rank) current = { ...current, name: span.name, rank: span.rank };
      current.end = Math.max(current.end, span.end);
    } else {
      put();
      current = { ...span };
    }
  }
  put();
  return clean + text.slice(at);
}
