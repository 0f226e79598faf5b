import type { Chunk } from '../domain/chunk.ts';
import type { RecallQuery } from '../domain/hit.ts';
import { listNewest, type Search } from './gather.ts';

/** A prompt that is older is not the one that the agent answers now. Perhaps capture was paused since. */
const maxAgeMs = 60 * 60 * 1000;

/** Returns a test whether a chunk belongs to the turn in which the question is asked. */
export async function isInCurrentTurn(
  search: Pick<Search, 'index' | 'tail'>,
  { askingSession = '', now = 0 }: Pick<RecallQuery, 'askingSession' | 'now'>,
): Promise<(chunk: Chunk) => boolean> {
  if (askingSession === '') return () => false;
  const [prompt] = await listNewest(search, { agentSession: askingSession, kinds: ['prompt'] }, 1);
  if (prompt === undefined || now - prompt.at > maxAgeMs) return () => false;
  return ({ sourceId, turn }) => sourceId === prompt.sourceId || (turn !== '' && turn === prompt.turn);
}
