import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import { readTail, tailChunks } from '../recall/tail.ts';
import { type RecallLimits, type RecallParts, withIndex } from '../recall/with-index.ts';
import type { ListOrder } from '../store/store.ts';

/** What the memory has to say about lines and turns: the index, and the part of the log that is not in it yet. */
export interface Evidence {
  isEmpty: boolean;
  editsWithLines(hashes: string[]): Promise<Edit[]>;
  editsOfFile(path: string): Promise<Edit[]>;
  chunks(filter: ChunkFilter, limit: number, order?: ListOrder): Promise<Chunk[]>;
}

/** A line that more edits have than this is looked up by its file as well. */
export const editsPerLine = 50;
const editsPerFile = 300;

export function withEvidence<T>(
  parts: RecallParts,
  limits: RecallLimits,
  work: (evidence: Evidence) => Promise<T>,
): Promise<T> {
  return withIndex(parts, limits, async (index) => {
    const tail = await readTail(parts, index, limits.tailBytes);
    const { edits, drop } = tail.fold;
    const recent = [...edits.values()].sort((a, b) => b.at - a.at);
    const merged = (indexed: Edit[], own: Edit[]): Edit[] => [
      ...own,
      ...indexed.filter(({ id }) => !drop.has(id)),
    ];
    return work({
      isEmpty: recent.length === 0 && (await index?.hasEdits()) !== true,
      async editsWithLines(hashes) {
        const asked = new Set(hashes);
        const has = ({ hunks }: Edit) =>
          hunks.some(({ added, removed }) => [...added, ...removed].some((hash) => asked.has(hash)));
        return merged((await index?.editsWithLines(hashes, editsPerLine)) ?? [], recent.filter(has));
      },
      async editsOfFile(path) {
        const own = recent.filter((edit) => edit.path === path);
        return merged((await index?.editsOfFile(path, editsPerFile)) ?? [], own);
      },
      async chunks(filter, limit, order) {
        const indexed = (await index?.list(filter, limit, order)) ?? [];
        const kept = indexed.filter(({ sourceId }) => !drop.has(sourceId) && !tail.fold.put.has(sourceId));
        const sign = order === 'oldest' ? 1 : -1;
        return [...kept, ...tailChunks(tail, filter)].sort((a, b) => sign * (a.at - b.at)).slice(0, limit);
      },
    });
  });
}
