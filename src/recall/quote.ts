import type { Chunk } from '../domain/chunk.ts';
import type { Quote } from '../domain/failed-path.ts';

export const quoteOf = (chunk: Chunk): Quote => ({
  id: chunk.id,
  at: chunk.at,
  by: chunk.origin === 'user' ? 'user' : chunk.origin === 'assistant' ? 'agent' : 'tool',
  text: chunk.text,
});
