import { z } from 'zod';
import { plural } from '../text/plural.ts';
import { fileSearchShape } from '../wire/code.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { readOnly, runTool, schemaForListing, type ToolServer } from './answer.ts';
import type { FrecentFiles } from './frecent-files.ts';
import { pagedAnswer } from './paged-answer.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';
import type { SearchMemory } from './search-memory.ts';

const schema = z.object({ ...fileSearchShape, force_refresh: z.boolean().optional() });

const maxPathLength = 400;

interface FileSearchState {
  memory: SearchMemory;
  frecentFiles: FrecentFiles;
}

export function registerFindFiles(
  server: ToolServer,
  parts: McpParts,
  { memory, frecentFiles }: FileSearchState,
): void {
  server.registerTool(
    'find_files',
    {
      description: 'Files by name or path, best first.',
      inputSchema: schemaForListing(schema),
      annotations: readOnly,
    },
    (given, context) =>
      runTool(schema, given, async ({ query, limit, cursor, force_refresh }) => {
        const code = await parts.code();
        const offset = offsetOf(cursor);
        const frecency = frecentFiles.addedTo(await parts.frecency());
        const found = await code.files({ query, limit, offset, frecency });
        const results = found.files.map(({ path, reason }) => ({
          path: path.slice(0, maxPathLength),
          reason,
        }));
        const { isIndexed } = found.state;
        return pagedAnswer(code, memory, {
          query,
          question: ['files', query, limit, offset],
          found: {
            ...found,
            route: {
              strategy: isIndexed ? 'indexed' : 'direct_scan',
              reason: isIndexed ? 'path_index' : 'no_index',
            },
          },
          results,
          // Sorted, because reading a file moves it up in the ranking although the results are the same files.
          same: results.map(({ path }) => path).sort(),
          files: found.total,
          offset,
          nextOffset: found.nextOffset,
          countOf: () => 1,
          head: (shown) =>
            `${plural(found.total, 'file')}${results.some(({ reason }) => reason === 'fuzzy_path_match') ? ' (fuzzy match)' : ''}${shown < found.total ? `, ${shown} shown` : ''}`,
          line: ({ path }) => path,
          fields: { files_with_matches: found.total },
          isForced: force_refresh ?? false,
          callSession: callSessionOf(context),
        });
      }),
  );
}
