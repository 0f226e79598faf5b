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
    expect(cheapTerms(['queue', 'redis'], corpus({ queue: 900, redis: 3 }))).toEqual(['redis', 'queue']);
  });

  it('leaves out terms that occur nearly everywhere, except the rarest', () => {
    const common = corpus({ test: 400_000, other: 300_000, file: 19_000, redis: 3 });
    expect(cheapTerms(['test', 'redis', 'file'], common)).toEqual(['redis', 'file']);
    expect(cheapTerms(['test', 'other'], common)).toEqual(['other']);
  });

  it('returns nothing for no terms, and counts an unknown term as free', () => {
    expect(cheapTerms([], corpus({}))).toEqual([]);
    expect(cheapTerms(['absent'], corpus({}))).toEqual(['absent']);
  });
});

describe('saysNothingNew', () => {
  const asked = parseQuestion('what broke the commit hook');
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
