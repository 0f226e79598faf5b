import { typedSentences } from './sentences.ts';

/**
 * The explicit words with which people settle something for good, such as "from now on". This is the only list of its
 * kind: a sentence without one of them is left to the classifier, the agent and the model.
 *
 * Letters are ranges, because building the sets of Unicode takes a hook 2 ms.
 */
const opening =
  /^\W*(?:(?:please|remember|and|so|ok(?:ay)?),?:?\s+)*(?:always|never|whenever|going forward|in (?:the )?future|remember (?:that|to)|(?:we|i) (?:always|never)|stop [a-z]+ing)(?![\w\u00c0-\u052f])/i;
const deciding =
  /^\W*(?:(?:so|ok(?:ay)?|and),?\s+)?(?:decision:|(?:we|i)(?:'ve| have)? (?:decided|agreed|settled on|chose)(?![\w\u00c0-\u052f]))/i;
const inside =
  /(?<![\w\u00c0-\u052f])(?:from now on|from here on|as a rule|house rule|we should (?:always|never)|ask (?:me )?(?:first|before))(?![\w\u00c0-\u052f])/i;
const foreign =
  /^[^\w\u00c0-\u052f]*(?:immer|niemals|ab (?:jetzt|sofort)|toujours|jamais|désormais|siempre|nunca|sempre|всегда|никогда|впредь|отныне)(?![\w\u00c0-\u052f])|总是|始终|以后都|一律|从现在起/i;

/** What a sentence settles that says in so many words that it is meant to last. */
export function settledKind(sentence: string): 'rule' | 'decision' | undefined {
  if (/[?？]\s*$/.test(sentence)) return undefined;
  if (deciding.test(sentence)) return 'decision';
  return [opening, inside, foreign].some((words) => words.test(sentence)) ? 'rule' : undefined;
}

const maxLength = 4_000;

/** Whether one of the sentences of a prompt does. Longer prompts are specifications or contain pasted text. */
export const hasSettling = (prompt: string): boolean =>
  prompt.length <= maxLength &&
  typedSentences(prompt).some((sentence) => settledKind(sentence) !== undefined);
