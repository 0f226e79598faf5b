import { describe, expect, it } from 'vitest';
import { cheapTerms, saysNothingNew } from './gather.ts';
import { parseQuestion } from './question.ts';

const corpus = (frequency: Record<string, number>) => ({
  chunks: 1_000_000,
  averageTerms: 100,
  frequency: new Map(Object.entries(frequency)),
});

describe('cheapTerms', () => {
  it('returns every term, the rarest first, if all are cheap to look up', () => {
    expect(cheapTerms(['queue', 'redis'], corpus({ queue: 900, redis: 3 }))).toEqual({
      terms: ['redis', 'queue'],
    });
  });

  it('leaves out terms that occur nearly everywhere', () => {
    expect(cheapTerms(['test', 'redis', 'file'], corpus({ test: 400_000, file: 19_000, redis: 3 }))).toEqual({
      terms: ['redis', 'file'],
    });
  });

  it('restricts the search to the newest chunks if even the rarest term occurs nearly everywhere', () => {
    expect(cheapTerms(['test', 'file'], corpus({ test: 400_000, file: 300_000 }))).toEqual({
      terms: ['file'],
      newestChunks: 66_667,
    });
  });

  it('returns nothing for no terms, and counts an unknown term as free', () => {
    expect(cheapTerms([], corpus({}))).toEqual({ terms: [] });
    expect(cheapTerms(['absent'], corpus({}))).toEqual({ terms: ['absent'] });
  });
});

describe('saysNothingNew', () => {
  const asked = parseQuestion('what broke the commit hook', 0);
  const isEcho = (text: string, kind: 'prompt' | 'note' = 'prompt') =>
    saysNothingNew({ kind: kind === 'note' ? 'decision' : kind, text }, asked);

  it('is true of a short message that only repeats a part of the question', () => {
    expect(isEcho('commit this')).toBe(true);
  });

  it('is false of a message with another word, of the whole question, of assent, and of a note', () => {
    expect(isEcho('commit the lockfile')).toBe(false);
    expect(isEcho('what broke the commit hook')).toBe(false);
    expect(isEcho('do it')).toBe(false);
    expect(isEcho('commit', 'note')).toBe(false);
  });
});
