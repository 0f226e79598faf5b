import type { Chunk } from '../domain/chunk.ts';
import type { UnindexedEvents } from './unindexed-events.ts';

/** Adds hits of the team's server to what is searched beside the index, so that they are ranked with the local ones. */
export function withTeamChunks(tail: UnindexedEvents, chunks: Chunk[] = []): UnindexedEvents {
  if (chunks.length === 0) return tail;
  const own = [...Map.groupBy(chunks, ({ sourceId }) => sourceId)];
  return { ...tail, replay: { ...tail.replay, put: new Map([...tail.replay.put, ...own]) } };
}
