import { z } from 'zod';
import type { CodeSearch } from '../code/code-search.ts';
import type { SymbolAnswer } from '../code/definition.ts';
import { symbolShape } from '../wire/code.ts';
import { maxAnswerBytes, type ToolAnswer } from './answer.ts';
import { codeAnswer, freshnessFields, reusable, reuseFields } from './code-answer.ts';
import type { SearchMemory } from './search-memory.ts';

/** What both tools about a name are asked; `meaning` says what of a name counts. */
export const symbolSchema = (meaning: string) =>
  z.object({ ...symbolShape(meaning), force_refresh: z.boolean().optional() });

/** What a tool about symbols has to say, whichever it is. */
export interface SymbolTold<Result> {
  /** The name or path that was asked for. */
  query: string;
  /** What was asked, as a key for repeated questions. */
  question: unknown;
  found: Pick<SymbolAnswer, 'route' | 'state' | 'filesKnown'>;
  results: Result[];
  /** How many results there are before those shown here. */
  offset: number;
  /** Where the next page begins when all of these fit. */
  nextOffset: number | undefined;
  /** How many of the counted things a result holds. */
  countOf(result: Result): number;
  head(shown: number): string;
  line(result: Result): string;
  fields: object;
  isForced: boolean;
  /** The session that the call names, if it does. */
  named: string;
}

/** In the envelope of every search: as many results as an answer may hold, and where the rest begins. */
export async function symbolAnswer<Result>(
  code: CodeSearch,
  memory: SearchMemory,
  told: SymbolTold<Result>,
): Promise<ToolAnswer> {
  const results = fitting(told);
  const shown = results.reduce((sum, result) => sum + told.countOf(result), 0);
  const next = results.length < told.results.length ? told.offset + shown : told.nextOffset;
  const remembered = await memory.record({
    query: told.query,
    question: JSON.stringify(told.question),
    answer: [results, told.head(shown), next ?? null],
    files: 0,
    lines: shown,
    isForced: told.isForced,
    named: told.named,
  });
  const { searchId, epoch } = remembered;
  const isRepeat = remembered.isRepeat && results.length > 0;
  const { route, state, filesKnown } = told.found;
  const envelope = {
    repo_root: code.root,
    strategy: route.strategy,
    fallback_used: route.strategy !== 'indexed',
    cache: told.isForced ? 'bypass' : isRepeat ? 'hit' : 'miss',
    routing_reason: route.reason,
    search_id: searchId,
    ...freshnessFields(state, filesKnown),
    ...told.fields,
  };
  const nextCursor = next === undefined ? undefined : String(next);
  const more = next === undefined ? [] : [`More with cursor "${next}".`];
  const text = [
    `${searchId}: ${told.head(shown)}`,
    ...results.map((result) => told.line(result)),
    ...more,
  ].join('\n');
  const full = codeAnswer(text, {
    ...envelope,
    results,
    truncated: nextCursor !== undefined,
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
  });
  const short = () =>
    codeAnswer(`Unchanged since ${searchId}: ${told.head(shown)}, shown above.`, {
      ...envelope,
      ...reuseFields(searchId, epoch, nextCursor),
    });
  return reusable(full, { ...remembered, isRepeat }, short);
}

/** The envelope goes both ways, as text and structured, so a result counts twice. */
function fitting<Result>({ results, line }: SymbolTold<Result>): Result[] {
  let bytes = 2_000;
  const end = results.findIndex((result) => {
    bytes += Buffer.byteLength(JSON.stringify(result)) + Buffer.byteLength(JSON.stringify(line(result))) + 2;
    return bytes > maxAnswerBytes;
  });
  return end === -1 ? results : results.slice(0, end);
}

export const coverageFields = ({ coverage, isComplete, timedOut }: SymbolAnswer) => ({
  symbol_coverage: {
    files_with_name: coverage.filesWithName,
    parsed: coverage.parsed,
    by_lines: coverage.byLines,
    not_read: coverage.notRead,
  },
  counts_exact: isComplete,
  ...(timedOut ? { timed_out: true } : {}),
});
