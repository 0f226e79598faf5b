import { escapePattern } from '../text/escape-pattern.ts';
import { typedSentences } from './sentences.ts';

/** The words that surround a quote and belong to its meaning. */
export interface QuotedSentences {
  /** The whole sentences as typed. */
  quote: string;
  /** The same for comparing: a heading is joined to its list item, so that "never:" applies to the item. */
  meaning: string;
  /** The sentence after it takes it back. */
  isWithdrawn: boolean;
}

interface Sentence {
  text: string;
  /** The line that introduces the list of which this is an item. */
  heading: string;
}

const exception =
  /^(?:but|except|unless|only|however|though|apart from|other than|not|never|and not)(?!\p{L})/iu;
const retraction =
  /^(?:never ?mind|scratch that|wait|actually|just kidding|kidding|jk|no|nope|on second thought)(?![\p{L}'])/iu;

/** A quote as it is searched for: without code blocks, bullets and the mark at its end. */
export const searchedQuote = (quote: string): string =>
  flat(typedSentences(quote).join(' ')).replace(/[\s.,;:!…]+$/, '');

/** Finds a quote in a prompt. An ellipsis in the quote stands for words that were left out. */
export function findQuote(wanted: string, prompt: string): QuotedSentences | undefined {
  const sentences = sentencesIn(prompt);
  const all = sentences.map(({ text }) => flat(text)).join(' ');
  const [from, to] = rangeOf(wanted.split(/\s*(?:…|\.{3,}|\[\.\.\.\])\s*/), all);
  if (from === -1) return undefined;
  let end = -1;
  const reached = sentences.flatMap(({ text }, index) => {
    const start = end + 1;
    end = start + flat(text).length;
    return start < to && end > from ? [index] : [];
  });
  const first = reached[0] ?? 0;
  let last = reached.at(-1) ?? 0;
  const next = (): string => sentences[last + 1]?.text ?? '';
  while (exception.test(next()) && !retraction.test(next())) last += 1;
  const around = sentences.slice(first, last + 1);
  const heading = around[0]?.heading ?? '';
  const text = around.map((sentence) => sentence.text).join(' ');
  return {
    quote: `${heading} ${text}`.trim(),
    meaning: `${heading.replace(/:$/, '')} ${text}`.trim(),
    isWithdrawn: retraction.test(next()),
  };
}

function sentencesIn(words: string): Sentence[] {
  const sentences: Sentence[] = [];
  let heading = '';
  for (const line of withoutCodeBlocks(words).split('\n')) {
    if (line.trim() === '') continue;
    const isItem = /^\s*(?:[-*•]|\d+[.)])\s+/.test(line);
    if (!isItem) heading = '';
    const found = typedSentences(line);
    for (const text of found) sentences.push({ text, heading });
    if (line.trimEnd().endsWith(':')) heading = found.at(-1) ?? '';
  }
  return sentences;
}

export const withoutCodeBlocks = (text: string): string => text.replace(/```[\s\S]*?(?:```|$)/g, '\n');

const flat = (text: string): string =>
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

/** Finds whole words, in any case, because writers begin a quote with a capital and correct names. */
function indexOfWords(wanted: string, text: string): number {
  const word = '[\\p{L}\\p{N}_]';
  return text.search(new RegExp(`(?<!${word})${escapePattern(wanted)}(?!${word})`, 'iu'));
}
