import { escapePattern } from '../text/escape-pattern.ts';
import { typedSentences } from '../text/sentences.ts';

/** A quote as it is searched for: without code blocks, bullets and the mark at its end. */
export const searchedQuote = (quote: string): string =>
  flat(typedSentences(quote).join(' ')).replace(/[\s.,;:!?。！？…]+$/, '');

export interface FoundQuote {
  /** The whole block around the quote, in one line. */
  text: string;
  isQuestion: boolean;
}

/** Finds a quote in blocks; undefined if it is in none. An ellipsis in the quote stands for words that were left out. */
export function findQuote(wanted: string, blocks: string[]): FoundQuote | undefined {
  for (const block of blocks) {
    const sentences = typedSentences(block).map(flat);
    const [from, to] = rangeOf(wanted.split(/\s*(?:…|\.{3,}|\[\.\.\.\])\s*/), sentences.join(' '));
    if (from === -1) continue;
    let end = -1;
    const reached = sentences.filter((sentence) => {
      const start = end + 1;
      end = start + sentence.length;
      return start < to && end > from;
    });
    return { text: flat(block), isQuestion: reached.some(isQuestion) };
  }
  return undefined;
}

/** Whether a sentence ends with a question mark in any script. Meaning does not count: a polite order is a question too. */
export const isQuestion = (text: string): boolean => /[?？؟]["'”»)\]]*\s*$/u.test(text);

export const flat = (text: string): string =>
  text
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();

/** Where the pieces of a quote occur in this order: the first index and the one after the last; -1 if they do not. */
function rangeOf(pieces: string[], text: string): [from: number, to: number] {
  let [from, to] = [-1, 0];
  for (const piece of pieces.filter((one) => one !== '')) {
    const at = indexOfWords(piece, text.slice(to));
    if (at === -1) return [-1, -1];
    if (from === -1) from = to + at;
    to += at + piece.length;
  }
  return [from, to];
}

export const hasWords = (wanted: string, text: string): boolean => indexOfWords(wanted, text) !== -1;

/** Finds whole words, in any case, because writers begin a quote with a capital. Japanese and Chinese have no spaces. */
function indexOfWords(wanted: string, text: string): number {
  const word = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}_]';
  return text.search(
    new RegExp(`(?<!${word}(?=${word}))${escapePattern(wanted)}(?!(?<=${word})${word})`, 'iu'),
  );
}
