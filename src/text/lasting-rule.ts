import { sentencesOf } from './decisions.ts';

/**
 * Recognises sentences in which a user says how things are to be done from now on. Such a rule can matter for a
 * question that shares no word with it ("always give dates as ISO" and "when is the release?"), so recall looks at
 * rules separately.
 */
export type LastingRule = 'rule' | 'preference';

const rule =
  /(?:^|,\s*(?:so|and|but)\s+)(?:please\s+)?(?:always|never|from now on|whenever|going forward|in (?:the )?future|remember to|make sure to always|всегда|никогда|впредь|отныне)(?![\p{L}\p{N}])/iu;
const preference = /(?<!\p{L})(?:prefer|предпочитаю)(?!\p{L})/iu;
const maxLength = 600;

export function lastingRuleOf(sentence: string): LastingRule | undefined {
  if (rule.test(sentence)) return 'rule';
  return preference.test(sentence) ? 'preference' : undefined;
}

export function lastingRulesIn(text: string): string[] {
  return sentencesOf(text)
    .filter((sentence) => lastingRuleOf(sentence) !== undefined)
    .map((sentence) => sentence.slice(0, maxLength).toWellFormed());
}
