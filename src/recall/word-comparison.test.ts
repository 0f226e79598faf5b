import { describe, expect, it } from 'vitest';
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
    expect(compare('the retries of uploads')?.wholeText('uploads, retries')[0]).toBeCloseTo(1, 2);
  });

  it('is undefined for a question without a known word', () => {
    expect(compare('')).toBeUndefined();
    expect(compare('the of and')).toBeUndefined();
  });
});
