import type { Note } from '../../domain/note.ts';
import { plainWords } from '../../text/plain-words.ts';

const turnMs = 60 * 60 * 1000;
/** A shorter quote, such as "yes", occurs in other sentences too. */
const minQuotedLength = 20;

/**
 * Whether a statement of an agent quotes the sentence of which an extracted note consists. The statement has a topic, so
 * a later one replaces it; a second note with the sentence would stay.
 */
export function quotesSentence({ quote, trust, state, validFrom }: Note, sentence: Note): boolean {
  if (quote === undefined || trust < 2 || (state !== 'active' && state !== 'superseded')) return false;
  if (Math.abs(Date.parse(validFrom) - Date.parse(sentence.validFrom)) > turnMs) return false;
  const [quoted, said] = [plainWords(quote), plainWords(sentence.text)];
  return quoted.includes(said) || (quoted.length >= minQuotedLength && said.includes(quoted));
}
