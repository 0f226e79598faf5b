import { largest } from '../base/largest.ts';
import { type Chunk, type ChunkFilter, searchedText } from '../domain/chunk.ts';
import type { Embedder, EmbedderSource } from '../models/embed.ts';
import type { LogIndex } from '../store/store.ts';
import type { ArmState } from './hit.ts';

/** The embeddings of a question, one for each wording; zeros if the model does not know its words. */
export interface Meaning {
  embedder: Embedder;
  vectors: Float32Array[];
}

/** `meaning` is missing if there is no model, it fails, or it does not know the question's language. */
export async function meaningOf(
  source: EmbedderSource | undefined,
  texts: string[],
): Promise<{ meaning?: Meaning; state: ArmState }> {
  if (source === undefined) return { state: 'unused' };
  const embedder = await embedderOf(source);
  const vectors = await embedder?.embed(texts).catch(() => undefined);
  if (embedder === undefined || vectors === undefined) return { state: 'failed' };
  return vectors.some((vector) => vector.some((number) => number !== 0))
    ? { meaning: { embedder, vectors }, state: 'empty' }
    : { state: 'unused' };
}

const nearestCount = 100;
const nearestPerWording = 30;
/** How many unindexed chunks are embedded during a query. The others are found by words only. */
const maxEmbeddedPerQuery = 200;

/** Minimum similarity of a chunk to the question. In a small memory even the nearest chunk may be unrelated. */
const minNearness = 0.12;

/** Chunks near a question in embedding space, with their cosine similarity to each wording by chunk id. */
export async function nearMeaning(
  { embedder, vectors }: Meaning,
  {
    index,
    tail,
    filter,
    wanted,
  }: { index: LogIndex | undefined; tail: Chunk[]; filter: ChunkFilter; wanted: string[] },
) {
  const indexed =
    (await index?.nearest({
      vectors,
      filter,
      limit: vectors.length === 1 ? nearestCount : nearestPerWording,
      wanted,
    })) ?? [];
  const isWanted = new Set(wanted);
  const newest = tail.slice(0, maxEmbeddedPerQuery);
  const embedded = await embedder.embed(newest.map(searchedText));
  const found = [
    ...indexed,
    ...newest.map((chunk, at) => ({
      chunk,
      scores: vectors.map((vector) => cosine(vector, embedded[at] as Float32Array)),
    })),
  ].filter(({ chunk, scores }) => {
    const score = largest(scores);
    return score >= minNearness || (score > 0 && isWanted.has(chunk.id));
  });
  return {
    chunks: found.map(({ chunk }) => chunk),
    scores: new Map(found.map(({ chunk, scores }) => [chunk.id, scores])),
  };
}

export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

/** Undefined if there is no model or it cannot be loaded. The answer then says that none was used. */
export async function embedderOf(source: EmbedderSource | undefined): Promise<Embedder | undefined> {
  try {
    return await source?.();
  } catch {
    return undefined;
  }
}
