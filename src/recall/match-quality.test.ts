import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { qualityByCoverage, qualityOf } from './match-quality.ts';
import { parseQuestion } from './question.ts';

const statistics = (chunks: number) => ({
  chunks,
  averageTerms: 40,
  frequency: new Map([
    ['upload', 3],
    ['limit', 5],
  ]),
});

const ranked = [{ chunk: aChunk({ id: 'best' }), coverage: 0.5 }];
const near = (...scores: number[]) => new Map([['best', scores]]);
const question = (...wordings: string[]) => parseQuestion(wordings[0] ?? '', wordings.slice(1));

describe('[recall-weak] the quality of a match', () => {
  it('is good if a hit is near to the question, and nearer to one of several wordings', () => {
    expect(qualityOf(ranked, near(0.35), question('upload limit'), statistics(5_000))).toBe('good');
    expect(qualityOf(ranked, near(0.2), question('upload limit'), statistics(5_000))).toBe('weak');
    const several = question('upload limit', 'limit upload');
    expect(qualityOf(ranked, near(0.1, 0.35), several, statistics(5_000))).toBe('weak');
    expect(qualityOf(ranked, near(0.1, 0.5), several, statistics(5_000))).toBe('good');
    expect(qualityOf([], near(), several, statistics(5_000))).toBe('none');
  });

  it('is weak if the memory lacks words of the question, but not in a small memory', () => {
    const asked = question('upload limit', 'invoice');
    expect(qualityOf(ranked, near(0.3, 0.5), asked, statistics(5_000))).toBe('weak');
    expect(qualityOf(ranked, near(0.3, 0.5), asked, statistics(100))).toBe('good');
  });

  it.each([
    ['a hit is as near as needed', near(0.22), ['upload'], 'good'],
    ['its only word is unknown', near(0.6), ['invoice'], 'weak'],
    ['one of three words is unknown', near(0, 0.6), ['upload limit', 'invoice'], 'good'],
    ['it has no words', near(0.5), ['?'], 'good'],
    ['nothing is embedded, and a hit has half of the words', new Map(), ['upload'], 'good'],
  ] as [string, Map<string, number[]>, string[], string][])(
    'depends on its words and hits: %s',
    (_, nearness, asked, expected) => {
      const other = { chunk: aChunk({ id: 'other' }), coverage: 0 };
      expect(qualityOf([...ranked, other], nearness, question(...asked), statistics(5_000))).toBe(expected);
    },
  );

  it.each([
    [[], 1, 'none'],
    [[0.4, 0], 0, 'good'],
    [[0, 0, 0.4], 0, 'good'],
    [[0, 0, 0, 1], 0, 'weak'],
    [[0.39], 0.45, 'good'],
    [[0.39], 0.44, 'weak'],
  ])(
    'without the words that a model knows depends on the first three hits: %j, %d',
    (coverages, nearness, expected) => {
      expect(
        qualityByCoverage(
          coverages.map((coverage) => ({ coverage })),
          nearness,
        ),
      ).toBe(expected);
    },
  );

  it('is good if a hit contains every word, whatever the model knows about them', () => {
    const whole = [{ chunk: aChunk({ id: 'best' }), coverage: 1 }];
    expect(qualityOf(whole, near(0), question('upload'), statistics(5_000))).toBe('good');
    const almost = [{ chunk: aChunk({ id: 'best' }), coverage: 0.95 }];
    expect(qualityOf(almost, near(0), question('upload'), statistics(5_000))).toBe('good');
  });
});
