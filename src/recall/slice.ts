import { type Chunk, indexedText } from '../domain/chunk.ts';
import { b, type CorpusStatistics, identWeight, k1, rarity, termScore, wordWeight } from '../text/bm25.ts';
import type { FoundTerms } from '../text/words.ts';

export interface Slice {
  chunk: Chunk;
  places: Map<string, number[]>;
  /** How often each term occurs; parts of identifiers count less. */
  counts: Map<string, number>;
  length: number;
  words: number;
}

export function sliceOf(chunk: Chunk, find: (text: string) => FoundTerms, corpus: CorpusStatistics): Slice {
  const { places, idents, length } = find(indexedText(chunk));
  const counts = new Map<string, number>();
  for (const [word, at] of places) counts.set(word, at.length * wordWeight);
  for (const part of idents) counts.set(part, (counts.get(part) ?? 0) + identWeight);
  return { chunk, places, counts, length, words: wordScore({ counts, length }, counts.keys(), corpus) };
}

export function wordScore(
  { counts, length }: Pick<Slice, 'counts' | 'length'>,
  terms: Iterable<string>,
  corpus: CorpusStatistics,
): number {
  const relativeLength = length / Math.max(1, corpus.averageTerms);
  let score = 0;
  for (const term of terms) {
    const count = counts.get(term);
    if (count !== undefined) score += termScore(rarity(corpus, term), count, relativeLength, { k1, b });
  }
  return score;
}

const maxPairDistance = 3;

/** Scores how often terms that are adjacent in the question are at most three words apart in the text. */
export function pairScore({ places }: Slice, terms: string[], corpus: CorpusStatistics): number {
  let score = 0;
  for (const [at, first] of terms.entries()) {
    const second = terms[at + 1];
    if (second === undefined) break;
    const distance = shortest(places.get(first), places.get(second));
    if (distance <= maxPairDistance)
      score += Math.min(rarity(corpus, first), rarity(corpus, second)) / distance;
  }
  return score;
}

function shortest(some: number[] = [], others: number[] = []): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0, j = 0; i < some.length && j < others.length; ) {
    const [one, other] = [some[i] as number, others[j] as number];
    best = Math.min(best, Math.abs(one - other));
    if (one < other) i++;
    else j++;
  }
  return best;
}
