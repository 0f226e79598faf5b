import type { Chunk, ChunkFilter, ScoredChunk } from '../../src/domain/chunk.ts';
import type { LogIndex } from '../../src/store/store.ts';
import { queryTerms } from '../../src/text/words.ts';

/** More chunks than any test adds, unless it says so. */
export const all = 1_000;

/** Creates an index that contains these chunks. */
export type IndexOf = (...chunks: Chunk[]) => Promise<LogIndex>;

export const ids = (chunks: Chunk[]): string[] => chunks.map(({ id }) => id);
export const hitIds = (hits: ScoredChunk[]): string[] => hits.map(({ chunk }) => chunk.id);
export const ask = async (index: LogIndex, question: string, filter: ChunkFilter = {}): Promise<string[]> =>
  hitIds(await index.search(queryTerms(question).terms, filter, all));

export const newestFirst = (a: Chunk, b: Chunk): number => b.at - a.at || (a.id < b.id ? -1 : 1);

/** Removes the chunks even if the work fails, so that the next example of a property starts with the same index. */
export async function withIndexedChunks(
  index: LogIndex,
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
