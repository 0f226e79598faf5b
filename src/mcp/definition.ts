import { coverageText } from '../code/coverage-text.ts';
import { previewOf } from '../code/preview.ts';
import { answerTimeoutMs } from '../code/search.ts';
import { plural } from '../text/plural.ts';
import { definedName } from '../wire/code.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { readOnly, runTool, schemaForListing, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';
import type { SearchMemory } from './search-memory.ts';
import { coverageFields, symbolAnswer, symbolSchema } from './symbol-answer.ts';

const schema = symbolSchema(definedName);

export function registerDefinition(server: ToolServer, parts: McpParts, memory: SearchMemory): void {
  server.registerTool(
    'definition',
    {
      title: 'Find a definition',
      description: 'Where a function, type or other name is defined, with its signature.',
      inputSchema: schemaForListing(schema),
      annotations: readOnly,
    },
    (given, context) =>
      runTool(schema, given, async ({ name, path, lang, limit, cursor, force_refresh }) => {
        const code = await parts.code();
        const offset = offsetOf(cursor);
        const search = { name, path, language: lang, limit, offset };
        const found = await code.definitions({ ...search, deadlineMs: answerTimeoutMs });
        const folded = found.isFolded ? ' (case-insensitive match)' : '';
        return symbolAnswer(code, memory, {
          query: name,
          question: ['definition', search],
          found,
          results: found.definitions.map((each) => ({
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
          offset,
          nextOffset: found.nextOffset,
          countOf: () => 1,
          head: (shown) =>
            `${plural(found.total, 'definition')} of ${name}${folded}${shown < found.total ? `, ${shown} shown` : ''}; ${coverageText(found)}`,
          line: (each) =>
            `${each.path}:${each.line} ${each.kind}${each.container === '' ? '' : ` in ${each.container}`}: ${each.signature} (lines ${each.start_line}-${each.end_line})`,
          fields: { total_definitions: found.total, ...coverageFields(found) },
          isForced: force_refresh ?? false,
          callSession: callSessionOf(context),
        });
      }),
  );
}
