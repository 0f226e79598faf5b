import { describe, expect, it } from 'vitest';
import { qualityOf } from './match-quality.ts';

const statistics = (chunks: number) => ({
  chunks,
  averageTerms: 40,
  frequency: new Map([
    ['upload', 3],
    ['limit', 5],
  ]),
});

describe('[recall-weak] the quality of a match', () => {
  it('is good if the best hit resembles the question and the memory knows its words', () => {
    expect(qualityOf(0.7, { terms: ['upload', 'limit'] }, statistics(5_000))).toBe('good');
    expect(qualityOf(0.4, { terms: ['upload', 'limit'] }, statistics(5_000))).toBe('weak');
  });

  it('is weak if the memory lacks words of the question, but not in a small memory', () => {
    const question = { terms: ['upload', 'limit', 'invoice'] };
    expect(qualityOf(0.7, question, statistics(5_000))).toBe('weak');
    expect(qualityOf(0.7, question, statistics(100))).toBe('good');
  });
});
