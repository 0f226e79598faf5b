/** A sentence as somebody typed it. */
export interface TypedSentence {
  text: string;
  /** The line that introduces the list of which this is an item: "never:" belongs to the meaning of each item. */
  heading: string;
  /** Number of its line. What follows on the same line may limit it; a new line begins another matter. */
  line: number;
}

/** Sentences as people type them: without capitals, and with line breaks and bullets for full stops. */
export function sentencesOf(text: string): TypedSentence[] {
  const sentences: TypedSentence[] = [];
  let heading = '';
  for (const [line, content] of prose(text).split('\n').entries()) {
    if (content.trim() === '') continue;
    if (!/^\s*(?:[-*•]|\d+[.)])\s+/.test(content)) heading = '';
    const found = splitLine(content);
    for (const sentence of found) sentences.push({ text: sentence, heading, line });
    if (content.trimEnd().endsWith(':')) heading = found.at(-1) ?? '';
  }
  return sentences;
}

export const typedSentences = (text: string): string[] => sentencesOf(text).map((sentence) => sentence.text);

const splitLine = (line: string): string[] =>
  line
    .split(/(?<=[.!?…])\s+(?!\d)|(?<=[。！？；])/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter((sentence) => sentence !== '')
    .reduce<string[]>(joinAbbreviations, []);

/** "e.g." and "etc." end no sentence, nor does a number such as in "1 yes. 2 no:". */
function joinAbbreviations(sentences: string[], next: string): string[] {
  const last = sentences.at(-1);
  return last !== undefined && /(?:^|\s)(?:e\.g|i\.e|etc|vs|approx|resp|z\.B|bzw|p\.ej)\.$/i.test(last)
    ? [...sentences.slice(0, -1), `${last} ${next}`]
    : [...sentences, next];
}

/** Code blocks and quoted lines are somebody else's words. */
const prose = (text: string): string =>
  withoutCodeBlocks(text.slice(0, 20_000))
    .split('\n')
    .map((line) => (/^\s*(?:>|\||\$ )/.test(line) ? '' : line))
    .join('\n');

export const withoutCodeBlocks = (text: string): string => text.replace(/```[\s\S]*?(?:```|$)/g, '\n');

/** Exceptions are short: "Except on Fridays." A longer sentence is a matter of its own. */
const maxExceptionLength = 80;
const maxExceptions = 2;

/**
 * Sentences `first` to `last` in whole, with the heading before them and the short sentences after them on the same line.
 * Those may be the exception, and in which words people state one nobody can list, so they always belong to it.
 */
export function wholeSentences(sentences: TypedSentence[], first: number, last = first): string {
  const { heading = '', line } = { line: sentences[last]?.line, heading: sentences[first]?.heading };
  let end = last + 1;
  while (
    end - last <= maxExceptions &&
    sentences[end]?.line === line &&
    (sentences[end]?.text.length ?? 0) <= maxExceptionLength
  )
    end += 1;
  return [heading, ...sentences.slice(first, end).map(({ text }) => text)].join(' ').trim();
}

/** As much as fits, in whole sentences; at least the beginning of the first. */
export function fitSentences(sentences: string[], maxLength: number): string {
  let text = '';
  for (const sentence of sentences) {
    if (text !== '' && text.length + 1 + sentence.length > maxLength) break;
    text = text === '' ? sentence : `${text} ${sentence}`;
  }
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).trimEnd()}…`.toWellFormed();
}
