import { compareTexts } from '../base/compare-texts.ts';
import type { Chunk } from '../domain/chunk.ts';
import { isFromOutside } from '../domain/event.ts';
import type { MessagePosition } from '../store/store.ts';
import type { Source } from './rank.ts';
import { isGone, type Searched } from './unindexed-events.ts';
import { rankingWeights as weights } from './weights.ts';

/** Two neighbouring messages of one agent session, in the order of the conversation, by the ids of their events. */
export interface AdjacentTurns {
  before: string;
  after: string;
}

/**
 * An answer seldom repeats the words of its prompt, so a message next to a match may be relevant without matching.
 * Each source (an event or note) adds a share of its own score to its neighbours of the other side. Shares are computed
 * from the original scores, so they do not spread to the neighbours of neighbours. Two messages of an agent share nothing:
 * while it works it writes many about the same thing, and together they would displace the one that answers.
 */
export function scoreAdjacentTurns(sources: Map<string, Source>, neighbours: AdjacentTurns[]): void {
  const own = new Map([...sources.values()].map(({ id, score }) => [id, score]));
  const lend = (from: Source, to: Source, share: number) => {
    const lent = share * (own.get(from.id) as number);
    if (lent === 0) return;
    to.score += lent;
    to.why.neighbours = (to.why.neighbours ?? 0) + lent;
  };
  for (const { before, after } of neighbours) {
    const [first, second] = [sources.get(before), sources.get(after)];
    if (first === undefined || second === undefined || isFromUser(first) === isFromUser(second)) continue;
    if (isFromUser(first)) {
      lend(first, second, weights.promptToAnswer);
      lend(second, first, weights.answerToPrompt);
    } else {
      lend(first, second, weights.answerToNextPrompt);
    }
  }
}

const isFromUser = ({ best }: Source): boolean => isFromOutside(best.chunk.origin);

const messagesEachSide = 1;

const isSpoken = ({ kind }: Chunk): boolean => kind === 'prompt' || kind === 'answer';

/** A sentence that was extracted from a prompt or an answer has the same place in the conversation. */
const isOfTalk = (chunk: Chunk): boolean =>
  chunk.agentSession !== '' && (isSpoken(chunk) || chunk.kind === 'decision' || chunk.kind === 'rule');

export const placesOf = (chunks: Chunk[]): MessagePosition[] => [
  ...new Map(chunks.filter(isOfTalk).map((chunk) => [chunk.sourceId, chunk] as const)).values(),
];

export async function adjacentTurns(
  places: MessagePosition[],
  { index, tail }: Searched,
): Promise<AdjacentTurns[]> {
  const inTail = [...tail.replay.put.values()].flatMap(([first]) =>
    first !== undefined && isSpoken(first) ? [first] : [],
  );
  const links: AdjacentTurns[] = [];
  for (const place of places) {
    const indexed = (await index?.adjacentMessages(place, messagesEachSide)) ?? [];
    const line = [
      ...indexed.filter((other) => !isGone(tail, other)),
      ...inTail.filter(
        ({ agentSession, sourceId }) => agentSession === place.agentSession && sourceId !== place.sourceId,
      ),
      place,
    ].sort((a, b) => a.at - b.at || compareTexts(a.sourceId, b.sourceId));
    const here = line.indexOf(place);
    const [previous, next] = [line[here - 1], line[here + 1]];
    if (previous !== undefined) links.push({ before: previous.sourceId, after: place.sourceId });
    if (next !== undefined) links.push({ before: place.sourceId, after: next.sourceId });
  }
  return links;
}

/** The first chunk of each is enough, because an adjacent message is ranked by its position. */
export async function firstSlices(ids: string[], { index, tail }: Searched): Promise<Chunk[]> {
  const first = new Map<string, Chunk>();
  const indexed = (await index?.get(ids)) ?? [];
  for (const chunk of [...indexed, ...ids.flatMap((id) => tail.replay.put.get(id) ?? [])]) {
    if (isSpoken(chunk) && !first.has(chunk.sourceId)) first.set(chunk.sourceId, chunk);
  }
  return [...first.values()];
}
