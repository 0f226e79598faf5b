import { describe, expect, it } from 'vitest';
import type { WordVectors } from '../models/embed.ts';
import { loadStaticModel } from '../models/static-embed.ts';
import { compareWords } from './word-comparison.ts';

const { words } = loadStaticModel('assets/static-en.bin');
const corpus = { chunks: 100, averageTerms: 10, frequency: new Map([['the', 90]]) };
const compare = (question: string) =>
  words === undefined ? undefined : compareWords(words, [question], corpus);

describe('compareWords', () => {
  const toRetries = compare('how often are uploads retried');
  const passage = (text: string): number => toRetries?.bestPassage(text)[0] ?? 0;
  const near = 'A failed upload is tried again three times.';
  const far = 'The button is blue and the header is fixed.';

  it('scores a text with other words for the same thing above an unrelated one', () => {
    expect(passage(near)).toBeGreaterThan(passage(far) + 0.1);
  });

  it('finds the best passage however long the text around it is', () => {
    const page = `${far} `.repeat(40);
    expect(passage(`${page}${near} ${page}`)).toBeGreaterThan(passage(near) - 0.15);
  });

  it('scores a text that repeats the question with 1, and ignores stop words', () => {
    expect(compare('the retries of uploads')?.bestPassage('uploads, retries')[0]).toBeCloseTo(1, 2);
  });

  it('is undefined for a question without a known word', () => {
    expect(compare('')).toBeUndefined();
    expect(compare('the of and')).toBeUndefined();
  });
});

describe('compareWords with words that are equal or unlike', () => {
  let comparisons = 0;
  const initials: WordVectors = {
    entriesOf: (text) => Array.from(text.matchAll(/\b[a-z]/g), ([initial]) => initial.charCodeAt(0)),
    similarity: (entry, other) => {
      comparisons += 1;
      return entry === other ? 1 : -0.5;
    },
  };
  const scores = (text: string, ...wordings: string[]) =>
    compareWords(initials, wordings, corpus)?.bestPassage(text);
  const filler = (words: number): string => 'zebra '.repeat(words);

  it.each([
    [
      'a score for each wording, 0 if no word is similar',
      'zebra bravo',
      ['alpha', 'bravo', 'alpha bravo'],
      [0, 1, 0.5],
    ],
    ['0 for a wording of stop words', 'bravo', ['bravo', 'the of'], [1, 0]],
    ['0 for a text without words', '', ['bravo'], [0]],
  ])('has %s', (_, text, wordings, expected) => {
    expect(scores(text, ...wordings)).toEqual(expected);
  });

  it('finds words that stand together anywhere, and of words far apart one', () => {
    for (let before = 0; before < 40; before += 1)
      expect(scores(`${filler(before)}alpha bravo ${filler(30)}`, 'alpha bravo')).toEqual([1]);
    expect(scores(`alpha ${filler(30)}bravo`, 'alpha bravo')).toEqual([0.5]);
  });

  it('gives a word that most texts contain little weight', () => {
    const common = { ...corpus, frequency: new Map([['alpha', 90]]) };
    const [score = 1] = compareWords(initials, ['alpha bravo'], common)?.bestPassage('alpha') ?? [];
    expect(score).toBeLessThan(0.05);
    expect(score).toBeGreaterThan(0);
  });

  it('compares two words once, however often texts contain them', () => {
    const compared = compareWords(initials, ['alpha bravo'], corpus);
    comparisons = 0;
    for (let time = 0; time < 5; time += 1) compared?.bestPassage(`${filler(60)}alpha`);
    expect(comparisons).toBe(4);
  });
});
