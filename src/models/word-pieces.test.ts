import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createVocabulary } from './vocabulary.ts';
import { piecesOf } from './word-pieces.ts';
import { wordsOfRun } from './words-of-run.ts';

const agreed = JSON.parse(readFileSync('bench/model/agree.json', 'utf8')) as {
  vocabulary: string[];
  examples: { text: string; entries: string[] }[];
};
const vocabulary = createVocabulary(
  Buffer.from(`${agreed.vocabulary.join('\n')}\n`),
  agreed.vocabulary.length,
);

describe('piecesOf', () => {
  it.each(agreed.examples)('agrees with the recipe of the model: $text', ({ text, entries }) => {
    const found = piecesOf(text, vocabulary).entries.map((number) => agreed.vocabulary[number]);
    expect(found).toEqual(entries);
  });

  it('splits identifiers and leaves out hashes', () => {
    expect(wordsOfRun('parseHTTPResponse2')).toEqual(['parse', 'http', 'response', '2']);
    expect(wordsOfRun('sha256')).toEqual(['sha', '256']);
    expect(wordsOfRun('3f2a9c4b7d1e')).toEqual([]);
    expect(wordsOfRun('0123456789abcdef01')).toEqual([]);
  });

  it('reports the share of known letters', () => {
    expect(piecesOf('the cache', vocabulary).knownShare).toBe(1);
    expect(piecesOf('кэш сбросили', vocabulary).knownShare).toBe(0);
    expect(piecesOf('放弃 cache', vocabulary).knownShare).toBeCloseTo(5 / 7);
    expect(piecesOf('12 + 34', vocabulary).knownShare).toBe(0);
  });
});
