import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { plural } from '../text/plural.ts';
import { fileSearchShape } from '../wire/code.ts';
import { offsetOf } from '../wire/offset.ts';
import { answeringCode, listed, readsOnly } from './answer.ts';
import { codeAnswer, freshnessFields, reusable, reuseFields } from './code-answer.ts';
import type { FrecentFiles } from './frecent-files.ts';
import { sessionNamedIn } from './record-answers.ts';
import type { SearchMemory } from './search-memory.ts';
import type { McpParts } from './server.ts';

const schema = z.object({ ...fileSearchShape, force_refresh: z.boolean().optional() });

const maxPathLength = 400;

interface FileFinding {
  memory: SearchMemory;
  favoured: FrecentFiles;
}

export function registerFindFiles(
  server: McpServer,
  parts: McpParts,
  { memory, favoured }: FileFinding,
): void {
  server.registerTool(
    'find_files',
    {
      title: 'Find files',
      description: 'Files by name or path, best first.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringCode(schema, given, async ({ query, limit, cursor, force_refresh }) => {
        const code = await parts.code();
        const offset = offsetOf(cursor);
        const frecency = favoured.over(await parts.frecency());
        const found = await code.files({ query, limit, offset, frecency });
        const results = found.files
          .map(({ path, reason }) => ({ path: path.slice(0, maxPathLength), reason }))
          .slice(0, shownOf(found.files));
        const next = results.length < found.files.length ? offset + results.length : found.nextOffset;
        const remembered = await memory.record({
          query,
          question: JSON.stringify(['files', query, limit, offset]),
          // In whichever order: a file that was read since stands further up, and is no news.
          answer: [results.map(({ path }) => path).sort(), found.total, next ?? null],
          files: found.total,
          lines: 0,
          isForced: force_refresh ?? false,
          named: sessionNamedIn(context),
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
        const head = `${searchId}: ${plural(found.total, 'file')}${isFuzzy ? ' with these letters' : ''}${results.length < found.total ? `, ${results.length} shown` : ''}`;
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

/** A hundred very long paths would be too long an answer. */
function shownOf(files: { path: string }[]): number {
  let bytes = 0;
  const end = files.findIndex(({ path }) => {
    bytes += Math.min(Buffer.byteLength(JSON.stringify(path)), maxPathLength * 3) * 2 + 40;
    return bytes > 17_000;
  });
  return end === -1 ? files.length : end;
}
