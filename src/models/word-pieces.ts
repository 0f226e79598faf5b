import type { RecentResults } from '../base/recent-results.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * The tokenizer of the built-in model. bench/model/pieces.py is the same tokenizer in the recipe that made the model;
 * the examples in bench/model/agree.json test that both agree.
 */
export interface Pieces {
  /** Numbers of vocabulary entries, in order. */
  entries: number[];
  /** Share of the letters that are in words which the vocabulary contains as a whole. */
  knownShare: number;
}

const maxRunLength = 40;
const maxPieceLength = 24;
/** Letters mixed with digits of at least this length are a hash or a key, whose fragments mean nothing. */
const minHashLength = 12;

const runs = /[A-Za-z0-9]+/g;
const parts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const foreignLetter = /[^\P{L}A-Za-z]/gu;
const numberedName = /^[A-Za-z]+\d{1,4}$/;

/** Splits a run of letters and digits into lower-case words: the parts of an identifier, nothing of a hash or key. */
export function wordsOfRun(run: string): string[] {
  if (run.length > maxRunLength) return [];
  if (run.length >= minHashLength && /\d/.test(run) && !numberedName.test(run)) return [];
  return (run.match(parts) ?? []).map((part) => part.toLowerCase());
}

/** "naïve" → "naive". ASCII text is returned as it is. */
export const withoutAccents = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');

/** The entries of one run of letters and digits, its number of letters, and how many of them are known. */
export interface Run {
  entries: number[];
  letters: number;
  known: number;
}

/** `recent` caches the results of runs; it must be used with one vocabulary only. */
export function piecesOf(text: string, vocabulary: Vocabulary, recent?: RecentResults<Run>): Pieces {
  const plain = withoutAccents(text);
  const lookUp = (run: string): Run => entriesOf(run, vocabulary);
  const entries: number[] = [];
  let letters = plain.match(foreignLetter)?.length ?? 0;
  let known = 0;
  for (const run of plain.match(runs) ?? []) {
    const found = recent?.get(run) ?? recent?.compute(run, lookUp) ?? lookUp(run);
    letters += found.letters;
    known += found.known;
    for (const entry of found.entries) entries.push(entry);
  }
  return { entries, knownShare: letters === 0 ? 0 : known / letters };
}

function entriesOf(run: string, vocabulary: Vocabulary): Run {
  const result: Run = { entries: [], letters: 0, known: 0 };
  for (const word of wordsOfRun(run)) {
    // Numbers and single letters occur in every language, so they do not count towards the known share.
    const isCounted = word.length > 1 && word >= 'a';
    if (isCounted) result.letters += word.length;
    const whole = vocabulary.find(word, 0, word.length);
    if (whole === undefined) {
      result.entries.push(...splitWord(word, vocabulary));
      continue;
    }
    result.entries.push(whole);
    if (isCounted) result.known += word.length;
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
