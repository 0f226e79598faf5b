/**
 * One way to cut text into search terms, for every store and for the part that is not indexed yet. Terms are
 * made here and stores only compare them, so the same question has the same matches everywhere.
 */
export interface Terms {
  /** Stemmed words, in order. */
  words: string[];
  /** Parts of identifiers, paths and dotted names, in order. */
  idents: string[];
}

const token = /[\p{L}\p{N}_$]+(?:[.\-/\\:][\p{L}\p{N}_$]+)*/gu;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const maxTermLength = 64;
const maxTokenLength = 400;

export function termsOf(text: string): Terms {
  const words: string[] = [];
  const idents: string[] = [];
  for (const [raw] of text.normalize('NFKC').matchAll(token)) {
    if (raw.length > maxTokenLength) continue;
    const found = termsOfToken(raw);
    for (const word of found.words) words.push(word);
    for (const part of found.idents) idents.push(part);
  }
  return { words, idents };
}

/** The same few thousand tokens make up nearly all text, so each is taken apart once. */
const known = new Map<string, Terms>();
const maxKnown = 20_000;

function termsOfToken(raw: string): Terms {
  const before = known.get(raw);
  if (before !== undefined) return before;
  const found = takeApart(raw);
  if (known.size >= maxKnown) known.clear();
  known.set(raw, found);
  return found;
}

function takeApart(raw: string): Terms {
  const words: string[] = [];
  const idents: string[] = [];
  const pieces = raw.split(/[.\-/\\:]/).filter((piece) => piece !== '');
  for (const piece of pieces) {
    if (cjk.test(piece)) {
      words.push(...pairsOf(piece));
      continue;
    }
    const word = stem(piece.toLowerCase());
    if (word.length <= maxTermLength) words.push(word);
    const parts = splitIdentifier(piece);
    if (parts.length > 1 || pieces.length > 1) {
      idents.push(...parts.map(stem).filter((part) => part.length <= maxTermLength));
    }
  }
  return { words, idents };
}

/** Chinese, Japanese and Korean are written without spaces; overlapping pairs find any word of two or more. */
function pairsOf(piece: string): string[] {
  const letters = [...piece.toLowerCase()];
  if (letters.length < 2) return letters;
  return letters.slice(0, -1).map((letter, at) => letter + letters[at + 1]);
}

/** `parseHTTPResponse2` → parse, http, response, 2; `retry_backoff` → retry, backoff. */
export function splitIdentifier(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .split(/[\s_$]+/)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

/**
 * Takes the common English endings off, so "retries", "retried" and "retrying" meet. Gentler than Porter:
 * in a code base a wrong merge of two names hurts more than a missed plural.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/(?:x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return stem(word.slice(0, -1));
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  for (const ending of ['ing', 'ed']) {
    const base = word.slice(0, -ending.length);
    if (!word.endsWith(ending) || base.length < 3 || !/[aeiouy]/.test(base)) continue;
    if (/([bdfgmnprt])\1$/.test(base)) return base.slice(0, -1);
    return restoreE(base);
  }
  return word.endsWith('e') && word.length > 4 ? word.slice(0, -1) : word;
}

/** "caching" and "cache" must meet: both lose the final e. */
const restoreE = (base: string): string => (base.endsWith('e') && base.length > 4 ? base.slice(0, -1) : base);

const stopWords = new Set(
  `a about after all also an and any are as at be been before being but by can could did do does doing done for from
  get got had has have how i if in into is it its just let like me my no not now of on one or our out over own same
  she should so some such than that the their them then there these they this those to too under until up us use
  used using very was we were what when where which while who why will with would you your`.split(/\s+/),
);

export interface QueryTerms {
  terms: string[];
  /** Nothing but common words was asked, so they are all there is to go by. */
  isCommon: boolean;
}

const maxQueryTerms = 64;

/** What to look for. Common words are left out unless there is nothing else. */
export function queryTerms(question: string): QueryTerms {
  const { words, idents } = termsOf(question.slice(0, 10_000));
  const all = [...new Set([...words, ...idents])];
  const telling = all.filter((term) => !stopWords.has(term) && !stopStems.has(term));
  const chosen = telling.length > 0 ? telling : all;
  return { terms: chosen.slice(0, maxQueryTerms), isCommon: telling.length === 0 };
}

const stopStems = new Set([...stopWords].map(stem));
