import { SpanKind, type Tracer } from '@opentelemetry/api';
import type { Embedder } from '../models/embed.ts';
import { inSpan } from './span.ts';

/** Makes a span of each embedding, with the model and the number of texts. */
export const traceEmbedder = (embedder: Embedder, tracer: Tracer): Embedder => ({
  id: embedder.id,
  dims: embedder.dims,
  embed: (texts) =>
    inSpan(
      tracer,
      `embeddings ${embedder.id}`,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': 'embeddings',
          'gen_ai.request.model': embedder.id,
          'backstory.texts': texts.length,
        },
      },
      () => embedder.embed(texts),
    ),
});
