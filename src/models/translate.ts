import { foldForeign, type Meaning, type Translations } from './translations.ts';
import type { Pieces, Run } from './word-pieces.ts';
import { wordsOfRun } from './words-of-run.ts';

/** Runs of English letters and digits, and runs of other letters. */
const allRuns = /[A-Za-z0-9]+|[^\P{L}A-Za-z]+/gu;
const latin = /^[A-Za-z0-9]/;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const hiragana = /\p{Script=Hiragana}/u;
const maxUnspacedLength = 6;
const minPartLength = 4;
/** The letters that join the parts of a German compound, as in "Arbeitsspeicher". */
const joints = ['', 's', 'es', 'n', 'en', 'e'];

interface Reader {
  /** Whether words in English letters are English, as identifiers in a Chinese text are. */
  isEnglish: boolean;
  /** Reads a run of English letters and digits as English. */
  lookUp(run: string): Run;
  translations: Translations;
}

/** The pieces of a text with words of other languages: those words have the entries of their English translations. */
export function translate(plain: string, { isEnglish, lookUp, translations }: Reader): Pieces {
  const entries: number[] = [];
  const weights: number[] = [];
  let letters = 0;
  let known = 0;
  const add = (meaning: Meaning, length: number): void => {
    entries.push(...meaning.entries);
    weights.push(...meaning.weights);
    known += length;
  };
  const addEnglish = (run: string): void => {
    const found = lookUp(run);
    for (const entry of found.entries) {
      entries.push(entry);
      weights.push(1);
    }
    letters += found.letters;
    known += found.known;
  };
  const addWord = (word: string): void => {
    const meanings = meaningsOf(word, lookUp, translations);
    if (meanings.length === 0 && latin.test(word)) {
      addEnglish(word);
      return;
    }
    letters += word.length;
    for (const meaning of meanings) add(meaning, word.length / meanings.length);
  };
  const addUnspaced = (run: string): void => {
    for (let at = 0; at < run.length; ) {
      const found = longestMatch(run, at, translations);
      if (found !== undefined) add(found.meaning, found.length);
      // The hiragana between words are endings and particles.
      if (found !== undefined || !hiragana.test(run.charAt(at))) letters += found?.length ?? 1;
      at += found?.length ?? 1;
    }
  };
  for (const run of foldForeign(plain).match(allRuns) ?? []) {
    if (!latin.test(run)) {
      if (unspaced.test(run)) addUnspaced(run);
      else addWord(run.toLowerCase());
    } else if (isEnglish) addEnglish(run);
    else for (const word of wordsOfRun(run)) addWord(word);
  }
  return { entries, weights, knownShare: letters === 0 ? 0 : known / letters };
}

/** One meaning, or those of the parts of a compound; none if the word is English or unknown. */
function meaningsOf(word: string, lookUp: Reader['lookUp'], translations: Translations): Meaning[] {
  const own = translations.exact(word);
  if (own !== undefined) return [own];
  if (lookUp(word).known > 0) return [];
  const inflected = translations.inflected(word);
  return inflected === undefined ? partsOf(word, lookUp, translations) : [inflected];
}

/** Splits a compound such as "Datenbankverbindung" into two known words, the first as long as possible. */
function partsOf(word: string, lookUp: Reader['lookUp'], translations: Translations): Meaning[] {
  const english = (part: string): Meaning | undefined => {
    const { entries, known } = lookUp(part);
    return known > 0 ? { entries, weights: entries.map(() => 1) } : undefined;
  };
  for (let end = word.length - minPartLength; end >= minPartLength; end--) {
    const first = translations.exact(word.slice(0, end)) ?? english(word.slice(0, end));
    if (first === undefined) continue;
    for (const joint of joints) {
      const rest = word.slice(end + joint.length);
      if (rest.length < minPartLength || !word.startsWith(joint, end)) continue;
      const second = translations.exact(rest) ?? english(rest) ?? translations.inflected(rest);
      if (second !== undefined) return [first, second];
    }
  }
  return [];
}

function longestMatch(
  run: string,
  at: number,
  translations: Translations,
): { meaning: Meaning; length: number } | undefined {
  for (let length = Math.min(maxUnspacedLength, run.length - at); length > 0; length--) {
    const meaning = translations.exact(run.slice(at, at + length));
    if (meaning !== undefined) return { meaning, length };
  }
  return undefined;
}
