import type { RecentResults } from '../base/recent-results.ts';
import { foreignStopWords } from '../text/foreign-stop-words.ts';
import { translate } from './translate.ts';
import type { Translations } from './translations.ts';
import type { Vocabulary } from './vocabulary.ts';
import { wordsOfRun } from './words-of-run.ts';

/**
 * The tokenizer of the built-in model. bench/model/pieces.py is the same tokenizer in the recipe that made the model;
 * the examples in bench/model/agree.json test that both agree.
 */
export interface Pieces {
  /** Numbers of vocabulary entries, in order. */
  entries: number[];
  /** How much each entry counts: less than 1 for a word with several translations. Undefined if all count 1. */
  weights?: number[];
  /** Share of the letters that are in words which the vocabulary or the translations contain. */
  knownShare: number;
}

const maxPieceLength = 24;

const runs = /[A-Za-z0-9]+/g;
const foreignLetter = /[^\P{L}A-Za-z]/gu;

/** "naïve" → "naive". ASCII text is returned as it is. */
export const withoutAccents = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');

/** The entries of one run of letters and digits, its number of letters, and how many of them are known. */
export interface Run {
  entries: number[];
  letters: number;
  known: number;
  /** Letters of known words, without those that are function words of another language, such as "que". */
  english: number;
  /** The number of English function words, minus the number of those of other languages. */
  englishLead: number;
}

/**
 * A text with a smaller share of English letters, and not more function words of English than of other languages, is in
 * another language that is written with the same alphabet.
 */
const minEnglishShare = 0.7;
/** Function words of English that no other language has. */
const englishFunctionWords = new Set(
  'and are been but by can did does for from had has have how is it of that the their there these they this to we were what when where which why with would you your'.split(
    ' ',
  ),
);
/** English with many names or abbreviations has a small share too, but translation does not raise it by this much. */
const minGainedShare = 0.15;

/** `recent` must be used with one vocabulary only. `translations` is called only for a text that is not English. */
export function piecesOf(
  text: string,
  vocabulary: Vocabulary,
  recent?: RecentResults<Run>,
  translations?: () => Translations,
): Pieces {
  const plain = withoutAccents(text);
  const lookUp = (run: string): Run => entriesOf(run, vocabulary);
  const entries: number[] = [];
  const foreign = plain.match(foreignLetter)?.length ?? 0;
  let letters = 0;
  let known = 0;
  let english = 0;
  let englishLead = 0;
  for (const run of plain.match(runs) ?? []) {
    const found = recent?.get(run) ?? recent?.compute(run, lookUp) ?? lookUp(run);
    letters += found.letters;
    known += found.known;
    english += found.english;
    englishLead += found.englishLead;
    for (const entry of found.entries) entries.push(entry);
  }
  const all = letters + foreign;
  const own: Pieces = { entries, knownShare: all === 0 ? 0 : known / all };
  const isEnglish = englishLead > 0 || english >= letters * minEnglishShare;
  if (translations === undefined || (foreign === 0 && isEnglish)) return own;
  const translated = translate(plain, { isEnglish, lookUp, translations: translations() });
  const gained = translated.knownShare - own.knownShare;
  const isPlainlyForeign = foreign > 0 || englishLead < 0;
  return gained >= (isPlainlyForeign ? 0 : minGainedShare) ? translated : own;
}

function entriesOf(run: string, vocabulary: Vocabulary): Run {
  const result: Run = { entries: [], letters: 0, known: 0, english: 0, englishLead: 0 };
  for (const word of wordsOfRun(run)) {
    // Numbers and single letters occur in every language, so they do not count towards the known share.
    const isCounted = word.length > 1 && word >= 'a';
    if (isCounted) result.letters += word.length;
    const isForeign = foreignStopWords.has(word);
    if (isForeign) result.englishLead--;
    else if (englishFunctionWords.has(word)) result.englishLead++;
    const whole = vocabulary.find(word, 0, word.length);
    if (whole === undefined) {
      result.entries.push(...splitWord(word, vocabulary));
      continue;
    }
    result.entries.push(whole);
    if (!isCounted) continue;
    result.known += word.length;
    if (!isForeign) result.english += word.length;
  }
  return result;
}

/** Greedy longest match first. Returns no entries at all if any part of the word matches none. */
function splitWord(word: string, vocabulary: Vocabulary): number[] {
  const entries: number[] = [];
  let start = 0;
  while (start < word.length) {
    let end = Math.min(word.length, start + maxPieceLength);
    let entry = vocabulary.find(word, start, end);
    while (entry === undefined && --end > start) entry = vocabulary.find(word, start, end);
    if (entry === undefined) return [];
    entries.push(entry);
    start = end;
  }
  return entries;
}
