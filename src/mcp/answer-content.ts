import { answerTimeoutMs, type ContentAnswer } from '../code/search.ts';
import { type CodeQuery, searchCode } from '../pack/search-code.ts';
import { plural } from '../text/plural.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import type { ToolAnswer } from './answer.ts';
import { answerQuestion } from './answer-question.ts';
import {
  codeAnswer,
  fitResults,
  freshnessFields,
  renderResults,
  reusable,
  reuseFields,
  toResults,
} from './code-answer.ts';
import type { SearchMemory } from './search-memory.ts';

export interface ContentQuestion extends Omit<CodeQuery, 'offset' | 'deadlineMs'> {
  cursor: string | undefined;
  isForced: boolean;
  /** Id of the agent session in the MCP call itself; empty if the call has none. */
  callSession: string;
}

/** Searches code for every MCP tool that does so. */
export async function answerContent(
  parts: Parameters<typeof searchCode>[0],
  memory: SearchMemory,
  question: ContentQuestion,
): Promise<ToolAnswer> {
  const { cursor, isForced, callSession, ...search } = question;
  const offset = offsetOf(cursor);
  const { code } = parts;
  const { kind, answer: found } = await searchCode(parts, { ...search, offset, deadlineMs: answerTimeoutMs });
  if (kind === 'question') return answerQuestion(found, code.root);
  const { results, left } = fitResults(toResults(found));
  const shown = results.reduce((sum, { matches }) => sum + matches.length, 0);
  const next = left > 0 ? offset + shown : found.nextOffset;
  const remembered = await memory.record({
    query: search.text,
    mode: search.mode === 'regex' ? 'regex' : 'literal',
    path: search.path,
    question: JSON.stringify({ ...search, offset }),
    // The answer that is compared with the earlier one. It includes the totals, because results outside this page may
    // have changed.
    answer: [results, found.fileCount, found.lineCount, next ?? null],
    files: found.fileCount,
    lines: found.lineCount,
    isForced,
    callSession,
  });
  const { searchId, epoch } = remembered;
  const isRepeat = remembered.isRepeat && results.length > 0;
  const envelope = {
    repo_root: code.root,
    strategy: found.route.strategy,
    fallback_used: found.route.strategy !== 'indexed',
    cache: isForced ? 'bypass' : isRepeat ? 'hit' : 'miss',
    routing_reason: found.route.reason,
    search_id: searchId,
    ...freshnessFields(found.state, found.filesKnown),
  };
  const counts = { files_with_matches: found.fileCount, total_line_matches: found.lineCount };
  const nextCursor = next === undefined ? undefined : String(next);
  const full = codeAnswer(renderResults(results, `${searchId}: ${headOf(found, shown)}`, nextCursor), {
    ...envelope,
    ...counts,
    counts_exact: found.isComplete,
    ...(found.timedOut ? { timed_out: true } : {}),
    results,
    truncated: next !== undefined,
    ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
  });
  const short = () =>
    codeAnswer(
      `Unchanged since ${searchId}: ${plural(found.lineCount, 'line')} in ${plural(found.fileCount, 'file')}, shown above.`,
      { ...envelope, ...reuseFields(searchId, epoch, nextCursor), ...counts },
    );
  return reusable(full, { ...remembered, isRepeat }, short);
}

function headOf(found: ContentAnswer, shown: number): string {
  const total = `${found.isComplete ? '' : 'at least '}${plural(found.lineCount, 'matching line')} in ${plural(found.fileCount, 'file')}`;
  // An interrupted search must not look like a complete one.
  const late = found.timedOut ? '; timed out after ten seconds, there may be more: narrow it by path' : '';
  return `${total}${shown < found.lineCount ? `, ${shown} shown` : ''}${late}`;
}
