import { type Chunk, isSetAside } from '../domain/chunk.ts';
import { withoutTopic } from '../text/note-text.ts';
import type { Ranked } from './rank.ts';

/**
 * The same words are one hit, however often and in whatever form they were kept: a prompt that was sent twice, or a
 * prompt and the note that was drawn from it. It stands where the best of them does, so that a page of hits does not
 * depend on what a later page brings to light.
 */
export function removeDuplicates(ranked: Ranked[]): Ranked[] {
  const noted = ranked.filter(({ chunk }) => isOwnWords(chunk)).map(({ chunk }) => saidIn(chunk));
  const groups = Map.groupBy(ranked, ({ chunk }) => {
    const said = saidIn(chunk);
    const isSentence = chunk.source === 'event' && said.length >= minOfNote;
    return (isSentence ? noted.find((whole) => whole.includes(said)) : undefined) ?? said;
  });
  return [...groups.values()].map((group) => ({ ...speakerOf(group), score: (group[0] as Ranked).score }));
}

/** A sentence that stands in a note as it was said; what is shorter stands in many. */
const minOfNote = 20;

const isOwnWords = ({ source, kind, trust }: Chunk): boolean =>
  source === 'note' && trust >= 2 && (kind === 'decision' || kind === 'convention');

/** A note of the user's own words says below them what they were said about. */
const saidIn = (chunk: Chunk): string => (isOwnWords(chunk) ? withoutTopic(chunk.text) : chunk.text).trim();

/** Whose word counts most; among equals a note, because it knows whether it still holds, and one that does. */
const speakerOf = (group: Ranked[]): Ranked =>
  group.reduce((best, one) => (weightOf(one.chunk) > weightOf(best.chunk) ? one : best));

const weightOf = (chunk: Chunk): number =>
  Math.min(chunk.trust, 2) * 4 + Number(chunk.source === 'note') * 2 + Number(!isSetAside(chunk));
