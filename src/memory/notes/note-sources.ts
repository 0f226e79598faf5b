import type { Chunk } from '../../domain/chunk.ts';
import type { Note } from '../../domain/note.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';

/** The beginning of an event from which a note was extracted. */
export type NoteSource = Pick<Chunk, 'kind' | 'at' | 'agent' | 'agentSession' | 'text'> & {
  /** Event id. */
  id: string;
};

const maxSources = 12;
const maxSourceLength = 600;

/** Returns the events from which a note was extracted, oldest first, without forgotten ones. */
export async function sourcesOf(parts: RecallParts, { derivedFrom }: Note): Promise<NoteSource[]> {
  const wanted = derivedFrom.slice(0, maxSources);
  const chunks = await withIndex(
    withoutMeaning(parts),
    quickLimits,
    async (index) => (await index?.get(wanted)) ?? [],
  );
  const first = new Map<string, Chunk>();
  for (const chunk of chunks)
    if (chunk.source === 'event' && !first.has(chunk.sourceId)) first.set(chunk.sourceId, chunk);
  return [...first.values()]
    .sort((a, b) => a.at - b.at)
    .map(({ sourceId, kind, at, agent, agentSession, text }) => ({
      id: sourceId,
      kind,
      at,
      agent,
      agentSession,
      text: text.slice(0, maxSourceLength),
    }));
}
