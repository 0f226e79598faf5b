import type { Tracer } from '../base/trace.ts';
import type { Embedder } from './embed.ts';

/** Each embedding as a span: of how many texts, by which model. */
export const traceEmbedder = (embedder: Embedder, tracer: Tracer): Embedder => ({
  id: embedder.id,
  dims: embedder.dims,
  embed: (texts) =>
    tracer.inSpan(
      {
        name: `embeddings ${embedder.id}`,
        kind: 'client',
        attributes: {
          'gen_ai.operation.name': 'embeddings',
          'gen_ai.request.model': embedder.id,
          'backstory.texts': texts.length,
        },
      },
      () => embedder.embed(texts),
    ),
});
