import type { z } from 'zod';
import type { CodeSearch } from '../code/code-search.ts';
import type { SymbolAnswer } from '../code/definition.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { addTool, maxAnswerBytes, type Tool, type ToolAnswer, type ToolServer } from './answer.ts';
import { codeAnswer, freshnessFields } from './code-answer.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf, tokensOfAnswer } from './record-answers.ts';
import type { SearchMemory } from './search-memory.ts';

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
  offset: number;
  isForced: boolean;
  /** Id of the agent session in the MCP call itself; empty if the call has none. */
  callSession: string;
}

/** Registers a tool whose answers are pages of what `find` finds from an offset on. */
export const addSearchTool = <
  Schema extends z.ZodType<{ cursor?: string | undefined; force_refresh?: boolean | undefined }>,
  Result,
>(
  server: ToolServer,
  parts: McpParts,
  memory: SearchMemory,
  tool: Tool<Schema>,
  find: (code: CodeSearch, input: z.output<Schema>, offset: number) => Promise<Page<Result>>,
): void =>
  addTool(server, tool, async (input, context) => {
    const code = await parts.code();
    const asked = {
      offset: offsetOf(input.cursor),
      isForced: input.force_refresh ?? false,
      callSession: callSessionOf(context),
    };
    return pagedAnswer(code, memory, await find(code, input, asked.offset), asked);
  });

/** Answers with as many results as fit, and a cursor for the rest. */
export async function pagedAnswer<Result>(
  code: CodeSearch,
  memory: SearchMemory,
  page: Page<Result>,
  { offset, isForced, callSession }: Asked,
): Promise<ToolAnswer> {
  const results = resultsThatFit(page);
  const shown = results.reduce((sum, result) => sum + (page.countOf?.(result) ?? 1), 0);
  const next = results.length < page.results.length ? offset + shown : page.found.nextOffset;
  const remembered = await memory.record({
    query: page.query,
    ...(page.mode === undefined ? {} : { mode: page.mode }),
    path: page.path,
    question: JSON.stringify(page.question),
    answer: [page.same ?? results, page.head(shown), next ?? null],
    files: page.files ?? 0,
    lines: page.lines ?? (page.files === undefined ? shown : 0),
    isForced,
    callSession,
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

/** A result counts twice, because it is sent as text and as structured content. */
function resultsThatFit<Result>({ results, line }: Page<Result>): Result[] {
  let bytes = 2_000;
  const end = results.findIndex((result) => {
    bytes += Buffer.byteLength(JSON.stringify(result)) + Buffer.byteLength(JSON.stringify(line(result))) + 2;
    return bytes > maxAnswerBytes;
  });
  return end === -1 ? results : results.slice(0, end);
}
