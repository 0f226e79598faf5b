import type { z } from 'zod';
import type { CodeSearch } from '../code/code-search.ts';
import type { SymbolAnswer } from '../code/definition.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import type { Tool, ToolAnswer } from './answer.ts';
import { codeAnswer, freshnessFields } from './code-answer.ts';
import type { ServerParts } from './parts.ts';
import { callSessionOf, tokensOfAnswer } from './record-answers.ts';
import { itemsThatFit, sizeOf } from './session-answer.ts';
import { type LocalTool, tool } from './tool.ts';

/** One page of files, lines, symbols or uses. */
export interface Page<Result> {
  query: string;
  mode?: 'literal' | 'regex';
  path?: string | undefined;
  /** All parameters of the search, to recognise a repeated search. */
  question: unknown;
  /** `nextOffset` is that of the next page, provided that all of these results fit into the answer. */
  found: Pick<SymbolAnswer, 'state'> & {
    route: { strategy: string; reason: string };
    nextOffset?: number | undefined;
  };
  results: Result[];
  /** What a repeated search must find again; by default the results in their order. */
  same?: unknown;
  /** Number of files and lines that were found, if files or lines were searched for. */
  files?: number;
  lines?: number;
  /** By default, a result counts once. */
  countOf?(result: Result): number;
  head(shown: number): string;
  line(result: Result): string;
  fields: object;
}

interface Asked {
  cursor?: string | undefined;
  force_refresh?: boolean | undefined;
}

/** A tool whose answers are pages of what `find` finds from an offset on. */
export const searchTool = <Schema extends z.ZodType<Asked>, Result>({
  find,
  ...about
}: Tool<Schema> & {
  find(parts: ServerParts, code: CodeSearch, input: z.output<Schema>, offset: number): Promise<Page<Result>>;
}): LocalTool =>
  tool({
    ...about,
    async answer(parts, input, context) {
      const code = await parts.code();
      return pagedAnswer(parts, code, input, context, await find(parts, code, input, offsetOf(input.cursor)));
    },
  });

/** Answers with as many results as fit, and a cursor for the rest. */
export async function pagedAnswer<Result>(
  { searches }: ServerParts,
  code: CodeSearch,
  { cursor: from, force_refresh: isForced = false }: Asked,
  context: unknown,
  page: Page<Result>,
): Promise<ToolAnswer> {
  // A result counts twice, because it is sent as text and as structured content.
  const results = itemsThatFit(page.results, undefined, (one) => sizeOf(one) + sizeOf(page.line(one)));
  const shown = results.reduce((sum, result) => sum + (page.countOf?.(result) ?? 1), 0);
  const next = results.length < page.results.length ? offsetOf(from) + shown : page.found.nextOffset;
  const remembered = await searches.record({
    query: page.query,
    ...(page.mode === undefined ? {} : { mode: page.mode }),
    path: page.path,
    question: JSON.stringify(page.question),
    answer: [page.same ?? results, page.head(shown), next ?? null],
    files: page.files ?? 0,
    lines: page.lines ?? (page.files === undefined ? shown : 0),
    isForced,
    callSession: callSessionOf(context),
  });
  const { searchId, epoch, served } = remembered;
  const isRepeat = remembered.isRepeat && results.length > 0;
  const { route, state } = page.found;
  const envelope = {
    repo_root: code.root,
    strategy: route.strategy,
    fallback_used: route.strategy !== 'indexed',
    cache: isForced ? 'bypass' : isRepeat ? 'hit' : 'miss',
    routing_reason: route.reason,
    search_id: searchId,
    ...freshnessFields(state),
    ...page.fields,
  };
  const cursor = {
    truncated: next !== undefined,
    ...(next === undefined ? {} : { next_cursor: String(next) }),
  };
  const more = next === undefined ? [] : [`More with cursor "${next}".`];
  const lines = results.map((result) => page.line(result));
  const full = codeAnswer([`${searchId}: ${page.head(shown)}`, ...lines, ...more].join('\n'), {
    ...envelope,
    results,
    ...cursor,
  });
  if (served === undefined) return full;
  if (!isRepeat) return { ...full, served: { search: served } };
  // The agent still has this answer in its context, so a reference to it saves the difference.
  const short = codeAnswer(`Unchanged since ${searchId}: ${page.head(shown)}, shown above.`, {
    ...envelope,
    prior_search_id: searchId,
    reuse_status: 'fresh_duplicate',
    reuse_reason: 'unchanged',
    context_epoch: epoch,
    results: [],
    results_omitted: true,
    ...cursor,
  });
  const omittedTokens = Math.max(0, tokensOfAnswer(full) - tokensOfAnswer(short));
  return { ...short, served: { search: { ...served, omittedTokens } } };
}

const resultSize = 10;

/** Splits the lines of a file: a result that is too large for an answer would never be shown. */
export const inPages = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / resultSize) }, (_, at) =>
    list.slice(at * resultSize, (at + 1) * resultSize),
  );
