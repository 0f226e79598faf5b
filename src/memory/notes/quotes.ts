import { typedSentences } from '../../distil/sentences.ts';
import type { Note } from '../../domain/note.ts';
import { parseNoteText } from '../../text/note-text.ts';
import { queryTerms, termsOf } from '../../text/words.ts';

/** Shorter ones are said in every session: "All tests pass." */
const minQuote = 16;

/** The sentences of others that a distilled note is made of; what it was said to is not what it says. */
export function quotesOf(note: Note): string[] {
  if (note.derivedFrom.length === 0) return [];
  const { statement: lines } = parseNoteText(note.text);
  const sentences = lines.flatMap((line) => [line, ...typedSentences(line)]);
  return [...new Set(sentences.filter((sentence) => sentence.length >= minQuote || lines.length === 1))];
}

/** Little, because it is asked of the words of the same turn alone. */
const echoed = 1 / 3;

/** Whether a text says again what a note says, as agents do when they have understood. */
export function isEcho(note: Note, text: string): boolean {
  const { terms } = queryTerms(quotesOf(note).join(' '));
  const { words, idents } = termsOf(text);
  const held = new Set([...words, ...idents]);
  return terms.length > 2 && terms.filter((term) => held.has(term)).length >= terms.length * echoed;
}
