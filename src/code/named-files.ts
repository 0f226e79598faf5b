import type { Clock } from '../base/clock.ts';
import type { Checkout, CheckoutState } from './checkout.ts';
import { createPathFilter, type PathFilter } from './path-filter.ts';
import { docsFlag, kindOfPath } from './path-kind.ts';
import { createFinder } from './pattern/finder.ts';
import { createWordTests } from './rank.ts';
import { type Route, routeOf } from './search.ts';
import type { LineHit } from './search-file.ts';
import { searchLines } from './search-lines.ts';
import { grammarOfName } from './symbols/grammars.ts';

/** A file that holds a word, and how likely it is that it defines it. */
export interface NamedFile {
  path: string;
  tier: number;
  hits: LineHit[];
  /** Lines that look like a definition of the word by themselves. */
  defining: LineHit[];
  /** How likely it is that the file defines the word, by its lines: 2 likely, 1 possible, 0 not likely. */
  promise: number;
}

export interface NamedFiles {
  /** The most promising first, then as a search gives them. */
  files: NamedFile[];
  lineCount: number;
  /** False when there were more than could be looked at. */
  isComplete: boolean;
  route: Route;
  state: CheckoutState;
  filesKnown: number;
}

/** More lines than this with one word in them say only that it is a common word. */
const maxLines = 50_000;

/** The files that hold a word, by the index. Only they have to be parsed. */
export function findNamedFiles(
  checkout: Checkout,
  { word, ignoreCase, ...filter }: { word: string; ignoreCase: boolean } & PathFilter,
  deadline: number,
  clock: Clock,
): Promise<NamedFiles> {
  const finder = createFinder({ text: word, mode: 'literal', ignoreCase, multiline: false, wholeWord: true });
  const accepts = createPathFilter(filter);
  const tests = createWordTests(word.replaceAll('$', '\\$'));
  const prefer = word
    .toLowerCase()
    .split('_')
    .sort((a, b) => b.length - a.length)[0];
  return checkout.use(async (view, state) => {
    const search = { finder, accepts, prefer, enough: maxLines, untilMs: deadline };
    const outcome = await searchLines(view, search, clock);
    const files = outcome.files.map(({ path, tier, hits }) => {
      // Prose has lines that begin like code.
      const isProse = (kindOfPath(path) & docsFlag) !== 0 && grammarOfName(path) === undefined;
      const defining = isProse ? [] : hits.filter(({ text }) => tests.defines(text));
      const promise = defining.length > 0 ? 2 : !isProse && hits.some((hit) => mayDefine(hit, word)) ? 1 : 0;
      return { path, tier, hits, defining, promise };
    });
    return {
      files: files.sort((a, b) => b.promise - a.promise),
      lineCount: outcome.lineCount,
      isComplete: outcome.isComplete,
      route: routeOf(outcome, state),
      state,
      filesKnown: state.indexedFiles + view.live.length,
    };
  });
}

const comment = /^\s*(?:\/\/|\*|--|#(?!\s*define))/;
const beforeUse =
  /(?:[=(,&|!?+\-/<{;[]|\b(?:return|await|new|throw|in|of|case|not|and|or|if|while|yield|delete|typeof|goto|else))\s*$/;

/** Whether the first match on a line could be a definition; a guess that only decides what is read first. */
function mayDefine({ text, matchAt }: LineHit, word: string): boolean {
  if (comment.test(text)) return false;
  const before = text.slice(0, matchAt);
  const after = text.slice(matchAt + word.length);
  if (/(?:\.|->)\s*$/.test(before)) return /^\s*=(?!=)/.test(after);
  if (/^\s*\(/.test(after) && before.trim() === '') return !/[;,]\s*$/.test(after);
  return !beforeUse.test(before);
}
