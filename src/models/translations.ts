import { inflateRawSync } from 'node:zlib';
import { createSortedWords } from './sorted-words.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Weights add up to 1, so that a word counts once however many translations it has. */
export interface Meaning {
  entries: readonly number[];
  weights: readonly number[];
}

export interface TranslationsHeader {
  /** Length of the English words in units. */
  englishUnits: number;
  foreignUnits: number;
  foreignWords: number;
  sha256: string;
}

export const maxMeanings = 3;
/** The usual translation comes first and counts most. */
const weightsByCount: readonly (readonly number[])[] = [[], [1], [0.6, 0.4], [0.5, 0.3, 0.2]];

const minStemLength = 4;
const maxEndingLength = 3;
/** Cyrillic words change their endings, so the listed form may have an ending too. */
const maxListedEnding = 2;
const cyrillic = /^\p{Script=Cyrillic}/u;

/**
 * Words of languages other than English, translated to entries of the built-in model. The file is made by
 * bench/model/pack-words.ts and contains English words instead of entry numbers, so it fits every version of the model.
 *
 * The body, compressed, in units of 16 bits: the English words, one per line; the foreign words in order, without
 * separators; the length of each foreign word; for each foreign word the numbers of up to three English words, which
 * start at 1. 0 is none.
 */
export function createTranslations(
  body: Uint8Array,
  { englishUnits, foreignUnits, foreignWords }: TranslationsHeader,
  vocabulary: Vocabulary,
) {
  const bytes = inflateRawSync(body);
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  const lengthsAt = englishUnits + foreignUnits;
  const meaningsAt = lengthsAt + foreignWords;
  const words = createSortedWords(
    bytes.toString('utf16le', englishUnits * 2, lengthsAt * 2),
    units.subarray(lengthsAt, meaningsAt),
  );
  const meanings = units.subarray(meaningsAt);
  const englishWords = bytes.toString('utf16le', 0, englishUnits * 2).split('\n');
  const entries = englishWords.map((word) => vocabulary.find(word, 0, word.length));

  const meaningAt = (number: number): Meaning => {
    const own = meanings.subarray(number * maxMeanings, (number + 1) * maxMeanings);
    const found = [...own].flatMap((one) => (one === 0 ? [] : (entries[one - 1] ?? [])));
    return { entries: found, weights: weightsByCount[found.length] ?? [] };
  };
  /** `extra` is the number of letters that the listed word may have after `start`. */
  const startingWith = (start: string, extra: number): Meaning | undefined => {
    const number = words.firstFrom(start);
    const listed = words.at(number);
    if (listed === undefined || !listed.startsWith(start)) return undefined;
    return listed.length - start.length <= extra ? meaningAt(number) : undefined;
  };
  return {
    /** The entries for exactly this word. A function word such as "und" has none. */
    exact: (word: string) => startingWith(word, 0),
    /** The entries for this word, or for a shorter word of which it may be an inflected form. */
    inflected(word: string) {
      const extra = cyrillic.test(word) ? maxListedEnding : 0;
      const shortest = Math.max(minStemLength, word.length - maxEndingLength);
      for (let length = word.length; length >= shortest; length--) {
        const found = startingWith(word.slice(0, length), extra);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

export type Translations = ReturnType<typeof createTranslations>;

/** Removes accents and joins the letters that a keyboard may lack, so that "größe", "grösse" and "grosse" are one word. */
export const foldForeign = (plain: string): string =>
  plain
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replace(/(?<=\p{Script=Cyrillic})['’ʼ](?=\p{Script=Cyrillic})/gu, '');
