import { z } from 'zod';
import { plural } from '../text/plural.ts';
import { fileSearchShape } from '../wire/code.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { readOnly, runTool, schemaForListing, type ToolServer } from './answer.ts';
import { codeAnswer, freshnessFields, reusable, reuseFields } from './code-answer.ts';
import type { FrecentFiles } from './frecent-files.ts';
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
        const results = found.files
          .map(({ path, reason }) => ({ path: path.slice(0, maxPathLength), reason }))
          .slice(0, countThatFits(found.files));
        const next = results.length < found.files.length ? offset + results.length : found.nextOffset;
        const remembered = await memory.record({
          query,
          question: JSON.stringify(['files', query, limit, offset]),
          // Compared with the earlier answer, to detect a repeated search. Paths are sorted for this comparison,
          // because reading a file moves it up in the ranking although the results are the same files.
          answer: [results.map(({ path }) => path).sort(), found.total, next ?? null],
          files: found.total,
          lines: 0,
          isForced: force_refresh ?? false,
          callSession: callSessionOf(context),
        });
        const { searchId, epoch } = remembered;
        const isRepeat = remembered.isRepeat && results.length > 0;
        const strategy = found.state.isIndexed ? 'indexed' : 'direct_scan';
        const envelope = {
          repo_root: code.root,
          strategy,
          fallback_used: strategy !== 'indexed',
          cache: force_refresh === true ? 'bypass' : isRepeat ? 'hit' : 'miss',
          routing_reason: found.state.isIndexed ? 'path_index' : 'no_index',
          search_id: searchId,
          ...freshnessFields(found.state, found.filesKnown),
        };
        const nextCursor = next === undefined ? undefined : String(next);
        const isFuzzy = results.some(({ reason }) => reason === 'fuzzy_path_match');
        const head = `${searchId}: ${plural(found.total, 'file')}${isFuzzy ? ' (fuzzy match)' : ''}${results.length < found.total ? `, ${results.length} shown` : ''}`;
        const more = nextCursor === undefined ? [] : [`More with cursor "${nextCursor}".`];
        const full = codeAnswer([head, ...results.map(({ path }) => path), ...more].join('\n'), {
          ...envelope,
          files_with_matches: found.total,
          results,
          truncated: nextCursor !== undefined,
          ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
        });
        const short = () =>
          codeAnswer(`Unchanged since ${searchId}: ${plural(found.total, 'file')}, shown above.`, {
            ...envelope,
            ...reuseFields(searchId, epoch, nextCursor),
            files_with_matches: found.total,
          });
        return reusable(full, { ...remembered, isRepeat }, short);
      }),
  );
}

/**
 * Returns how many files fit into the answer, because very long paths could exceed its size limit. Each path counts
 * twice: as text and as structured content.
 */
function countThatFits(files: { path: string }[]): number {
  let bytes = 0;
  const end = files.findIndex(({ path }) => {
    bytes += Math.min(Buffer.byteLength(JSON.stringify(path)), maxPathLength * 3) * 2 + 40;
    return bytes > 17_000;
  });
  return end === -1 ? files.length : end;
}
