import type { Chunk } from '../../domain/chunk.ts';
import type { Note } from '../../domain/note.ts';
import { chunksOfEvent } from '../../recall/chunks.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import { readRows } from '../sessions/session-turns.ts';

/** The beginning of an event from which a note was extracted. */
export type NoteSource = Pick<Chunk, 'kind' | 'at' | 'agent' | 'agentSession' | 'branch' | 'text'> & {
  id: string;
};

export const maxSources = 12;
const maxSourceLength = 600;

/**
 * Returns the events from which a note was extracted, oldest first, without forgotten ones. An event that was replaced
 * by its copy in the transcript is read from the log.
 */
export const sourcesOf = async (parts: RecallParts, { derivedFrom }: Note): Promise<NoteSource[]> =>
  [...(await findSources(parts, derivedFrom.slice(0, maxSources))).values()].sort((a, b) => a.at - b.at);

export async function findSources(parts: RecallParts, ids: string[]): Promise<Map<string, NoteSource>> {
  const wanted = [...new Set(ids)];
  const chunks = await withIndex(withoutMeaning(parts), quickLimits, async (index) => {
    if (index === undefined) return [];
    const indexed = await index.get(wanted);
    const missing = wanted.filter((id) => indexed.every(({ sourceId }) => sourceId !== id));
    const rows = [...(await index.events(missing)).values()].filter(({ state }) => state === 'superseded');
    return [...indexed, ...[...readRows(parts.log, rows).values()].flatMap(chunksOfEvent)];
  });
  const found = new Map<string, NoteSource>();
  for (const { source, sourceId, kind, at, agent, agentSession, branch, text } of chunks)
    if (source === 'event' && !found.has(sourceId))
      found.set(sourceId, {
        id: sourceId,
        kind,
        at,
        agent,
        agentSession,
        branch,
        text: text.slice(0, maxSourceLength),
      });
  return found;
}

/** Of the events that a note was made from, the first prompt or, if there is none, the first event. */
export function sourceFrom(sources: Map<string, NoteSource>, ids: string[]): { source?: NoteSource } {
  const found = ids.flatMap((id) => sources.get(id) ?? []);
  const source = found.find(({ kind }) => kind === 'prompt') ?? found[0];
  return source === undefined ? {} : { source };
}
