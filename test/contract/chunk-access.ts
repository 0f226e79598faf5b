import type { Chunk, ChunkFilter, ScoredChunk } from '../../src/domain/chunk.ts';
import type { ChunkIndex } from '../../src/store/store.ts';
import { queryTerms } from '../../src/text/words.ts';

/** More than any test puts, unless it says so. */
export const all = 1_000;

/** A new index that holds these chunks. */
export type IndexOf = (...chunks: Chunk[]) => Promise<ChunkIndex>;

export const ids = (chunks: Chunk[]): string[] => chunks.map(({ id }) => id);
export const hitIds = (hits: ScoredChunk[]): string[] => hits.map(({ chunk }) => chunk.id);
export const ask = async (index: ChunkIndex, question: string, filter: ChunkFilter = {}): Promise<string[]> =>
  hitIds(await index.search(queryTerms(question).terms, filter, all));

export const newestFirst = (a: Chunk, b: Chunk): number => b.at - a.at || (a.id < b.id ? -1 : 1);

/** Also when the work fails, so that the next example of a property finds the index as the first one did. */
export async function whileHolding(
  index: ChunkIndex,
  chunks: Chunk[],
  work: () => Promise<void>,
): Promise<void> {
  await index.apply({ put: chunks, dropSources: [] });
  try {
    await work();
  } finally {
    await index.apply({ put: [], dropSources: chunks.map(({ sourceId }) => sourceId) });
  }
}
