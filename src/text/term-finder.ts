import { stemOfWord, termsOf } from './words.ts';

export interface FoundTerms {
  /** Positions of each term among the words of the text, from 0, ascending. */
  places: Map<string, number[]>;
  /** Terms that are parts of identifiers, in order. */
  idents: string[];
  /** The number of terms in the text. May be 0 if the text contains none of the terms looked for. */
  length: number;
}

/**
 * Finds the terms of a query in many texts. The result is the same as searching `termsOf(text)`, but words that do not
 * begin like any query term are only counted, not split and stemmed. Stemming every word took most of the time of a
 * query, and a process that answers one query has no warm cache.
 */
export function createTermFinder(terms: Iterable<string>): (text: string) => FoundTerms {
  const asked = new Set(terms);
  const beginnings = beginningsOf(asked);
  const mayHold = patternOf(asked);

  /**
   * Counts a plain word (letters, lower case after the first) as one term. In a path or dotted name it counts a second
   * time, as a part of an identifier.
   */
  const takeWord = (found: FoundTerms, word: string, at: number, isWithOthers: boolean): void => {
    const term = stemOfWord(word);
    found.length += isWithOthers ? 2 : 1;
    if (!asked.has(term)) return;
    place(found, term, at);
    if (isWithOthers) found.idents.push(term);
  };

  const place = ({ places }: FoundTerms, term: string, at: number): void => {
    const known = places.get(term);
    if (known === undefined) places.set(term, [at]);
    else known.push(at);
  };

  const take = (found: FoundTerms, text: string, wordsBefore: number): number => {
    const { words, idents } = termsOf(text);
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as string;
      if (asked.has(word)) place(found, word, wordsBefore + at);
    }
    for (const part of idents) if (asked.has(part)) found.idents.push(part);
    found.length += words.length + idents.length;
    return words.length;
  };

  return (text) => {
    const found: FoundTerms = { places: new Map(), idents: [], length: 0 };
    if (mayHold?.test(text) === false) return found;
    let words = 0;
    for (let at = 0; at < text.length; ) {
      const first = text.charCodeAt(at);
      if (first >= ascii && !isSymbol(first)) return foreign(text);
      if (first >= ascii || kinds[first] === other || kinds[first] === joining) {
        at++;
        continue;
      }
      const start = at;
      let pieces = 0;
      let isPlain = true;
      let isOnlyCounted = true;
      // A token is a sequence of pieces: letters, then possibly one separator followed by another piece.
      for (;;) {
        const from = at;
        let hash = 0;
        for (let kind = kinds[text.charCodeAt(at)]; kind === small || kind === odd; ) {
          const code = text.charCodeAt(at);
          if (kind === odd && (at > from || !isCapital(code))) isPlain = false;
          if (at - from < maxBeginningLength) {
            hash = withLetter(hash, code);
            if (beginnings[hash & (slots - 1)] === 1) isOnlyCounted = false;
          }
          kind = kinds[text.charCodeAt(++at)];
        }
        pieces++;
        if (kinds[text.charCodeAt(at)] !== joining) break;
        const next = kinds[text.charCodeAt(at + 1)];
        if (next !== small && next !== odd) break;
        at++;
      }
      const after = text.charCodeAt(at);
      if (after >= ascii && !isSymbol(after)) return foreign(text);
      if (!isPlain || at - start > maxCountedLength) {
        words += take(found, text.slice(start, at), words);
      } else if (isOnlyCounted) {
        words += pieces;
        // As in termsOf: each piece of a path or dotted name counts a second time as a part of an identifier.
        found.length += pieces > 1 ? pieces * 2 : pieces;
      } else if (pieces === 1) {
        takeWord(found, text.slice(start, at), words++, false);
      } else {
        for (const piece of text.slice(start, at).split(joint)) takeWord(found, piece, words++, true);
      }
    }
    return found;
  };

  function foreign(text: string): FoundTerms {
    const found: FoundTerms = { places: new Map(), idents: [], length: 0 };
    take(found, text, 0);
    return found;
  }
}

const ascii = 128;

/**
 * Dashes, quotation marks, arrows, box-drawing characters and dingbats, which agents use a lot. They separate words, and
 * Unicode normalisation does not turn them into letters, digits or a dot between words.
 */
const symbols = '\\u2010-\\u2023\\u2025-\\u2027\\u2190-\\u22ff\\u2500-\\u2775\\u2794-\\u27bf\\ufe0f';

const isSymbol = (code: number): boolean =>
  (code >= 0x2010 && code <= 0x2027 && code !== 0x2024) ||
  (code >= 0x2190 && code <= 0x22ff) ||
  (code >= 0x2500 && code <= 0x27bf && (code < 0x2776 || code > 0x2793)) ||
  code === 0xfe0f;

/** `termsOf` may shorten or skip longer tokens, so they are not counted here but passed to it. */
const maxCountedLength = 60;

const joint = /[.\-/\\:]/;
const [other, small, odd, joining] = [0, 1, 2, 3];
const kinds = Uint8Array.from({ length: ascii }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z]/.test(letter)) return small;
  if (/[A-Z0-9_$]/.test(letter)) return odd;
  return joint.test(letter) ? joining : other;
});

const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a;

/**
 * With more query terms than this, testing a text with one regex over all their prefixes is slower than scanning its
 * words.
 */
const maxInPattern = 16;

/** Matches a non-ASCII character or the prefix of a term. A text without a match contains none of the terms. */
function patternOf(asked: Set<string>): RegExp | undefined {
  if (asked.size > maxInPattern) return undefined;
  const beginnings = [...asked].map((term) =>
    term.slice(0, Math.max(1, term.length - 2)).replace(/[^a-z0-9_]/g, '\\$&'),
  );
  return new RegExp([`[^\\x00-\\x7f${symbols}]`, ...beginnings].join('|'), 'i');
}

const maxBeginningLength = 8;
const slots = 8_192;
/** Adds a letter to a hash. It uses only the bits of the letter that do not depend on its case. */
const withLetter = (hash: number, code: number): number => (Math.imul(hash, 33) + (code & 31) + 1) | 0;

/**
 * A hash table of the prefixes of words whose stem may be a query term. A word shares all but at most the last two
 * letters of its stem: "happy" → "happi", "relational" → "relat". A hash collision only means that a word is stemmed
 * needlessly.
 */
function beginningsOf(asked: Set<string>): Uint8Array {
  const marked = new Uint8Array(slots);
  for (const term of asked) {
    const kept = Math.min(maxBeginningLength, Math.max(1, term.length - 2));
    let hash = 0;
    for (let at = 0; at < kept; at++) hash = withLetter(hash, term.charCodeAt(at));
    marked[hash & (slots - 1)] = 1;
  }
  return marked;
}
