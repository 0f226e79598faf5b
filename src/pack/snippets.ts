import { previewOf } from '../code/preview.ts';
import { createSourceReader } from '../code/source-file.ts';
import { definedName } from '../code/words/defined-name.ts';
import { chunkLines } from '../code/words/file-words.ts';
import type { GoalWords } from '../code/words/goal-words.ts';
import { tokensIn, WordCounter } from '../code/words/word-keys.ts';
import type { Snippet } from '../wire/answers/code.ts';
import type { RankedPath } from './rank-files.ts';

export const snippetsPerFile = 3;
const definitionBonus = 1.5;
/** Imports say what a file uses, not what it does. */
const importLine = /^\s*(?:import|from|use|using|#\s*include|require|package)\b|^\s*[\w$]+,?\s*$/;
const importFactor = 0.3;

export function createSnippets(
  root: string,
  goal: GoalWords,
  wordWeights: number[],
): (file: RankedPath) => Snippet[] {
  const weightOfKey = new Map(goal.keys.map((key, at) => [key, wordWeights[at] as number]));
  const counter = new WordCounter();
  const read = createSourceReader(root);
  return ({ path, chunk }) => {
    if (chunk === undefined) return [];
    const file = read(path);
    if (file.kind !== 'text') return [];
    const lines = file.bytes.toString('utf8').split('\n');
    return lines
      .slice(chunk.line - 1, chunk.line - 1 + chunkLines)
      .map((text, at) => ({ line: chunk.line + at, text, ...scoreOf(text, weightOfKey, counter) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.line - b.line)
      .slice(0, snippetsPerFile)
      .sort((a, b) => a.line - b.line)
      .map(({ line, text, matchAt }) => ({ line, column: matchAt + 1, preview: previewOf(text, matchAt) }))
      .filter(({ preview }) => preview !== '');
  };
}

const maxLineLength = 2_000;

function scoreOf(
  text: string,
  weights: Map<number, number>,
  counter: WordCounter,
): { score: number; matchAt: number } {
  if (text.length > maxLineLength) return { score: 0, matchAt: 0 };
  const seen = new Set<number>();
  let score = 0;
  let matchAt = -1;
  let from = 0;
  for (const word of tokensIn(text)) {
    const at = text.indexOf(word, from);
    from = at + word.length;
    for (const key of counter.keysOf(word)) {
      const weight = weights.get(key);
      if (weight === undefined || seen.has(key)) continue;
      seen.add(key);
      score += weight;
      if (matchAt === -1) matchAt = at;
    }
  }
  const factor = importLine.test(text) ? importFactor : definedName(text) === undefined ? 1 : definitionBonus;
  return { score: score * factor, matchAt: Math.max(0, matchAt) };
}
