import type { Note } from '../../domain/note.ts';
import { typedSentences } from '../../text/sentences.ts';
import { queryTerms, termsOf } from '../../text/words.ts';

/** Shorter sentences do not count as quotes, because they occur in every session: "All tests pass." */
const minQuoteLength = 16;

/** The sentences that an extracted note quotes, without the title of a session. */
export function quotesOf(note: Note): string[] {
  if (note.derivedFrom.length === 0) return [];
  const said = note.text.split('\n').slice(note.kind === 'summary' ? 1 : 0);
  const lines = [...said, ...(note.quote === undefined ? [] : [note.quote])];
  const sentences = lines.flatMap((line) => [line, ...typedSentences(line)]);
  return [
    ...new Set(sentences.filter((sentence) => sentence.length >= minQuoteLength || lines.length === 1)),
  ];
}

/** Low, because only texts of the same turn are compared. */
const minRestatedShare = 1 / 3;

/** Whether a text restates the note, as agents do when they confirm an instruction. */
export function isRestatement(note: Note, text: string): boolean {
  const { terms } = queryTerms(quotesOf(note).join(' '));
  const { words, idents } = termsOf(text);
  const present = new Set([...words, ...idents]);
  return (
    terms.length > 2 && terms.filter((term) => present.has(term)).length >= terms.length * minRestatedShare
  );
}
