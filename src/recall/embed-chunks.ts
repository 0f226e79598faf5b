import type { Embedder, EmbedderSource } from '../models/embed.ts';
import type { VectorIndex } from '../store/store.ts';

/** What fills a segment of the index at once, which spares it the way through the waiting rows. */
const batchChunks = 1_024;

/**
 * Lets the model embed the chunks that it has not seen. What cannot be done now, because the model is not there
 * or the time is over, is done the next time; words find everything meanwhile.
 */
export async function embedChunks(
  index: VectorIndex,
  source: EmbedderSource | undefined,
  {
    maxEmbedded = Number.MAX_SAFE_INTEGER,
    isOver = () => false,
  }: { maxEmbedded?: number; isOver?(): boolean },
): Promise<void> {
  const embedder = await embedderOf(source);
  if (embedder === undefined) return;
  const [any] = await index.unembedded(embedder.id, 1);
  if (any === undefined) return;
  await index.keepOnlyModel(embedder.id);
  for (let embedded = 0; embedded < maxEmbedded; embedded += batchChunks) {
    const chunks = await index.unembedded(embedder.id, batchChunks);
    if (chunks.length === 0 || isOver()) return;
    const vectors = await embedder.embed(chunks.map(({ text }) => text));
    await index.storeVectors(
      embedder,
      chunks.map(({ row }, at) => ({ row, vector: vectors[at] as Float32Array })),
    );
  }
}

/** Undefined where there is none or it cannot be reached; whoever asks says so in the answer. */
export async function embedderOf(source: EmbedderSource | undefined): Promise<Embedder | undefined> {
  try {
    return await source?.();
  } catch {
    return undefined;
  }
}
