import type { Chunk } from '../domain/chunk.ts';
import { defaultLimit, previewLimit, type RecallAnswer, type RecallQuery } from '../domain/hit.ts';
import { harmlessLine } from '../text/fence.ts';
import { listNewest, type Search } from './gather.ts';

/** How many chunks are read per result. Several chunks may belong to one event or note, which is listed once. */
const perSource = 6;

/** Answers a query without text: everything that matches the filter, newest first. */
export async function listByFilter(
  search: Pick<Search, 'index' | 'tail'>,
  { text: _, now: __, limit = defaultLimit, offset = 0, ...filter }: RecallQuery,
): Promise<RecallAnswer> {
  const chunks = await listNewest(search, filter, (offset + limit + 1) * perSource);
  const sources = oneOfEach(chunks).reverse();
  const hits = sources.slice(offset, offset + limit).map((chunk) => ({
    id: chunk.id,
    chunk,
    preview: harmlessLine(chunk.text, previewLimit),
    ranks: {},
    score: 0,
    why: {},
  }));
  return {
    hits,
    match: hits.length === 0 ? 'none' : 'good',
    arms: { lexical: 'unused', tail: 'unused', dense: 'unused' },
    incomplete: search.tail.isCut,
    truncated: sources.length > offset + limit,
  };
}

/** Whether a chunk is a sentence extracted from a prompt. It is listed only if no chunk of the whole prompt is. */
const isExcerpt = ({ source, kind }: Chunk): boolean =>
  source === 'event' && (kind === 'decision' || kind === 'rule');

/** Returns one chunk of each event or note, oldest first. */
export function oneOfEach(chunks: Chunk[]): Chunk[] {
  const sources = new Map<string, Chunk>();
  for (const chunk of chunks) {
    const known = sources.get(chunk.sourceId);
    if (known === undefined || (isExcerpt(known) && !isExcerpt(chunk))) sources.set(chunk.sourceId, chunk);
  }
  return [...sources.values()].sort((a, b) => a.at - b.at || (a.sourceId < b.sourceId ? -1 : 1));
}
