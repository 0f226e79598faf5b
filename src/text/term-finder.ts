import { stemOfWord, termsOf } from './words.ts';

/** Where some terms stand in a text. */
export interface FoundTerms {
  /** Places among the words, from 0, each list ascending. */
  places: Map<string, number[]>;
  /** Those that are parts of identifiers, in order. */
  idents: string[];
  /** How many terms the text has in all; 0 where it has none of those looked for, which nobody asks about. */
  length: number;
}

/**
 * Finds the terms of a question in many texts: the same as looking for them among `termsOf(text)`, except that
 * words which begin unlike every term are only counted. Splitting and stemming them was most of what a question
 * cost, and in a process that asks once nothing is known from before.
 */
export function createTermFinder(terms: Iterable<string>): (text: string) => FoundTerms {
  const asked = new Set(terms);
  const beginnings = beginningsOf(asked);
  const mayHold = patternOf(asked);

  /** A word of nothing but letters, small ones after the first, is one term; a part too if it stands with others. */
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
      if (first >= ascii) return foreign(text);
      if (kinds[first] === other || kinds[first] === joining) {
        at++;
        continue;
      }
      const start = at;
      let pieces = 0;
      let isPlain = true;
      let isOnlyCounted = true;
      // Piece by piece: letters, then maybe one separator with more behind it.
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
      if (text.charCodeAt(at) >= ascii) return foreign(text);
      if (!isPlain || at - start > maxCountedLength) {
        words += take(found, text.slice(start, at), words);
      } else if (isOnlyCounted) {
        words += pieces;
        // As in termsOf: what stands with others in a path or a dotted name is a part of an identifier too.
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
/** Longer ones may be cut or left out. */
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

/** Beyond this many, a pattern of all their beginnings takes longer than going through the words. */
const maxInPattern = 16;

/** Finds a letter that is not ASCII, or how a term may begin; a text without either holds none of them. */
function patternOf(asked: Set<string>): RegExp | undefined {
  if (asked.size > maxInPattern) return undefined;
  const beginnings = [...asked].map((term) =>
    term.slice(0, Math.max(1, term.length - 2)).replace(/[^a-z0-9_]/g, '\\$&'),
  );
  return new RegExp(['[^\\x00-\\x7f]', ...beginnings].join('|'), 'i');
}

const maxBeginningLength = 8;
const slots = 8_192;
/** Of a letter only what is the same for its capital. */
const withLetter = (hash: number, code: number): number => (Math.imul(hash, 33) + (code & 31) + 1) | 0;

/**
 * How words begin whose stem may be asked for. Stemming changes the end of a word and leaves at least the stem's
 * letters but two: "happy" is "happi", "relational" is "relat". Two beginnings may share a slot, which only
 * means to look closer.
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
