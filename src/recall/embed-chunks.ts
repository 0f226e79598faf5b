import type { Embedder, EmbedderSource } from '../models/embed.ts';
import type { LogIndex } from '../store/store.ts';

/**
 * How many chunks are embedded at a time: exactly one segment of the vector index, so that their vectors are written
 * to it directly.
 */
const batchChunks = 1_024;

/**
 * Embeds the chunks that have no vector. If the model is unavailable or the time is over, the rest is
 * done next time; until then, those chunks are found by lexical search only.
 */
export async function embedChunks(
  index: LogIndex,
  source: EmbedderSource | undefined,
  {
    maxEmbedded = Number.MAX_SAFE_INTEGER,
    isOver = () => false,
  }: { maxEmbedded?: number; isOver?(): boolean },
): Promise<void> {
  const embedder = await embedderOf(source);
  if (embedder === undefined) return;
  for (let embedded = 0; embedded < maxEmbedded; embedded += batchChunks) {
    const chunks = await index.unembedded(batchChunks);
    if (chunks.length === 0 || isOver()) return;
    const vectors = await embedder.embed(chunks.map(({ text }) => text));
    await index.storeVectors(chunks.map(({ row }, at) => ({ row, vector: vectors[at] as Float32Array })));
  }
}

/**
 * Loads the embedding model. Returns undefined if there is none or it cannot be loaded; recall's answer then says that
 * it searched without a model.
 */
export async function embedderOf(source: EmbedderSource | undefined): Promise<Embedder | undefined> {
  try {
    return await source?.();
  } catch {
    return undefined;
  }
}
