import { type Chunk, isSetAside } from '../domain/chunk.ts';
import type { Ranked } from './rank.ts';

/**
 * Merges hits with the same text, such as a prompt that was sent twice, or a prompt and the note
 * extracted from it. The merged hit keeps the position of the best one, so a page does not depend on the hits of later
 * pages, and lists the other places.
 */
export function removeDuplicates(ranked: Ranked[]): Ranked[] {
  const noteTexts = ranked.filter(({ chunk }) => isUserNote(chunk)).map(({ chunk }) => comparableText(chunk));
  const textOf = (chunk: Chunk): string => {
    const own = comparableText(chunk);
    const isSentence = chunk.source === 'event' && own.length >= minSentenceLength;
    return (isSentence ? noteTexts.find((whole) => whole.includes(own)) : undefined) ?? own;
  };
  return [...Map.groupBy(ranked, ({ chunk }) => textOf(chunk)).values()].map((members) => {
    const best = representativeOf(members);
    const others = members.filter(({ chunk }) => chunk.sourceId !== best.chunk.sourceId);
    return {
      ...best,
      score: (members[0] as Ranked).score,
      ...(others.length === 0 ? {} : { copies: others.map(({ chunk }) => chunk) }),
    };
  });
}

/** An event whose text is part of a note is merged with it. Shorter texts are part of too many notes. */
const minSentenceLength = 20;

const isUserNote = ({ source, kind, trust }: Chunk): boolean =>
  source === 'note' && trust >= 2 && (kind === 'decision' || kind === 'rule');

/** The text by which duplicates are recognised: its words, without case and punctuation. */
function comparableText(chunk: Chunk): string {
  const words = chunk.text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  return words === '' ? chunk.text.trim() : words;
}

/** The most trusted one; then a note, because a note has a state; then one that is still valid. */
const representativeOf = (group: Ranked[]): Ranked =>
  group.reduce((best, one) => (preferenceOf(one.chunk) > preferenceOf(best.chunk) ? one : best));

const preferenceOf = (chunk: Chunk): string =>
  [Math.min(chunk.trust, 2), Number(chunk.source === 'note'), Number(!isSetAside(chunk))].join();
