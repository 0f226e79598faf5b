import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import { readTail, tailChunks } from './tail.ts';
import { oneOfEach } from './timeline.ts';
import { type RecallLimits, type RecallParts, withIndex, withoutMeaning } from './with-index.ts';

/** Several slices of one source may follow each other; more are read than shown. */
const perSource = 6;

/** Everything a filter lets through, without a question: one chunk of each event or note, newest first. */
export function listChunks(
  given: RecallParts,
  filter: ChunkFilter,
  { limit, offset, limits }: { limit: number; offset: number; limits: RecallLimits },
): Promise<{ chunks: Chunk[]; truncated: boolean }> {
  const parts = withoutMeaning(given);
  return withIndex(parts, limits, async (index) => {
    const tail = await readTail(parts, index, limits.tailBytes);
    const isGone = ({ sourceId }: Chunk) => tail.fold.drop.has(sourceId) || tail.fold.put.has(sourceId);
    const wanted = offset + limit + 1;
    const indexed = (await index?.list(filter, wanted * perSource)) ?? [];
    const all = [...indexed.filter((chunk) => !isGone(chunk)), ...tailChunks(tail, filter)];
    const line = oneOfEach(all).reverse();
    return { chunks: line.slice(offset, offset + limit), truncated: line.length > offset + limit };
  });
}
