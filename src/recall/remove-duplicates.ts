import { type Chunk, isSetAside } from '../domain/chunk.ts';
import { withoutTopic } from '../text/note-text.ts';
import type { Ranked } from './rank.ts';

/**
 * Merges hits with the same text, such as a prompt that was sent twice, or a prompt and the note extracted from it. The
 * merged hit keeps the position of the best one, so a page does not depend on the hits of later pages.
 */
export function removeDuplicates(ranked: Ranked[]): Ranked[] {
  const noteTexts = ranked.filter(({ chunk }) => isUserNote(chunk)).map(({ chunk }) => comparableText(chunk));
  const groups = Map.groupBy(ranked, ({ chunk }) => {
    const text = comparableText(chunk);
    const isSentence = chunk.source === 'event' && text.length >= minSentenceLength;
    return (isSentence ? noteTexts.find((whole) => whole.includes(text)) : undefined) ?? text;
  });
  return [...groups.values()].map((group) => ({
    ...representativeOf(group),
    score: (group[0] as Ranked).score,
  }));
}

/**
 * If the text of an event is part of a note and at least this long, the two hits are merged. Shorter texts are part of
 * too many notes.
 */
const minSentenceLength = 20;

/** A note that quotes the user. */
const isUserNote = ({ source, kind, trust }: Chunk): boolean =>
  source === 'note' && trust >= 2 && (kind === 'decision' || kind === 'convention');

/**
 * Returns the text by which duplicates are recognised. A note that quotes the user has the topic of its session below
 * the quotation, which the prompt itself lacks, so the topic is left out.
 */
const comparableText = (chunk: Chunk): string =>
  (isUserNote(chunk) ? withoutTopic(chunk.text) : chunk.text).trim();

/**
 * Chooses the hit that represents a group of duplicates: the most trusted one; then a note, because a note has a
 * state; then one that is still valid.
 */
const representativeOf = (group: Ranked[]): Ranked =>
  group.reduce((best, one) => (preferenceOf(one.chunk) > preferenceOf(best.chunk) ? one : best));

const preferenceOf = (chunk: Chunk): number =>
  Math.min(chunk.trust, 2) * 4 + Number(chunk.source === 'note') * 2 + Number(!isSetAside(chunk));
