import type { Chunk } from '../../domain/chunk.ts';
import type { Note } from '../../domain/note.ts';
import { chunksOfEvent } from '../../recall/chunks.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import { readRows } from '../sessions/session-turns.ts';

/** The beginning of an event from which a note was extracted. */
export type NoteSource = Pick<Chunk, 'kind' | 'at' | 'agent' | 'agentSession' | 'text'> & {
  /** Event id. */
  id: string;
};

const maxSources = 12;
const maxSourceLength = 600;

/**
 * Returns the events from which a note was extracted, oldest first, without forgotten ones. An event that was replaced
 * by its copy in the transcript is read from the log.
 */
export async function sourcesOf(parts: RecallParts, { derivedFrom }: Note): Promise<NoteSource[]> {
  const wanted = derivedFrom.slice(0, maxSources);
  const chunks = await withIndex(withoutMeaning(parts), quickLimits, async (index) => {
    if (index === undefined) return [];
    const indexed = await index.get(wanted);
    const missing = wanted.filter((id) => indexed.every(({ sourceId }) => sourceId !== id));
    const rows = [...(await index.events(missing)).values()].filter(({ state }) => state === 'superseded');
    return [...indexed, ...[...readRows(parts.log, rows).values()].flatMap(chunksOfEvent)];
  });
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
