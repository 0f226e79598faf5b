import { createRecentResults } from '../../base/recent-results.ts';
import { stem } from '../../text/stem.ts';
import { splitIdentifier } from '../../text/words.ts';

/**
 * A word of code as a number: a hash of 26 bits, so that word and count fit into 32. An identifier counts as a whole
 * word and as each of its parts, stemmed. Words can collide: among a hundred thousand, a given word collides with
 * another in one of six hundred cases, which only affects ranking.
 */
export type WordKey = number;

const maxCount = 63;
const keyMask = ~maxCount >>> 0;

export const entryOf = (key: WordKey, count: number): number => (key | Math.min(count, maxCount)) >>> 0;
export const keyIn = (entry: number): WordKey => (entry & keyMask) >>> 0;
export const countIn = (entry: number): number => entry & maxCount;

/** Hashes a word with FNV-1a, mixed once more so that the last letters affect the bits that are kept. */
export function keyOf(term: string): WordKey {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) & keyMask) >>> 0;
}

const token = /[A-Za-z0-9_$\u0080-\uffff]{2,80}/g;
export const tokensIn = (text: string): string[] => text.match(token) ?? [];

/** `parseArguments` gives parseargu (the whole, stemmed), pars and argument. Numbers and single letters are dropped. */
export function termsOfToken(word: string): string[] {
  if (plain.test(word)) return [stem(word)];
  const parts = splitIdentifier(word).filter((part) => part.length > 1 && !/^\d+$/.test(part));
  if (parts.length === 0) return [];
  const whole = word.toLowerCase().replace(/^[_$]+|[_$]+$/g, '');
  const terms = parts.map(stem);
  return parts.length === 1 && parts[0] === whole ? terms : [stem(whole), ...terms];
}

const plain = /^[a-z]{2,}$/;

/** Counts the words of texts. A few thousand tokens make up nearly all code, so their words are cached. */
export class WordCounter {
  private readonly known = createRecentResults<readonly WordKey[]>(30_000);

  keysOf(word: string): readonly WordKey[] {
    return this.known.get(word) ?? this.known.compute(word, (own) => termsOfToken(own).map(keyOf));
  }

  /** Adds the words of a text to the counts; returns how many there were. */
  count(text: string, counts: Map<WordKey, number>): number {
    const words = tokensIn(text);
    for (const word of words)
      for (const key of this.keysOf(word)) counts.set(key, (counts.get(key) ?? 0) + 1);
    return words.length;
  }
}
