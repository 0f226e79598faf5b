import { plainMarkdown } from './plain-markdown.ts';
import { typedSentences, withoutCodeBlocks } from './sentences.ts';

/**
 * The sentences of an agent's last answer that say how the work ended: the first one, because agents put the result
 * first, and as many of the last ones as fit. Sentences are never cut; `…` stands for those left out. Empty if the
 * answer has only questions.
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
  const lines = withoutCodeBlocks(text)
    .split('\n')
    .filter((line) => !/^\s*(?:#|>|\||\$ )/.test(line));
  // List items are details. They count only if the answer is nothing but a list.
  const prose = sentencesOf(lines.filter((line) => !/^\s*(?:[-*+•]|\d{1,3}[.)])\s/.test(line)));
  return prose.length > 0 ? prose : sentencesOf(lines);
}

const sentencesOf = (lines: string[]): string[] =>
  typedSentences(plainMarkdown(lines.join('\n')))
    .filter(isSubstantial)
    .map((sentence) => sentence.replace(/[:：]$/, '.'));

/** A shorter line that ends with a colon, such as "Changes made:", only introduces what follows. */
const minLeadLength = 50;

const isSubstantial = (sentence: string): boolean =>
  (/(?:\S+\s+){3}\S/.test(sentence) || /\p{Script=Han}{6}/u.test(sentence)) &&
  !(/[:：]$/.test(sentence) && sentence.length < minLeadLength) &&
  !/[?？]$/.test(sentence);
