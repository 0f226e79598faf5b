import { isStopWord } from '../../text/words.ts';
import { keyOf, termsOfToken, tokensIn, type WordKey } from './word-keys.ts';

/** What a goal is looked for by: its words without the common ones, each with what it is worth. */
export interface GoalWords {
  keys: WordKey[];
  /** More for what is said often, written as code, or in the first line. */
  weights: number[];
  /** In lower case, for paths and file names that it spells out. */
  folded: string;
}

const maxGoalLetters = 20_000;
const maxGoalWords = 200;
/** `backticks`, snake_case, camelCase and calls(): somebody means exactly this name. */
const writtenAsCode = /`[^`\n]+`|[A-Za-z_$][\w$]*(?:_[\w$]+|[a-z][A-Z][\w$]*)|[A-Za-z_][\w.]*\(\)/g;
const codeWeight = 1.5;
/** The first line says what it is about; what follows often is a log, an example or a template. */
const titleWeight = 3;
/** The tenth time a word is said it tells nothing new. */
const saturation = 2;

export function goalWords(goal: string): GoalWords {
  // What a template says to its writer is not what the writer says.
  const text = goal.slice(0, maxGoalLetters).replace(/<!--[\s\S]*?(?:-->|$)/g, ' ');
  const counts = countKeys(tokensIn(text));
  const code = countKeys((text.match(writtenAsCode) ?? []).flatMap(tokensIn));
  const title = countKeys(tokensIn(text.trimStart().split('\n', 1)[0] as string));
  const chosen = [...counts].slice(0, maxGoalWords);
  return {
    keys: chosen.map(([key]) => key),
    weights: chosen.map(([key, count]) => {
      const said = count * (code.has(key) ? codeWeight : 1);
      return ((said * (saturation + 1)) / (said + saturation)) * (title.has(key) ? titleWeight : 1);
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
