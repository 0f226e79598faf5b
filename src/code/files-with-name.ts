import type { Clock } from '../base/clock.ts';
import type { Checkout } from './checkout.ts';
import { createPathFilter } from './path-filter.ts';
import { isDocument } from './path-kind.ts';
import { createFinder } from './pattern/finder.ts';
import { createWordTests } from './rank.ts';
import { routeOf } from './search.ts';
import type { LineHit } from './search-file.ts';
import { type FileHits, searchLines } from './search-lines.ts';
import { grammarOfName } from './symbols/grammars.ts';

export interface FileWithName extends FileHits {
  /** Lines that look like a definition of the word. */
  defining: LineHit[];
  /** How likely the file is to define the word, judging by its lines: 2 likely, 1 possible, 0 unlikely. */
  likelihood: number;
}

export type FilesWithName = Awaited<ReturnType<typeof findFilesWithName>>;

/** A word on more lines than this is too common to be useful. */
const maxWordLines = 50_000;

/** Finds the files that contain a word, those that probably define it first. Only these have to be parsed. */
export function findFilesWithName(
  checkout: Checkout,
  { word, ignoreCase, path }: { word: string; ignoreCase: boolean; path: string | undefined },
  deadline: number,
  clock: Clock,
) {
  const finder = createFinder({ text: word, mode: 'literal', ignoreCase, wholeWord: true });
  const accepts = createPathFilter(path);
  const tests = createWordTests(word);
  return checkout.use(async (view, state) => {
    const search = { finder, accepts, word, maxLines: maxWordLines, untilMs: deadline };
    const outcome = await searchLines(view, search, clock);
    const files = outcome.files.map(({ path, tier, hits }): FileWithName => {
      // Prose can contain lines that look like code.
      const isProse = isDocument(path) && grammarOfName(path) === undefined;
      const defining = isProse ? [] : hits.filter(({ text }) => tests.defines(text));
      const likelihood =
        defining.length > 0 ? 2 : !isProse && hits.some((hit) => mayDefine(hit, word)) ? 1 : 0;
      return { path, tier, hits, defining, likelihood };
    });
    return {
      files: files.sort((a, b) => b.likelihood - a.likelihood),
      lineCount: outcome.lineCount,
      isComplete: outcome.isComplete,
      route: routeOf(outcome, state),
      state,
    };
  });
}

const comment = /^\s*(?:\/\/|\*|--|#(?!\s*define))/;
const beforeUse =
  /(?:[=(,&|!?+\-/<{;[]|\b(?:return|await|new|throw|in|of|case|not|and|or|if|while|yield|delete|typeof|goto|else))\s*$/;

/** Whether the first match on a line could be a definition. Only decides which files are read first. */
function mayDefine({ text, matchAt }: LineHit, word: string): boolean {
  if (comment.test(text)) return false;
  const before = text.slice(0, matchAt);
  const after = text.slice(matchAt + word.length);
  if (/(?:\.|->)\s*$/.test(before)) return /^\s*=(?!=)/.test(after);
  if (/^\s*\(/.test(after) && before.trim() === '') return !/[;,]\s*$/.test(after);
  return !beforeUse.test(before);
}
