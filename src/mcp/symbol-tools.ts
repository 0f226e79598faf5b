import { z } from 'zod';
import type { CodeSearch } from '../code/code-search.ts';
import { coverageText } from '../code/coverage-text.ts';
import type { SymbolAnswer, SymbolSearch } from '../code/definition.ts';
import { previewOf } from '../code/preview.ts';
import { answerTimeoutMs } from '../code/search.ts';
import { plural } from '../text/plural.ts';
import { definedName, symbolShape, usedName } from '../wire/code.ts';
import type { ToolServer } from './answer.ts';
import { addSearchTool, inPages, type Page } from './paged-answer.ts';
import type { McpParts } from './parts.ts';
import type { SearchMemory } from './search-memory.ts';

export function registerSymbolTools(server: ToolServer, parts: McpParts, memory: SearchMemory): void {
  /** `meaning` describes the name parameter to the model. */
  const add = <Found extends Page<never>['found'], Result>(
    tool: string,
    about: { title: string; description: string; meaning: string },
    find: (code: CodeSearch, search: SymbolSearch) => Promise<Found>,
    toResults: (found: Found) => Result[],
    toPage: (found: Found, name: string) => Pick<Page<Result>, 'countOf' | 'head' | 'line' | 'fields'>,
  ): void => {
    const { meaning, ...shown } = about;
    const schema = z.object({ ...symbolShape(meaning), force_refresh: z.boolean().optional() });
    addSearchTool(server, parts, memory, { name: tool, ...shown, schema }, async (code, input, offset) => {
      const { name, path, limit } = input;
      const search = { name, path, limit, offset };
      const found = await find(code, { ...search, deadlineMs: answerTimeoutMs });
      const results = toResults(found);
      return { ...toPage(found, name), results, query: name, question: [tool, search], found };
    });
  };

  add(
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
  add(
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
}

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
