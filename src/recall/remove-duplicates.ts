import { type Chunk, isSetAside } from '../domain/chunk.ts';
import { withoutTopic } from '../text/note-text.ts';
import type { Ranked } from './rank.ts';

/**
 * Merges hits with the same or nearly the same text, such as a prompt that was sent twice, or a prompt and the note
 * extracted from it. The merged hit keeps the position of the best one, so a page does not depend on the hits of later
 * pages, and lists the other places.
 */
export function removeDuplicates(ranked: Ranked[]): Ranked[] {
  const noteTexts = ranked.filter(({ chunk }) => isUserNote(chunk)).map(({ chunk }) => comparableText(chunk));
  const groups = new Map<string, Group>();
  const groupsByText = new Map<string, Group>();
  const groupOf = (chunk: Chunk): Group => {
    const same = groupsByText.get(chunk.text);
    if (same !== undefined) return same;
    const own = groups.size < maxCompared ? comparableText(chunk) : chunk.text;
    const isSentence = chunk.source === 'event' && own.length >= minSentenceLength;
    const text = (isSentence ? noteTexts.find((whole) => whole.includes(own)) : undefined) ?? own;
    const group = groups.get(text) ?? similarGroup(groups, text) ?? { members: [] };
    if (group.members.length === 0) groups.set(text, group);
    groupsByText.set(chunk.text, group);
    return group;
  };
  for (const one of ranked) groupOf(one.chunk).members.push(one);
  return [...groups.values()].map(({ members }) => {
    const best = representativeOf(members);
    const others = members.filter(({ chunk }) => chunk.sourceId !== best.chunk.sourceId);
    return {
      ...best,
      score: (members[0] as Ranked).score,
      ...(others.length === 0 ? {} : { copies: others.map(({ chunk }) => chunk) }),
    };
  });
}

interface Group {
  members: Ranked[];
  /** The words of the text, computed when first needed. */
  words?: Set<string>;
}

/**
 * If the text of an event is part of a note and at least this long, the two hits are merged. Shorter texts are part of
 * too many notes.
 */
const minSentenceLength = 20;

/** Only long texts are compared word by word: in a short one, a single other word changes what it says. */
const minSimilarLength = 240;
const minSharedWords = 0.9;
/** How many texts are compared with each other. After these, only equal texts are merged. */
const maxCompared = 40;

/** Finds a group whose long text differs in few words, none of which is a number or a negation. */
function similarGroup(groups: Map<string, Group>, text: string): Group | undefined {
  if (text.length < minSimilarLength || groups.size >= maxCompared) return undefined;
  let words: Set<string> | undefined;
  for (const [other, group] of groups) {
    const ratio = other.length / text.length;
    if (other.length < minSimilarLength || ratio < minSharedWords || ratio > 1 / minSharedWords) continue;
    words ??= wordsOf(text);
    group.words ??= wordsOf(other);
    if (areSimilar(words, group.words)) return group;
  }
  return undefined;
}

const wordsOf = (text: string): Set<string> => new Set(text.split(' '));
const decisive =
  /\d|^(?:not?|never|none|without|don|doesn|isn|won|nicht|kein\w*|nie|не|нет|pas|sin|não|nunca)$/u;

function areSimilar(one: Set<string>, other: Set<string>): boolean {
  const differing = [
    ...[...one].filter((word) => !other.has(word)),
    ...[...other].filter((word) => !one.has(word)),
  ];
  const all = (one.size + other.size + differing.length) / 2;
  return differing.length <= (1 - minSharedWords) * all && !differing.some((word) => decisive.test(word));
}

/** A note that quotes the user. */
const isUserNote = ({ source, kind, trust }: Chunk): boolean =>
  source === 'note' && trust >= 2 && (kind === 'decision' || kind === 'rule');

/**
 * Returns the text by which duplicates are recognised: its words, without case and punctuation. A note that quotes the
 * user has the topic of its session below the quotation, which the prompt itself lacks, so the topic is left out.
 */
function comparableText(chunk: Chunk): string {
  const text = isUserNote(chunk) ? withoutTopic(chunk.text) : chunk.text;
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  return words === '' ? text.trim() : words;
}

/**
 * Chooses the hit that represents a group of duplicates: the most trusted one; then a note, because a note has a
 * state; then one that is still valid.
 */
const representativeOf = (group: Ranked[]): Ranked =>
  group.reduce((best, one) => (preferenceOf(one.chunk) > preferenceOf(best.chunk) ? one : best));

const preferenceOf = (chunk: Chunk): number =>
  Math.min(chunk.trust, 2) * 4 + Number(chunk.source === 'note') * 2 + Number(!isSetAside(chunk));
