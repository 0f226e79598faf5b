import type { RecentResults } from '../base/recent-results.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Text cut into entries of a vocabulary, for the built-in model. bench/model/pieces.py does the same in the
 * recipe that made the model; the examples in bench/model/agree.json hold both to the same answers.
 */
export interface Pieces {
  /** Numbers of vocabulary entries, in order. */
  entries: number[];
  /** Which share of the letters stands in words that the vocabulary has whole. */
  knownShare: number;
}

const maxRunLength = 40;
const maxPieceLength = 24;
/** From this length on, letters mixed with digits are a hash or a key; their fragments mean nothing. */
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

/** Without accents, so that "naïve" is "naive"; what is ASCII already is left alone. */
export const withoutAccents = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');

/** What a run of letters and digits gives. */
export interface Run {
  entries: number[];
  letters: number;
  known: number;
}

/** The same runs make up nearly all text: `recent` keeps what they gave, for this vocabulary and no other. */
export function piecesOf(text: string, vocabulary: Vocabulary, recent?: RecentResults<Run>): Pieces {
  const plain = withoutAccents(text);
  const learnt = (run: string): Run => entriesOf(run, vocabulary);
  const entries: number[] = [];
  let letters = plain.match(foreignLetter)?.length ?? 0;
  let known = 0;
  for (const run of plain.match(runs) ?? []) {
    const given = recent?.get(run) ?? recent?.compute(run, learnt) ?? learnt(run);
    letters += given.letters;
    known += given.known;
    for (const entry of given.entries) entries.push(entry);
  }
  return { entries, knownShare: letters === 0 ? 0 : known / letters };
}

function entriesOf(run: string, vocabulary: Vocabulary): Run {
  const given: Run = { entries: [], letters: 0, known: 0 };
  for (const word of wordsOfRun(run)) {
    // A number or a letter alone is of every language.
    const isTelling = word.length > 1 && word >= 'a';
    if (isTelling) given.letters += word.length;
    const whole = vocabulary.find(word, 0, word.length);
    if (whole === undefined) {
      given.entries.push(...cut(word, vocabulary));
      continue;
    }
    given.entries.push(whole);
    if (isTelling) given.known += word.length;
  }
  return given;
}

/** Greedily, the longest piece first; nothing at all if a part of the word is in no entry. */
function cut(word: string, vocabulary: Vocabulary): number[] {
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
