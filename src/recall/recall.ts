import type { ChunkKind, ScoredChunk } from '../domain/chunk.ts';
import {
  type ArmState,
  defaultLimit,
  type Hit,
  limitCap,
  previewLimit,
  type RecallAnswer,
  type RecallQuery,
} from '../domain/hit.ts';
import type { LogIndex } from '../store/store.ts';
import { harmlessLine } from '../text/fence.ts';
import { queryTerms } from '../text/words.ts';
import { readTail, searchTail, type Tail } from './tail.ts';
import { type RecallLimits, type RecallParts, withIndex } from './with-index.ts';

/**
 * Question → answer. Whatever fails, something answers: the index if it can be believed, a scan of the newest
 * events beside it, or the scan alone; and the answer says which.
 */
/** How much of the answer each kind is usually worth: what people wrote first, what programs printed last. */
const kindWeight: Partial<Record<ChunkKind, number>> = { prompt: 1.15, answer: 1, edit: 0.9, command: 0.7 };
const noteWeight = 1.3;

export async function recall(
  parts: RecallParts,
  query: RecallQuery,
  limits: RecallLimits,
): Promise<RecallAnswer> {
  const { terms } = queryTerms(query.text);
  const limit = Math.min(Math.max(1, query.limit ?? defaultLimit), limitCap);
  const offset = Math.max(0, query.offset ?? 0);
  return withIndex(parts, limits, async (index) => {
    const tail = await readTail(parts, index, limits.tailBytes);
    const lexical =
      index === undefined ? undefined : await searchIndex(index, terms, query, tail, offset + limit);
    const newest = await searchTail(tail, terms, query, index);
    const ranked = rank(lexical ?? [], newest);
    const isEmpty = tail.fold.rows.size + tail.fold.put.size === 0 && !tail.isCut;
    const armOf = (found: ScoredChunk[]): ArmState => (found.length > 0 ? 'answered' : 'empty');
    return {
      hits: ranked.slice(offset, offset + limit),
      arms: {
        // Without an index, but with nothing that could be in it, nothing has failed.
        lexical: lexical === undefined && !isEmpty ? 'failed' : armOf(lexical ?? []),
        tail: isEmpty ? 'unused' : armOf(newest),
      },
      incomplete: tail.isCut,
      truncated: ranked.length > offset + limit,
    };
  });
}

/** Several chunks of one source may match; more are asked for than shown, so that folding them leaves enough. */
const perSource = 4;

async function searchIndex(
  index: LogIndex,
  terms: string[],
  query: RecallQuery,
  tail: Tail,
  wanted: number,
): Promise<ScoredChunk[]> {
  const found = await index.search(terms, query, wanted * perSource + 1);
  // The tail may have superseded or forgotten what the index still holds.
  return found.filter(({ chunk }) => !tail.fold.drop.has(chunk.sourceId));
}

function rank(lexical: ScoredChunk[], tail: ScoredChunk[]): Hit[] {
  const hits: Hit[] = [
    ...lexical.map(({ chunk, score }, at) => ({ chunk, score, ranks: { lexical: at + 1 } })),
    ...[...tail].sort(byScore).map(({ chunk, score }, at) => ({ chunk, score, ranks: { tail: at + 1 } })),
  ].map(({ chunk, score, ranks }) => ({
    id: chunk.id,
    chunk,
    preview: harmlessLine(chunk.text, previewLimit),
    ranks,
    score: score * (chunk.source === 'note' ? noteWeight : (kindWeight[chunk.kind] ?? 1.1)),
  }));
  const seen = new Set<string>();
  return hits.sort(byScore).filter(({ chunk }) => !seen.has(chunk.sourceId) && seen.add(chunk.sourceId));
}

type Rankable = Pick<Hit, 'score' | 'chunk'>;
const byScore = (a: Rankable, b: Rankable): number =>
  b.score - a.score || b.chunk.at - a.chunk.at || (a.chunk.id < b.chunk.id ? -1 : 1);
