import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { createTermFinder } from '../text/words.ts';
import { pairScore, sliceOf, wordScore } from './slice.ts';

const corpus = { chunks: 100, averageTerms: 5, frequency: new Map([['common', 50]]) };
const terms = ['zebra', 'kiwi', 'common'];
const of = (text: string) => sliceOf(aChunk({ text }), createTermFinder(new Set(terms)), corpus);

describe('the score of a text', () => {
  it('counts rare words more, repeated words more, and words of a long text less', () => {
    expect(of('zebra').words).toBeGreaterThan(of('common').words);
    expect(of('zebra zebra xx').words).toBeGreaterThan(of('zebra yy xx').words);
    expect(of(`zebra ${'other words '.repeat(9)}`).words).toBeLessThan(of('zebra here').words);
    expect(of('nothing of it').words).toBe(0);
    expect(of('a getZebraKiwi').words).toBeLessThan(of('a zebra kiwi').words);
    expect(of('a getZebraKiwi').words).toBeGreaterThan(0);
  });

  it('is the sum of those terms that it has, in an empty memory too', () => {
    const slice = of('zebra kiwi');
    expect(wordScore(slice, ['zebra', 'absent'], corpus)).toBe(wordScore(slice, ['zebra'], corpus));
    expect(wordScore(slice, ['zebra', 'kiwi'], corpus)).toBe(slice.words);
    const among = (averageTerms: number) => wordScore(slice, ['zebra'], { ...corpus, averageTerms });
    expect(among(0)).toBe(among(1));
    expect([among(0) > 0, among(1) < among(1.5), among(1.5) < among(2)]).toEqual([true, true, true]);
  });
});

describe('the score of words side by side', () => {
  const pairs = (text: string, asked = ['zebra', 'kiwi']) => pairScore(of(text), asked, corpus);
  it('is higher the nearer they are, in any order, up to three words apart', () => {
    const one = pairs('zebra kiwi');
    expect(one).toBeGreaterThan(0);
    expect(pairs('zebra x1 kiwi')).toBe(one / 2);
    expect(pairs('zebra x1 x2 kiwi')).toBe(one / 3);
    expect(pairs('zebra x1 x2 x3 kiwi')).toBe(0);
    expect(pairs('kiwi zebra')).toBe(one);
    expect(pairs('zebra x1 x2 kiwi x1 zebra kiwi x1 x2 zebra')).toBe(one);
    expect(pairs('kiwi x1 x2 x3 x4 kiwi zebra')).toBe(one);
  });

  it('is zero if one is missing, and of the rarer kind only as much as the common one', () => {
    expect([pairs('zebra'), pairs('kiwi'), pairs('zebra', ['zebra'])]).toEqual([0, 0, 0]);
    expect(pairs('zebra common', ['zebra', 'common'])).toBeLessThan(pairs('zebra kiwi'));
    expect(pairs('zebra x1 x1 x1 x1 common kiwi', ['zebra', 'common', 'kiwi'])).toBe(
      pairs('common kiwi', ['common', 'kiwi']),
    );
  });
});
