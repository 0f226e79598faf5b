import { previewOf } from '../code/preview.ts';
import { answerTimeoutMs, type ContentAnswer } from '../code/search.ts';
import { type CodeQuery, searchCode } from '../pack/search-code.ts';
import { plural } from '../text/plural.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import type { ToolAnswer } from './answer.ts';
import { answerQuestion } from './answer-question.ts';
import { inPages, pagedAnswer } from './paged-answer.ts';
import type { SearchMemory } from './search-memory.ts';

export interface ContentQuestion extends Omit<CodeQuery, 'offset' | 'deadlineMs'> {
  cursor: string | undefined;
  isForced: boolean;
  /** Id of the agent session in the MCP call itself; empty if the call has none. */
  callSession: string;
}

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
  return pagedAnswer(code, memory, {
    query: search.text,
    mode: search.mode === 'regex' ? 'regex' : 'literal',
    path: search.path,
    question: { ...search, offset },
    found,
    results: toResults(found),
    offset,
    nextOffset: found.nextOffset,
    files: found.fileCount,
    lines: found.lineCount,
    countOf: ({ matches }) => matches.length,
    head: (shown) => headOf(found, shown),
    line: ({ path, matches, reason }) =>
      [
        reason === 'definition_match' ? `${path} (definition)` : path,
        ...matches.map(({ line, preview }) => `  ${line}: ${preview}`),
      ].join('\n'),
    fields: {
      files_with_matches: found.fileCount,
      total_line_matches: found.lineCount,
      counts_exact: found.isComplete,
      ...(found.timedOut ? { timed_out: true } : {}),
    },
    isForced,
    callSession,
  });
}

const toResults = ({ files }: ContentAnswer) =>
  files.flatMap(({ path, hits }) =>
    inPages(hits).map((own) => ({
      path,
      matches: own.map(({ line, column, text, matchAt }) => ({
        line,
        column,
        preview: previewOf(text, matchAt),
      })),
      reason: hits.some(({ isDefinition }) => isDefinition) ? 'definition_match' : 'content_match',
    })),
  );

function headOf(found: ContentAnswer, shown: number): string {
  const total = `${found.isComplete ? '' : 'at least '}${plural(found.lineCount, 'matching line')} in ${plural(found.fileCount, 'file')}`;
  // An interrupted search must not look like a complete one.
  const late = found.timedOut ? '; timed out after ten seconds, there may be more: narrow it by path' : '';
  return `${total}${shown < found.lineCount ? `, ${shown} shown` : ''}${late}`;
}
