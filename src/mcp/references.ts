import { coverageText } from '../code/coverage-text.ts';
import { previewOf } from '../code/preview.ts';
import { answerTimeoutMs } from '../code/search.ts';
import { plural } from '../text/plural.ts';
import { usedName } from '../wire/code.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { readOnly, runTool, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';
import type { SearchMemory } from './search-memory.ts';
import { coverageFields, symbolAnswer, symbolSchema } from './symbol-answer.ts';

const schema = symbolSchema(usedName);

export function registerReferences(server: ToolServer, parts: McpParts, memory: SearchMemory): void {
  server.registerTool(
    'references',
    {
      title: 'Find references',
      description:
        'Where a name is used in code: definition, call, import or mention; not in comments and strings.',
      inputSchema: schemaForListing(schema),
      annotations: readOnly,
    },
    (given, context) =>
      runTool(schema, given, async ({ name, path, lang, limit, cursor, force_refresh }) => {
        const code = await parts.code();
        const offset = offsetOf(cursor);
        const search = { name, path, language: lang, limit, offset };
        const found = await code.references({ ...search, deadlineMs: answerTimeoutMs });
        const skipped = found.skipped === 0 ? '' : `, ${found.skipped} in comments and strings omitted`;
        // One result per file, split where a file has many uses: a result too large for a page would never be shown.
        const results = found.files.flatMap((file) =>
          groupsOf(file.references, 20).map((references) => ({
            path: file.path,
            matches: references.map(({ line, column, role, within, text, matchAt }) => ({
              line,
              column,
              role,
              within,
              preview: previewOf(text, matchAt),
            })),
          })),
        );
        return symbolAnswer(code, memory, {
          query: name,
          question: ['references', search],
          found,
          results,
          offset,
          nextOffset: found.nextOffset,
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
          isForced: force_refresh ?? false,
          callSession: callSessionOf(context),
        });
      }),
  );
}

const groupsOf = <T>(list: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
