import { type Chunk, type ChunkFilter, type ChunkKind, isSetAside } from '../domain/chunk.ts';
import { filterOf, type RecallQuery } from '../domain/hit.ts';
import { observationTypes, typeAliases } from '../domain/observation.ts';
import { queryTerms } from '../text/words.ts';
import type { Evidence } from './evidence.ts';
import { matchesFilter } from './filter.ts';
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

const lastSession = /\b(?:last|previous|latest) session\b/i;

/**
 * The hits of a turn become one, its observation, in the place of the best of them. A type that the question
 * names comes first, also if none of its texts was found: "which bugs did we fix" need not be in them. A question about
 * the last session is answered from all of its turns.
 */
export async function asObservations(
  ranked: Ranked[],
  evidence: Evidence,
  query: RecallQuery,
  terms: string[],
  limit: number,
): Promise<Ranked[]> {
  const { askingSessions = [], text } = query;
  const filter = filterOf(query);
  if (lastSession.test(text) && filter.agentSession === undefined) {
    const prompts = await evidence.chunks({ kinds: ['prompt'], source: 'event' }, maxPrompts);
    const last = prompts.find(({ agentSession }) => !askingSessions.includes(agentSession));
    if (last !== undefined) filter.agentSession = last.agentSession;
  }
  const named = observationTypes.filter((type) => namesOf(type).some((term) => terms.includes(term)));
  const events = ranked.filter(({ chunk }) => chunk.source === 'event');
  const sessions = [...new Set(events.map(({ chunk }) => chunk.agentSession))]
    .filter((id) => filter.agentSession === undefined || id === filter.agentSession)
    .slice(0, maxFoundSessions);
  const turns = new Map<string, ObservedTurn>();
  for (const session of sessions)
    for (const turn of await observationsOf(evidence, session))
      for (const id of turn.events) turns.set(id, turn);
  const kinds = named.filter((type) => filter.kinds?.includes(type) !== false);
  const isWhole = filter.agentSession !== undefined;
  const others =
    isWhole || kinds.length > 0
      ? await newestObservations(evidence, isWhole ? filter : { ...filter, kinds }, limit)
      : [];
  const notes = kinds.length === 0 ? [] : await evidence.chunks({ ...filter, kinds, source: 'note' }, limit);
  const found = new Map<string, Ranked>();
  for (const { chunk, ...one } of [
    ...ranked,
    ...[...others.map(({ chunk }) => chunk), ...notes].map(unfound),
  ]) {
    const turn = turns.get(chunk.sourceId) ?? others.find((other) => other.chunk === chunk);
    const hit: Ranked = turn === undefined ? { ...one, chunk } : { ...one, ...turnOnly(turn) };
    const isNamed = (named as ChunkKind[]).includes(hit.chunk.kind);
    if (found.has(hit.chunk.sourceId) || !isShown(hit, filter, isNamed)) continue;
    const bonus = isNamed ? { score: hit.score + 1, why: { ...hit.why, type: 1 } } : {};
    found.set(hit.chunk.sourceId, { ...hit, ...bonus });
  }
  return [...found.values()].sort(byScore);
}

const unfound = (chunk: Chunk): Ranked => ({ chunk, score: 0, why: {}, coverage: 0 });

const turnOnly = ({ chunk, observation }: ObservedTurn) => ({ chunk, observation });

const namesOf = (type: string): string[] =>
  queryTerms([type, ...Object.keys(typeAliases).filter((name) => typeAliases[name] === type)].join(' '))
    .terms;

/** Texts without a turn are no observations. What nobody has reviewed is shown as its turn, unless its kind is asked for. */
const isShown = ({ chunk, observation }: Ranked, filter: ChunkFilter, isNamed: boolean): boolean =>
  matchesFilter(chunk, filter) &&
  (observation !== undefined ||
    (chunk.source === 'note' && (isNamed || filter.kinds !== undefined || isStatement(chunk))));

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
    if ((found[limit - 1]?.observation.at ?? 0) > at) break;
    const own = (await observationsOf(evidence, session)).filter(({ chunk }) => matchesFilter(chunk, filter));
    found = [...found, ...own].sort((a, b) => b.observation.at - a.observation.at);
  }
  return found.slice(0, limit);
}
