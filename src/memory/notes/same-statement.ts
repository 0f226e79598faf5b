import { type Polarity, polarityOf } from '../../distil/polarity.ts';
import type { Note } from '../../domain/note.ts';
import { parseNoteText } from '../../text/note-text.ts';

/** Words that change nothing about what a rule says. */
const filler =
  /(?<![\p{L}])(?:always|please|generally|really|just|immer|bitte|toujours|siempre)(?![\p{L}])/giu;

const minTerms = 2;
/** How much longer the longer statement may be: the shorter one has at least this share of its words. */
const minShare = 0.75;

/** The statement of a note, without the question and the work in which it was made. */
export const statementOf = ({ text }: Pick<Note, 'text'>): string =>
  parseNoteText(text).statement.join('\n').trim();

const wordsCache = new WeakMap<object, Map<string, Polarity>>();

function wordsOf(note: Pick<Note, 'text'>): Map<string, Polarity> {
  const words = wordsCache.get(note) ?? polarityOf(statementOf(note).replace(filler, ' '));
  wordsCache.set(note, words);
  return words;
}

/**
 * Whether two notes of different projects state the same rule. This is stricter than within one project, because the
 * result applies to every project: all words of the shorter statement must be in the longer one, with the same
 * polarity. So "2 spaces" and "4 spaces", or "tabs" and "spaces", are never the same.
 */
export function statesSame(one: Pick<Note, 'text'>, other: Pick<Note, 'text'>): boolean {
  const [short, long] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.size - b.size) as [
    Map<string, Polarity>,
    Map<string, Polarity>,
  ];
  if (short.size < minTerms || short.size < minShare * long.size) return false;
  return [...short].every(([word, polarity]) => long.get(word) === polarity);
}
