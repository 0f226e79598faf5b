import type { Chunk } from '../domain/chunk.ts';
import type { Hit } from '../domain/hit.ts';
import { isGone, type Search } from './gather.ts';
import { likeTurns, type TurnPlace } from './like-turns.ts';
import type { Ranked } from './rank.ts';
import { unindexedChunks } from './unindexed-events.ts';

/**
 * People change their minds: "uploads up to 10 MB", and a week later "make it 25". A question matches the first prompt
 * better, because the second one names hardly anything. So the best hits are shown together with later prompts of the
 * user on the same thing. The order of the hits stays as it is: a later prompt is usually no change, and ranking it first
 * costs more right answers than it corrects.
 *
 * Candidates are the later prompts that the question also found, by their share of the hit's score, and the next prompts
 * of the same session: most changes of mind follow within three prompts.
 */
export async function withLaterTurns(hits: Hit[], ranked: Ranked[], search: Search): Promise<Hit[]> {
  if (search.question.isLookup) return hits;
  const best = hits.slice(0, maxHits);
  const placeOf = await placesOfHits(best, search);
  const found = ranked.slice(0, maxFound).filter(({ chunk }) => isPrompt(chunk));
  const like = likeTurns(ranked, search);
  const shown = new Set<string>();
  const withLater: Hit[] = [];
  for (const hit of best) {
    shown.add(hit.chunk.sourceId);
    const place = placeOf(hit.chunk);
    const later =
      place === undefined
        ? []
        : [
            ...(await like.lastAfter(place)),
            ...(await laterPrompts(hit, place, found, search)).slice(0, maxShown),
          ];
    const fresh = [...new Map(later.map((one) => [one.sourceId, one])).values()]
      .filter(({ sourceId }) => !shown.has(sourceId))
      .slice(0, maxShown);
    for (const { sourceId } of fresh) shown.add(sourceId);
    const newestFirst = fresh.sort((a, b) => b.at - a.at);
    withLater.push(newestFirst.length === 0 ? hit : { ...hit, later: newestFirst });
  }
  return [...withLater, ...hits.slice(maxHits)];
}

/** How many of the best hits get later prompts, how many each, and from how many ranked texts they are chosen. */
const maxHits = 3;
const maxShown = 3;
const maxFound = 60;
/** How many of the next prompts of a session are looked at, and what the first of them counts. */
const maxNext = 3;
const nextWeight = 0.5;
/** Minimum sum of the share of the hit's score and the weight of the position. The very next prompt always has it. */
const minSum = 0.5;

/** Prompts after this place, the likeliest to be about the same thing first. */
async function laterPrompts(
  { score }: Hit,
  place: TurnPlace,
  found: Ranked[],
  search: Search,
): Promise<Chunk[]> {
  const sums = new Map<string, { chunk: Chunk; sum: number }>();
  for (const { chunk, score: own } of found)
    if (chunk.at > place.at && !sums.has(chunk.sourceId))
      sums.set(chunk.sourceId, { chunk, sum: own / Math.max(score, Number.MIN_VALUE) });
  for (const [at, chunk] of (await nextPrompts(place, search)).entries()) {
    const known = sums.get(chunk.sourceId);
    const near = nextWeight / (at + 1);
    sums.set(chunk.sourceId, { chunk: known?.chunk ?? chunk, sum: (known?.sum ?? 0) + near });
  }
  return [...sums.values()]
    .filter(({ sum }) => sum >= minSum)
    .sort((a, b) => b.sum - a.sum)
    .map(({ chunk }) => chunk);
}

/** A long prompt has several chunks, of which the first is enough. */
const maxChunksPerPrompt = 4;

async function nextPrompts({ agentSession, at }: TurnPlace, search: Search): Promise<Chunk[]> {
  const { index, tail } = search;
  if (agentSession === '') return [];
  const filter = { agentSession, kinds: ['prompt' as const], since: at + 1 };
  const indexed = ((await index?.list(filter, maxNext * maxChunksPerPrompt, 'oldest')) ?? []).filter(
    (chunk) => !isGone(tail, chunk),
  );
  const prompts = [...indexed, ...unindexedChunks(tail, filter)].filter(isPrompt);
  return [...Map.groupBy(prompts, ({ sourceId }) => sourceId).values()]
    .flatMap(([first]) => first ?? [])
    .sort((a, b) => a.at - b.at)
    .slice(0, maxNext);
}

/** A prompt of the user. The prompt of a subagent was written by an agent. */
const isPrompt = ({ kind, origin }: Chunk): boolean => kind === 'prompt' && origin === 'user';

/** The position of each hit in its session. A note has that of the event from which it was extracted first. */
async function placesOfHits(
  hits: Hit[],
  { index, tail }: Search,
): Promise<(chunk: Chunk) => TurnPlace | undefined> {
  const notes = hits.filter(({ chunk }) => chunk.source === 'note' && chunk.kind !== 'summary');
  const ties =
    notes.length === 0 ? undefined : await index?.noteTies(notes.map(({ chunk }) => chunk.sourceId));
  const firstSource = (note: string): string =>
    (ties?.get(note) ?? tail.notes.get(note))?.derivedFrom[0] ?? '';
  const events = await index?.events(notes.map(({ chunk }) => firstSource(chunk.sourceId)).filter(Boolean));
  return (chunk) => {
    if (chunk.source === 'event') return chunk;
    const id = firstSource(chunk.sourceId);
    return events?.get(id) ?? tail.replay.rows.get(id);
  };
}
