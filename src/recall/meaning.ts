import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { ArmState } from '../domain/hit.ts';
import type { Embedder, EmbedderSource } from '../models/embed.ts';
import type { LogIndex } from '../store/store.ts';
import { embedderOf } from './embed-chunks.ts';
import { asWords } from './question.ts';

/** A question as a point among the texts. */
export interface Meaning {
  embedder: Embedder;
  vector: Float32Array;
}

/** What is near a question in meaning, by chunk id; the way of finding that needs no word in common. */
export interface NearMeaning {
  chunks: Chunk[];
  scores: Map<string, number>;
}

/** Undefined when there is no model, it cannot be reached, or the question is in no language it knows. */
export async function meaningOf(
  source: EmbedderSource | undefined,
  text: string,
): Promise<{ meaning?: Meaning; state: ArmState }> {
  if (source === undefined) return { state: 'unused' };
  const embedder = await embedderOf(source);
  const vector = embedder && (await embedder.embed([asWords(text)]).catch(() => undefined))?.[0];
  if (embedder === undefined || vector === undefined) return { state: 'failed' };
  return vector.some((number) => number !== 0)
    ? { meaning: { embedder, vector }, state: 'empty' }
    : { state: 'unused' };
}

const nearestCount = 100;
/** The newest, not indexed yet, are embedded on the spot; a longer tail waits for the index. */
const maxOnTheSpot = 200;

/** In a small memory something is always nearest; below this it has nothing to do with the question. */
const minNearness = 0.12;

export async function nearMeaning(
  { embedder, vector }: Meaning,
  {
    index,
    tail,
    filter,
    wanted,
  }: { index: LogIndex | undefined; tail: Chunk[]; filter: ChunkFilter; wanted: string[] },
): Promise<NearMeaning> {
  const indexed =
    (await index?.nearest({ model: embedder.id, vector, filter, limit: nearestCount, wanted })) ?? [];
  const isWanted = new Set(wanted);
  const newest = tail.slice(0, maxOnTheSpot);
  const embedded = await embedder.embed(newest.map(({ text }) => text));
  const found = [
    ...indexed,
    ...newest.map((chunk, at) => ({ chunk, score: cosine(vector, embedded[at] as Float32Array) })),
  ].filter(({ chunk, score }) => score >= minNearness || (score > 0 && isWanted.has(chunk.id)));
  return {
    chunks: found.map(({ chunk }) => chunk),
    scores: new Map(found.map(({ chunk, score }) => [chunk.id, score])),
  };
}

function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number);
  return sum;
}
