import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { previewOf } from '../code/preview.ts';
import { answerTimeoutMs, type ContentAnswer } from '../code/search.ts';
import { searchCode } from '../pack/search-code.ts';
import { defaultLimit, limitCap } from '../recall/hit.ts';
import { plural } from '../text/plural.ts';
import { contentSearchShape } from '../wire/code.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { alwaysLoad, type ToolAnswer } from './answer.ts';
import { answerQuestion } from './answer-question.ts';
import { inPages, pagedAnswer } from './paged-answer.ts';
import type { ServerParts } from './parts.ts';
import { progressReporter } from './progress.ts';
import { tool } from './tool.ts';

const schema = z.object({ ...contentSearchShape, force_refresh: z.boolean().optional() });

export const searchContent = tool({
  name: 'search_content',
  description: 'Search code: text, or a question in plain words.',
  schema,
  // A regular expression with `\b` also finds whole words.
  listed: schema.omit({ whole_word: true }),
  _meta: alwaysLoad,
  answer: search,
});

/** Narrows by path first, as another design does. */
export const searchBelowPath = tool({
  name: 'search_path_and_content',
  title: 'Search code below a path',
  description: 'Narrow by a path glob, then search content.',
  schema: z.object({
    path_query: z.string().min(1).max(1_000).describe('Glob, or part of the path'),
    content_query: z.string().min(1).max(4_000),
    mode: z.enum(['literal', 'regex']).default('literal'),
    limit: z.number().int().min(1).max(limitCap).default(defaultLimit),
    cursor: z.string().optional(),
    force_refresh: z.boolean().optional(),
  }),
  answer: (parts, { path_query: path, content_query: query, ...same }, context) =>
    search(parts, { ...same, path, query }, context),
});

async function search(
  parts: ServerParts,
  input: z.output<typeof schema>,
  context: ServerContext,
): Promise<ToolAnswer> {
  const { query: text, wordings, mode, path, limit } = input;
  const code = await parts.code();
  const question = {
    text,
    wordings,
    mode,
    path,
    ignoreCase: input.ignore_case ?? false,
    wholeWord: input.whole_word ?? false,
    limit,
    offset: offsetOf(input.cursor),
  };
  const { kind, answer: found } = await searchCode(
    { code, pastWork: parts.pastWork, waiter: progressReporter(context, parts.clock) },
    { ...question, deadlineMs: answerTimeoutMs },
  );
  if (kind === 'question') return answerQuestion(found, code.root);
  return pagedAnswer(parts, code, input, context, {
    query: text,
    mode: mode === 'regex' ? mode : 'literal',
    path,
    question,
    found,
    results: toResults(found),
    files: found.fileCount,
    lines: found.lineCount,
    countOf: ({ matches }) => matches.length,
    head: (shown) => headOf(found, shown),
    line: ({ path: file, matches, reason }) =>
      [
        reason === 'definition_match' ? `${file} (definition)` : file,
        ...matches.map(({ line, preview }) => `  ${line}: ${preview}`),
      ].join('\n'),
    fields: {
      files_with_matches: found.fileCount,
      total_line_matches: found.lineCount,
      counts_exact: found.isComplete,
      ...(found.timedOut ? { timed_out: true } : {}),
    },
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
