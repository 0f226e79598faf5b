import { z } from 'zod';
import type { CodeSearch } from '../code/code-search.ts';
import { coverageText } from '../code/coverage-text.ts';
import type { SymbolAnswer, SymbolSearch } from '../code/definition.ts';
import { previewOf } from '../code/preview.ts';
import { answerTimeoutMs } from '../code/search.ts';
import { plural } from '../text/plural.ts';
import { definedName, symbolShape, usedName } from '../wire/code.ts';
import { inPages, type Page, searchTool } from './paged-answer.ts';

/** `meaning` describes the name parameter to the model. */
const symbolTool = <Found extends Page<never>['found'], Result>(
  name: string,
  { meaning, ...about }: { title: string; description: string; meaning: string },
  find: (code: CodeSearch, search: SymbolSearch) => Promise<Found>,
  toResults: (found: Found) => Result[],
  toPage: (found: Found, symbol: string) => Pick<Page<Result>, 'countOf' | 'head' | 'line' | 'fields'>,
) =>
  searchTool({
    name,
    ...about,
    schema: z.object({ ...symbolShape(meaning), force_refresh: z.boolean().optional() }),
    async find(_parts, code, { name: symbol, path, limit }, offset) {
      const search = { name: symbol, path, limit, offset };
      const found = await find(code, { ...search, deadlineMs: answerTimeoutMs });
      const results = toResults(found);
      return { ...toPage(found, symbol), results, query: symbol, question: [name, search], found };
    },
  });

export const definition = symbolTool(
  'definition',
  {
    title: 'Find a definition',
    description: 'Where a function, type or other name is defined, with its signature.',
    meaning: definedName,
  },
  (code, search) => code.definitions(search),
  (found) =>
    found.definitions.map((each) => ({
      path: each.path,
      line: each.line,
      start_line: each.startLine,
      end_line: each.endLine,
      kind: each.kind,
      name: each.name,
      container: each.container,
      signature: previewOf(each.signature, 0),
      reason: each.isGuess ? 'text_match' : 'definition_match',
    })),
  (found, name) => ({
    head: (shown) =>
      `${plural(found.total, 'definition')} of ${name}${found.isFolded ? ' (case-insensitive match)' : ''}${shown < found.total ? `, ${shown} shown` : ''}; ${coverageText(found)}`,
    line: (each) =>
      `${each.path}:${each.line} ${each.kind}${each.container === '' ? '' : ` in ${each.container}`}: ${each.signature} (lines ${each.start_line}-${each.end_line})`,
    fields: { total_definitions: found.total, ...coverageFields(found) },
  }),
);

export const references = symbolTool(
  'references',
  {
    title: 'Find references',
    description:
      'Where a name is used in code: definition, call, import or mention; not in comments and strings.',
    meaning: usedName,
  },
  (code, search) => code.references(search),
  (found) =>
    found.files.flatMap((file) =>
      inPages(file.references).map((references) => ({
        path: file.path,
        matches: references.map(({ line, column, role, within, text, matchAt }) => ({
          line,
          column,
          role,
          within,
          preview: previewOf(text, matchAt),
        })),
      })),
    ),
  (found, name) => {
    const skipped = found.skipped === 0 ? '' : `, ${found.skipped} in comments and strings omitted`;
    return {
      countOf: ({ matches }) => matches.length,
      head: (shown) =>
        `${found.isComplete ? '' : 'at least '}${plural(found.total, 'use')} of ${name}${shown < found.total ? `, ${shown} shown` : ''}${skipped}; ${coverageText(found)}`,
      line: (file) =>
        [
          file.path,
          ...file.matches.map(
            ({ line, role, within, preview }) =>
              `  ${line} ${role}${within === '' ? '' : ` in ${within}`}: ${preview}`,
          ),
        ].join('\n'),
      fields: {
        total_references: found.total,
        total_line_matches: found.lineCount,
        in_comments_and_strings: found.skipped,
        ...coverageFields(found),
      },
    };
  },
);

const coverageFields = ({ coverage, isComplete, timedOut }: SymbolAnswer) => ({
  symbol_coverage: {
    files_with_name: coverage.filesWithName,
    parsed: coverage.parsed,
    by_lines: coverage.byLines,
    not_read: coverage.notRead,
  },
  counts_exact: isComplete,
  ...(timedOut ? { timed_out: true } : {}),
});
