import { askedMark } from '../text/note-text.ts';
import type { Act, Turn } from './distiller.ts';
import { fitSentences, typedSentences } from './sentences.ts';
import { isIdle, isScore, signalOf, withoutCourtesy } from './wording.ts';

/** The sentences of an agent that tell something, and what they were said to. */
export type Answer = Extract<Act, { kind: 'answer' }>;

/** Of what an agent said, and of the files it said it of. */
export const maxText = 500;
export const maxFiles = 8;

const maxAsked = 160;

/** What leads to a list or a block of code that is not taken along: "I see two ways:". */
const maxLead = 50;
const isLead = (sentence: string): boolean => sentence.length <= maxLead && /[:：]$/.test(sentence);
/** "Moin!" */
const isOneWord = (sentence: string): boolean => !/\S\s+\S|\p{Script=Han}/u.test(sentence);

export const spokenIn = (answers: Answer[]): string[] =>
  answers
    .flatMap(({ text }) => typedSentences(text))
    .filter((one) => ![isIdle, isScore, isLead, isOneWord].some((is) => is(one)));

const leaning = /^(?:that|this|these|it|so|which|in short|they|both)\b/i;

/** The sentences that tell, each with the one before when it begins with what points back there. */
export function tellingIn(answers: Answer[], tells: (sentence: string) => boolean): string[] {
  const sentences = spokenIn(answers);
  const chosen = new Set<number>();
  for (const [at, sentence] of sentences.entries()) {
    if (!tells(sentence)) continue;
    if (leaning.test(sentence)) {
      for (let back = at - 1; back >= Math.max(0, at - 2); back -= 1) chosen.add(back);
    }
    chosen.add(at);
  }
  return [...chosen].sort((a, b) => a - b).map((at) => sentences[at] as string);
}

/**
 * The line that says what it was found out for. What the user decided in the same breath is a note of its own, in
 * the same words, and is not said twice.
 */
export function askedLine({ prompt }: Turn, sentence = firstSentence(prompt?.text ?? '')): string {
  if (sentence === '' || signalOf(sentence) !== undefined) return '';
  return `${askedMark}${fitSentences([sentence], maxAsked)}`;
}

const firstSentence = (text: string): string => typedSentences(withoutCourtesy(text))[0] ?? '';
