/** Sentences as people type them: without capitals, and with line breaks and bullets for full stops. */
export const typedSentences = (text: string): string[] => prose(text).split('\n').flatMap(splitLine);

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

/** As much as fits, in whole sentences; at least the beginning of the first. */
export function fitSentences(sentences: string[], maxLength: number): string {
  let text = '';
  for (const sentence of sentences) {
    if (text !== '' && text.length + 1 + sentence.length > maxLength) break;
    text = text === '' ? sentence : `${text} ${sentence}`;
  }
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).trimEnd()}…`.toWellFormed();
}
