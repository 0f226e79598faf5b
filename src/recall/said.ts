import type { Chunk } from '../domain/chunk.ts';
import type { Said } from '../domain/failed-path.ts';

export const said = (chunk: Chunk): Said => ({
  id: chunk.id,
  at: chunk.at,
  by: chunk.origin === 'user' ? 'user' : chunk.origin === 'assistant' ? 'agent' : 'tool',
  text: chunk.text,
});
