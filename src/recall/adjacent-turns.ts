import type { Chunk } from '../domain/chunk.ts';
import type { LogIndex, MessagePosition } from '../store/store.ts';
import type { AdjacentTurns } from './adjacency-score.ts';
import type { UnindexedEvents } from './unindexed-events.ts';

const turnsEachSide = 2;

const isSpoken = ({ kind }: Chunk): boolean => kind === 'prompt' || kind === 'answer';

/**
 * Whether a chunk belongs to the conversation: a prompt, an answer, or a sentence extracted from one, which has the
 * same place in it.
 */
const isOfTalk = (chunk: Chunk): boolean =>
  chunk.agentSession !== '' && (isSpoken(chunk) || chunk.kind === 'decision' || chunk.kind === 'rule');

/** The messages to which the chunks belong, without duplicates. */
export const placesOf = (chunks: Chunk[]): MessagePosition[] => [
  ...new Map(chunks.filter(isOfTalk).map((chunk) => [chunk.sourceId, chunk] as const)).values(),
];

/**
 * Finds the messages before and after each place in a conversation. It searches the index and also the events that are
 * not indexed yet, because the conversation may continue there.
 */
export async function adjacentTurns(
  places: MessagePosition[],
  {
    index,
    tail,
    around,
    isGone,
  }: {
    index: LogIndex | undefined;
    tail: UnindexedEvents;
    around: Map<string, MessagePosition[]>;
    isGone: (place: MessagePosition) => boolean;
  },
): Promise<AdjacentTurns[]> {
  const inTail = [...tail.replay.put.values()].flatMap(([first]) =>
    first !== undefined && isSpoken(first) ? [first] : [],
  );
  const links = new Map<string, AdjacentTurns>();
  const link = (before: MessagePosition, after: MessagePosition, between?: MessagePosition) => {
    const far = between === undefined ? {} : { between: between.sourceId };
    const found = { before: before.sourceId, after: after.sourceId, ...far };
    links.set(`${found.before} ${found.after}`, found);
  };
  for (const place of places) {
    const known = around.get(place.sourceId) ?? (await index?.adjacentMessages(place, turnsEachSide)) ?? [];
    around.set(place.sourceId, known);
    const line = [
      ...known.filter((other) => !isGone(other)),
      ...inTail.filter(
        ({ agentSession, sourceId }) => agentSession === place.agentSession && sourceId !== place.sourceId,
      ),
      place,
    ].sort((a, b) => a.at - b.at || (a.sourceId < b.sourceId ? -1 : 1));
    const here = line.indexOf(place);
    const [first, previous, next, last] = [-2, -1, 1, 2].map((step) => line[here + step]);
    if (previous !== undefined) link(previous, place);
    if (next !== undefined) link(place, next);
    if (first !== undefined) link(first, place, previous);
    if (last !== undefined) link(place, last, next);
  }
  return [...links.values()];
}

/**
 * Returns the first chunk of each message. That is enough, because an adjacent message is ranked by its position and
 * not by matching words.
 */
export async function firstSlices(
  ids: string[],
  { index, tail }: { index: LogIndex | undefined; tail: UnindexedEvents },
): Promise<Chunk[]> {
  const first = new Map<string, Chunk>();
  const indexed = (await index?.get(ids)) ?? [];
  for (const chunk of [...indexed, ...ids.flatMap((id) => tail.replay.put.get(id) ?? [])]) {
    if (isSpoken(chunk) && !first.has(chunk.sourceId)) first.set(chunk.sourceId, chunk);
  }
  return [...first.values()];
}
