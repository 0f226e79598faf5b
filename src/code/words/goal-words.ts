import { isStopWord } from '../../text/words.ts';
import { keyOf, termsOfToken, tokensIn, type WordKey } from './word-keys.ts';

export interface GoalWords {
  keys: WordKey[];
  /** Higher for words that are repeated, written as code, or in the first line. */
  weights: number[];
  /** The goal in lower case, to find paths and file names in it. */
  folded: string;
}

const maxGoalLetters = 20_000;
const maxGoalWords = 200;
/** `backticks`, snake_case, camelCase and calls(): the exact name is meant. */
const writtenAsCode = /`[^`\n]+`|[A-Za-z_$][\w$]*(?:_[\w$]+|[a-z][A-Z][\w$]*)|[A-Za-z_][\w.]*\(\)/g;
const codeWeight = 1.5;
/** The first line states the subject; the rest is often a log, an example or a template. */
const titleWeight = 3;
/** Limits the effect of repetition: each repetition of a word in the goal adds less weight. */
const saturation = 2;

export function goalWords(goal: string): GoalWords {
  // Comments of an issue template are not part of the goal.
  const text = goal.slice(0, maxGoalLetters).replace(/<!--[\s\S]*?(?:-->|$)/g, ' ');
  const counts = countKeys(tokensIn(text));
  const code = countKeys((text.match(writtenAsCode) ?? []).flatMap(tokensIn));
  const title = countKeys(tokensIn(text.trimStart().split('\n', 1)[0] as string));
  const chosen = [...counts].slice(0, maxGoalWords);
  return {
    keys: chosen.map(([key]) => key),
    weights: chosen.map(([key, count]) => {
      const frequency = count * (code.has(key) ? codeWeight : 1);
      return ((frequency * (saturation + 1)) / (frequency + saturation)) * (title.has(key) ? titleWeight : 1);
    }),
    folded: text.toLowerCase(),
  };
}

function countKeys(words: string[]): Map<WordKey, number> {
  const counts = new Map<WordKey, number>();
  for (const word of words) {
    if (isStopWord(word.toLowerCase())) continue;
    for (const term of termsOfToken(word)) {
      if (isStopWord(term)) continue;
      const key = keyOf(term);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}
