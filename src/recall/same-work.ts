import type { Chunk } from '../domain/chunk.ts';
import { matchesFilter } from './filter.ts';
import { listNewest, newSlices, type Search } from './gather.ts';
import type { Pool, Ranked } from './rank.ts';
import { relatedWork } from './related-work.ts';

const maxTurns = 12;
const maxChunksPerTurn = 20;

/** Adds to the pool the other chunks of the best turns, and work related to them by common files. */
export async function withSameWork(pool: Pool, best: Ranked[], search: Search): Promise<Pool> {
  const { filter, question } = search;
  if (question.isLookup || best.length === 0) return pool;
  const turns = new Set(best.map(({ chunk }) => chunk.turn).filter((turn) => turn !== ''));
  const parts: Chunk[] = [];
  for (const turn of [...turns].slice(0, maxTurns))
    parts.push(...(await listNewest(search, { ...filter, turn }, maxChunksPerTurn)));
  const related = await relatedWork(best, (span, limit) => listNewest(search, span, limit));
  parts.push(...related.chunks.filter((chunk) => matchesFilter(chunk, filter)));
  return {
    ...pool,
    slices: [...pool.slices, ...newSlices(search, pool.slices, parts)],
    related: related.turns,
    madeIn: related.madeIn,
  };
}
