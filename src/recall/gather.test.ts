import { describe, expect, it } from 'vitest';
import { affordable } from './gather.ts';

const corpus = (frequency: Record<string, number>) => ({
  chunks: 1_000_000,
  averageTerms: 100,
  frequency: new Map(Object.entries(frequency)),
});

describe('what is looked up', () => {
  it('is every word, the rarest first, as long as they are cheap', () => {
    expect(affordable(['queue', 'redis'], corpus({ queue: 900, redis: 3 }))).toEqual({
      terms: ['redis', 'queue'],
    });
  });

  it('leaves out the words that are nearly everywhere', () => {
    expect(affordable(['test', 'redis', 'file'], corpus({ test: 400_000, file: 19_000, redis: 3 }))).toEqual({
      terms: ['redis', 'file'],
    });
  });

  it('is the newest part where even the rarest word is nearly everywhere', () => {
    expect(affordable(['test', 'file'], corpus({ test: 400_000, file: 300_000 }))).toEqual({
      terms: ['file'],
      lastPut: 66_667,
    });
  });

  it('is nothing for nothing, and a word that is nowhere costs nothing', () => {
    expect(affordable([], corpus({}))).toEqual({ terms: [] });
    expect(affordable(['absent'], corpus({}))).toEqual({ terms: ['absent'] });
  });
});
