import { plainMarkdown } from './plain-markdown.ts';

/**
 * The sentences of an agent's last answer that say how the work ended: the first one, because agents put the result
 * first, and as many of the last ones as fit. Sentences are never cut; `…` stands for those left out. Empty if the
 * answer has only questions, offers and announcements.
 */
export function closingWords(answer: string, maxLength: number): string {
  const sentences = substantialSentences(answer);
  const start = sentences.findIndex(({ length }) => length <= maxLength);
  const first = sentences[start];
  if (first === undefined) return '';
  const last: string[] = [];
  for (const sentence of sentences.slice(start + 1).reverse()) {
    const length = [first, '…', sentence, ...last].join(' ').length;
    if (last.length === maxLastSentences || length > maxLength) break;
    last.unshift(sentence);
  }
  const hasGap = last.length > 0 && start + 1 + last.length < sentences.length;
  return [first, ...(hasGap ? ['…'] : []), ...last].join(' ');
}

const maxLastSentences = 3;
/** Of a longer answer only the beginning and the end are read. */
const maxAnswerLength = 20_000;

function substantialSentences(answer: string): string[] {
  const half = maxAnswerLength / 2;
  const text = answer.length <= maxAnswerLength ? answer : `${answer.slice(0, half)}\n${answer.slice(-half)}`;
  const lines = withoutCode(text)
    .split('\n')
    .filter((line) => !/^\s*(?:#|>|\||\$ )/.test(line));
  // List items are details. They count only if the answer is nothing but a list.
  const prose = sentencesOf(lines.filter((line) => !/^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line)));
  return prose.length > 0 ? prose : sentencesOf(lines);
}

/** Removes blocks between lines that begin with ``` or ~~~. */
function withoutCode(text: string): string {
  let isCode = false;
  return text
    .split('\n')
    .filter((line) => {
      const isFence = /^\s*(?:```|~~~)/.test(line);
      if (isFence) isCode = !isCode;
      return !isFence && !isCode;
    })
    .join('\n');
}

const sentencesOf = (lines: string[]): string[] =>
  plainMarkdown(lines.join('\n'))
    .split(/\n+|(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs)\.)\s+(?!\d)|(?<=[。！？；])/u)
    .map((sentence) => sentence.trim())
    .filter(isSubstantial)
    .map((sentence) => sentence.replace(/[:：]$/, '.'));

/** A shorter line that ends with a colon, such as "Changes made:", only introduces what follows. */
const minLeadLength = 50;

const isSubstantial = (sentence: string): boolean =>
  (/(?:\S+\s+){3}\S/.test(sentence) || /\p{Script=Han}{6}/u.test(sentence)) &&
  !(/[:：]$/.test(sentence) && sentence.length < minLeadLength) &&
  !/[?？]$/.test(sentence) &&
  !offer.test(sentence) &&
  !announcement.test(sentence);

const offer =
  /\b(?:let me know|want me to|would you like|do you want|shall i|should i|happy to|feel free|if you(?:'d| would)? (?:want|need|like|prefer))\b/i;
const announcement =
  /^(?:ok(?:ay)?|now|first|next|good|great|perfect|then)?[,.!]?\s*(?:let me|let's|i(?:'ll| will|'m going to| am going to|'m now| need to| now have| have a)|here(?:['’]s| is| are)|you(?:'re| are) right|[a-z]+ing (?:the|all|a|an|now|it))\b/i;
