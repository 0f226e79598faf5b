import { type Chunk, isSetAside } from '../domain/chunk.ts';
import { queryTerms } from '../text/words.ts';
import type { Search } from './gather.ts';
import type { Ranked } from './rank.ts';

const maxHits = 40;

/**
 * A topic (see ADR 50) answers before the messages from which its statement was made, and together with its past: the
 * superseded statements on the topic are shown with the current one and are no hits of their own.
 */
export async function topicsFirst(ranked: Ranked[], { index, tail }: Search): Promise<Ranked[]> {
  const current = ranked.slice(0, maxHits).filter(({ chunk }) => isCurrent(chunk));
  if (current.length === 0) return ranked;
  const ids = current.map(({ chunk }) => chunk.sourceId);
  const ties = await index?.noteTies(ids);
  const earlierOf = Map.groupBy(
    ranked.filter(({ chunk }) => chunk.topic !== undefined && isSetAside(chunk)),
    ({ chunk }) => topicKey(chunk),
  );
  const statements = new Map(
    current.map((one) => {
      const earlier = (earlierOf.get(topicKey(one.chunk)) ?? [])
        .map(({ chunk }) => chunk)
        .sort((a, b) => b.at - a.at);
      return [one.chunk.sourceId, earlier.length === 0 ? one : { ...one, earlier }] as const;
    }),
  );
  const statementOf = new Map<string, string>();
  for (const id of ids)
    for (const from of (ties?.get(id) ?? tail.notes.get(id))?.derivedFrom ?? [])
      if (!statementOf.has(from)) statementOf.set(from, id);
  const moved = new Set<string>();
  const past = new Set([...statements.values()].flatMap(({ earlier }) => earlier ?? []).map(({ id }) => id));
  return ranked.flatMap((one): Ranked[] => {
    if (past.has(one.chunk.id)) return [];
    const id = statements.has(one.chunk.sourceId) ? one.chunk.sourceId : statementOf.get(one.chunk.sourceId);
    const statement = id === undefined || moved.has(id) ? undefined : statements.get(id);
    if (id !== undefined) moved.add(id);
    const own = statements.has(one.chunk.sourceId) ? [] : [one];
    // A statement that moves up gets the score of the hit that it replaces, because scores decrease along the list.
    return statement === undefined
      ? own
      : [{ ...statement, score: Math.max(one.score, statement.score) }, ...own];
  });
}

const isCurrent = (chunk: Chunk): boolean =>
  chunk.source === 'note' && chunk.topic !== undefined && !isSetAside(chunk);

const topicKey = ({ topic = '' }: Chunk): string => [...new Set(queryTerms(topic).terms)].sort().join(' ');
