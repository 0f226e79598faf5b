import type { Clock } from '../base/clock.ts';
import type { CheckoutState, SearchRoute } from '../wire/answers/code.ts';
import type { Checkout } from './checkout.ts';
import { createPathFilter } from './path-filter.ts';
import { createFinder, type PatternQuery } from './pattern/finder.ts';
import { createWordTests, type RankedFile, rankHits, type WordTests, wordOf } from './rank.ts';
import { type LineSearchOutcome, searchLines } from './search-lines.ts';

export interface ContentSearch extends PatternQuery {
  /** A glob, or a part of the path. */
  path?: string | undefined;
  limit: number;
  /** Number of lines to skip: the `nextOffset` of an earlier answer. */
  offset: number;
  deadlineMs: number;
}

/** The counts are exact if `isComplete`, otherwise lower bounds. */
export type ContentAnswer = Awaited<ReturnType<typeof searchContent>>;

/** The first lines found are ranked; later ones follow in the order they are found. */
const rankedLines = 60;

export const answerTimeoutMs = 10_000;

export function searchContent(checkout: Checkout, search: ContentSearch, clock: Clock) {
  // The deadline starts when the search starts, not while it waits for other searches.
  let until = Number.POSITIVE_INFINITY;
  const finder = createFinder(search, () => clock.now() > until);
  const accepts = createPathFilter(search.path);
  const word = wordOf(search.text, search.mode);
  const pageEnd = search.offset + search.limit;
  return checkout.use(async (view, state) => {
    until = clock.now() + search.deadlineMs;
    const maxLines = Math.max(rankedLines, pageEnd + 1);
    const outcome = await searchLines(view, { finder, accepts, word, maxLines, untilMs: until }, clock);
    const ranked = rankInWindow(outcome, word === undefined ? undefined : createWordTests(word));
    const { files, isCut } = page(ranked, search.offset, search.limit);
    return {
      files,
      lineCount: outcome.lineCount,
      fileCount: outcome.files.length,
      isComplete: outcome.isComplete,
      timedOut: outcome.timedOut,
      nextOffset: isCut || !outcome.isComplete ? pageEnd : undefined,
      route: routeOf(outcome, state),
      state,
    };
  });
}

/** Ranks about the first `rankedLines` lines. No file is split, so that every page sees the same order. */
function rankInWindow({ files }: LineSearchOutcome, words: WordTests | undefined): RankedFile[] {
  let lines = 0;
  const end = files.findIndex(({ hits }) => {
    lines += hits.length;
    return lines >= rankedLines;
  });
  const cut = end === -1 ? files.length : end + 1;
  return [
    ...rankHits(files.slice(0, cut), words),
    ...files.slice(cut).flatMap((file) => rankHits([file], words)),
  ];
}

/** Returns one page of the results. Within a file, the best lines come first. */
function page(files: RankedFile[], offset: number, limit: number): { files: RankedFile[]; isCut: boolean } {
  const flat = files.flatMap(({ path, hits }) =>
    [...hits].sort((a, b) => b.score - a.score || a.line - b.line).map((hit) => ({ path, hit })),
  );
  const shown = Map.groupBy(flat.slice(offset, offset + limit), ({ path }) => path);
  const grouped = [...shown].map(([path, own]) => ({
    path,
    hits: own.map(({ hit }) => hit).sort((a, b) => a.line - b.line),
  }));
  return { files: grouped, isCut: flat.length > offset + limit };
}

export function routeOf(
  { isScan }: LineSearchOutcome,
  { isIndexed, isBuilding }: CheckoutState,
): SearchRoute {
  if (!isIndexed) return { strategy: 'direct_scan', reason: isBuilding ? 'index_building' : 'no_index' };
  if (isScan) return { strategy: 'direct_scan', reason: 'pattern_without_grams' };
  return { strategy: 'indexed', reason: 'selective_grams' };
}
