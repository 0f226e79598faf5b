import { type Chunk, type ChunkFilter, type ChunkKind, isSetAside } from '../domain/chunk.ts';
import { observationTypes } from '../domain/observation.ts';
import type { Evidence } from './evidence.ts';
import { matchesFilter } from './filter.ts';
import { filterOf, type RecallQuery } from './hit.ts';
import { type ObservedTurn, observationsOf } from './observations.ts';
import { byScore, type Ranked } from './rank.ts';

/** How many sessions are looked at for a question, and for a list. */
const maxFoundSessions = 60;
const maxListedSessions = 300;
const maxPrompts = 20_000;

/** A decision is a note already, so notes alone answer for decisions. */
const isOfTurn = (kind: ChunkKind): boolean =>
  kind !== 'decision' && (observationTypes as readonly string[]).includes(kind);

export const wantsObservations = ({ observations, kinds }: ChunkFilter): boolean =>
  kinds === undefined ? observations === true : kinds.some(isOfTurn);

/** A filter for the texts of turns. What is known of a whole turn cannot be asked of each of its texts. */
export const textsOfTurns = ({
  observations: _,
  kinds: __,
  file: ___,
  folder: ____,
  concept: _____,
  ...filter
}: ChunkFilter): ChunkFilter => filter;

/**
 * The hits of a turn become one, its observation, in the place of the best of them. If the question is about one
 * session, all of its turns follow.
 */
export async function asObservations(
  ranked: Ranked[],
  evidence: Evidence,
  query: RecallQuery,
  limit: number,
): Promise<Ranked[]> {
  const filter = filterOf(query);
  const events = ranked.filter(({ chunk }) => chunk.source === 'event');
  const sessions = [...new Set(events.map(({ chunk }) => chunk.agentSession))]
    .filter((id) => filter.agentSession === undefined || id === filter.agentSession)
    .slice(0, maxFoundSessions);
  const turns = new Map<string, ObservedTurn>();
  for (const session of sessions)
    for (const turn of await observationsOf(evidence, session))
      for (const id of turn.events) turns.set(id, turn);
  const others = filter.agentSession === undefined ? [] : await newestObservations(evidence, filter, limit);
  for (const turn of others) turns.set(turn.chunk.sourceId, turn);
  const found = new Map<string, Ranked>();
  for (const { chunk, ...one } of [...ranked, ...others.map(unfound)]) {
    const { observation, ...turn } = turns.get(chunk.sourceId) ?? { chunk };
    const hit = { ...one, chunk: turn.chunk, ...(observation && { observation }) };
    if (!found.has(hit.chunk.sourceId) && isShown(hit, filter)) found.set(hit.chunk.sourceId, hit);
  }
  return [...found.values()].sort(byScore);
}

const unfound = ({ chunk }: ObservedTurn): Ranked => ({ chunk, score: 0, why: {}, coverage: 0 });

/** Texts without a turn are no observations. What nobody has reviewed is shown as its turn, unless its kind is asked for. */
const isShown = ({ chunk, observation }: Ranked, filter: ChunkFilter): boolean =>
  matchesFilter(chunk, filter) &&
  (observation !== undefined ||
    (chunk.source === 'note' && (filter.kinds !== undefined || isStatement(chunk))));

export const isStatement = (chunk: Chunk): boolean =>
  chunk.kind !== 'summary' && !chunk.concepts.includes('candidate') && !isSetAside(chunk);

export async function newestObservations(
  evidence: Evidence,
  filter: ChunkFilter,
  limit: number,
): Promise<ObservedTurn[]> {
  const touched =
    filter.file === undefined
      ? await evidence.chunks({ ...textsOfTurns(filter), kinds: ['prompt'], source: 'event' }, maxPrompts)
      : await evidence.stepsOfFile(filter.file);
  const newest = new Map<string, number>();
  for (const { agentSession, at } of touched) if (!newest.has(agentSession)) newest.set(agentSession, at);
  let found: ObservedTurn[] = [];
  for (const [session, at] of [...newest].slice(0, maxListedSessions)) {
    const last = found[limit - 1];
    if (last !== undefined && last.observation.at >= at) break;
    const own = (await observationsOf(evidence, session)).filter(({ chunk }) => matchesFilter(chunk, filter));
    found = [...found, ...own].sort((a, b) => b.observation.at - a.observation.at);
  }
  return found.slice(0, limit);
}
