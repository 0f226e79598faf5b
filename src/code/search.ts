import type { Clock } from '../base/clock.ts';
import type { Checkout, CheckoutState } from './checkout.ts';
import { createPathFilter, type PathFilter } from './path-filter.ts';
import { createFinder, type PatternQuery } from './pattern/finder.ts';
import { createWordTests, type RankedFile, rankHits, type WordTests, wordOf } from './rank.ts';
import type { ScanPool } from './scan-pool.ts';
import { type LineSearchOutcome, searchLines } from './search-lines.ts';

export interface ContentSearch extends PatternQuery, PathFilter {
  limit: number;
  /** How many lines to pass over; what an earlier answer gave as `nextOffset`. */
  offset: number;
  deadlineMs: number;
}

export interface ContentAnswer {
  files: RankedFile[];
  /** Exact when `isComplete`, else at least this many. */
  lineCount: number;
  fileCount: number;
  isComplete: boolean;
  timedOut: boolean;
  nextOffset: number | undefined;
  route: Route;
  cost: { candidates: number; blocksVerified: number };
  state: CheckoutState;
  /** Files that were looked at or could be ruled out. */
  filesKnown: number;
}

/** How an answer came about, as the design we grew from names it. */
export interface Route {
  strategy: 'indexed' | 'direct_scan';
  reason: string;
}

/** Lines that are ranked against each other; further ones follow in the order they are found. */
const rankedLines = 60;

export const answerTimeoutMs = 10_000;

export function searchContent(
  checkout: Checkout,
  search: ContentSearch,
  clock: Clock,
  threads?: ScanPool,
): Promise<ContentAnswer> {
  const { text, mode, ignoreCase, multiline, wholeWord } = search;
  const query: PatternQuery = { text, mode, ignoreCase, multiline, wholeWord };
  // Waiting for other searches is not part of the time this one may take.
  let until = Number.POSITIVE_INFINITY;
  const finder = createFinder(query, () => clock.now() > until);
  const pool = threads === undefined ? undefined : { threads, query };
  const accepts = createPathFilter(search);
  const word = wordOf(search.text, search.mode);
  const wanted = search.offset + search.limit;
  return checkout.use(async (view, state) => {
    until = clock.now() + search.deadlineMs;
    const enough = Math.max(rankedLines, wanted + 1);
    const prefer = word
      ?.toLowerCase()
      .split('_')
      .sort((a, b) => b.length - a.length)[0];
    const outcome = await searchLines(view, { finder, accepts, prefer, enough, untilMs: until, pool }, clock);
    const ranked = rankInWindow(outcome, word === undefined ? undefined : createWordTests(word));
    const { files, isCut } = page(ranked, search.offset, search.limit);
    return {
      files,
      lineCount: outcome.lineCount,
      fileCount: outcome.files.length,
      isComplete: outcome.isComplete,
      timedOut: outcome.timedOut,
      nextOffset: isCut || !outcome.isComplete ? wanted : undefined,
      route: routeOf(outcome, state),
      cost: { candidates: outcome.candidates, blocksVerified: outcome.blocksVerified },
      state,
      filesKnown: state.indexedFiles + view.live.length,
    };
  });
}

/** The window is counted in lines and files are never split, so that every page sees the same order. */
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

/** Of a file with many lines its best come first. */
function page(files: RankedFile[], offset: number, limit: number): { files: RankedFile[]; isCut: boolean } {
  const flat = files.flatMap(({ path, hits }) =>
    [...hits].sort((a, b) => b.score - a.score || a.line - b.line).map((hit) => ({ path, hit })),
  );
  const shown = flat.slice(offset, offset + limit);
  const grouped = new Map<string, RankedFile>();
  for (const { path, hit } of shown) {
    const file = grouped.get(path) ?? { path, hits: [] };
    file.hits.push(hit);
    grouped.set(path, file);
  }
  for (const file of grouped.values()) file.hits.sort((a, b) => a.line - b.line);
  return { files: [...grouped.values()], isCut: flat.length > offset + limit };
}

export function routeOf({ isScan }: LineSearchOutcome, { isIndexed, isBuilding }: CheckoutState): Route {
  if (!isIndexed) return { strategy: 'direct_scan', reason: isBuilding ? 'index_building' : 'no_index' };
  if (isScan) return { strategy: 'direct_scan', reason: 'pattern_without_grams' };
  return { strategy: 'indexed', reason: 'selective_grams' };
}
