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
const best = [{ score: 3 }, { score: 1 }];

describe('[recall-weak] the quality of a match', () => {
  it('is good if the best hit has a high score and the memory knows the words of the question', () => {
    expect(qualityOf(best, { terms: ['upload', 'limit'] }, statistics(5_000))).toBe('good');
    expect(qualityOf([{ score: 2 }], { terms: ['upload', 'limit'] }, statistics(5_000))).toBe('weak');
    expect(qualityOf([], { terms: ['upload'] }, statistics(5_000))).toBe('none');
  });

  it('is weak if the memory lacks words of the question, but not in a small memory', () => {
    const question = { terms: ['upload', 'limit', 'invoice'] };
    expect(qualityOf(best, question, statistics(5_000))).toBe('weak');
    expect(qualityOf(best, question, statistics(100))).toBe('good');
  });
});
