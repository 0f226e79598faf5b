import { join } from 'node:path';
import { createFolderGuard } from '../../base/checkout-file.ts';
import { type CodeView, isSearched, type ViewPart } from '../view.ts';
import type { GoalWords } from './goal-words.ts';
import { WordMatcher } from './match-words.ts';
import { eachFileWords, liveWords } from './word-file.ts';
import { WordCounter } from './word-keys.ts';

/**
 * Matches the words of a goal against the current checkout. For indexed files it reads the word file of their
 * segment, which stores the words of each file; it reads all other files themselves.
 */
export function matchCheckout(view: CodeView, folder: string, goal: GoalWords): WordMatcher {
  const matcher = new WordMatcher(goal);
  const counter = new WordCounter();
  const isInside = createFolderGuard(view.root);
  const read = (path: string): void => {
    if (isInside(path)) matcher.add(path, liveWords(join(view.root, path), counter));
  };
  for (const part of view.parts) {
    const isKnown = eachFileWords(folder, part.segment, (file, words) => {
      if (isSearched(part, file)) matcher.add(part.segment.pathOf(file), words);
    });
    if (!isKnown) for (const path of searchedPaths(part)) read(path);
  }
  for (const path of view.live) read(path);
  return matcher;
}

function* searchedPaths(part: ViewPart): Generator<string> {
  for (let file = 0; file < part.segment.entry.files; file++)
    if (isSearched(part, file)) yield part.segment.pathOf(file);
}
