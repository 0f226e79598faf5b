import fc from 'fast-check';
import { expect, it } from 'vitest';
import { termsOf } from '../../src/text/words.ts';
import { type IndexOf, withIndexedChunks } from './chunk-access.ts';
import { aChunk, anyText } from './samples.ts';

export function describeStatistics(indexOf: IndexOf): void {
  it('counts chunks, their average length in terms, and the chunks with each term', async () => {
    const index = await indexOf(
      aChunk({ text: 'alpha alpha retry_backoff' }),
      aChunk({ text: 'alpha backoff' }),
      aChunk({ text: 'οδός' }),
    );
    const { chunks, averageTerms, frequency } = await index.statistics([
      'alpha',
      'backoff',
      'οδός',
      'absent',
      "'",
      '',
    ]);
    expect(chunks).toBe(3);
    expect(averageTerms).toBeCloseTo((5 + 2 + 1) / 3, 9);
    expect([...frequency]).toEqual([
      ['alpha', 2],
      ['backoff', 2],
      ['οδός', 1],
      ['absent', 0],
      ["'", 0],
      ['', 0],
    ]);
  });

  it('counts nothing in an empty index', async () => {
    const index = await indexOf();
    expect(await index.statistics(['alpha'])).toEqual({
      chunks: 0,
      averageTerms: 0,
      frequency: new Map([['alpha', 0]]),
    });
    expect(await index.statistics([])).toEqual({ chunks: 0, averageTerms: 0, frequency: new Map() });
  });

  it('no longer counts dropped chunks', async () => {
    const kept = aChunk({ text: 'alpha' });
    const index = await indexOf(kept);
    const before = await index.statistics(['alpha', 'two']);
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const chunk = aChunk({ text: `${text} one\0two\ud800 alpha` });
        const terms = [...new Set(Object.values(termsOf(chunk.text)).flat())].filter(
          (term) => term !== 'alpha',
        );
        await withIndexedChunks(index, [chunk], async () => {
          const during = await index.statistics(terms);
          expect([...during.frequency.values()]).toEqual(terms.map(() => 1));
        });
        const after = await index.statistics(terms);
        expect([...after.frequency.values()]).toEqual(terms.map(() => 0));
      }),
    );
    expect(await index.statistics(['alpha', 'two'])).toEqual(before);
  });
}
