import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defaultLimit, limitCap } from '../domain/hit.ts';
import { answeringCode, listed, readsOnly } from './answer.ts';
import { answerContent } from './answer-content.ts';
import type { SearchMemory } from './search-memory.ts';
import { sessionNamedIn } from './served.ts';
import type { McpParts } from './server.ts';

const schema = z.object({
  query: z.string().min(1).max(4_000),
  mode: z.enum(['literal', 'regex']).default('literal'),
  path: z.string().optional().describe('Glob or part of the path'),
  lang: z.string().optional(),
  ignore_case: z.boolean().optional(),
  whole_word: z.boolean().optional(),
  multiline: z.boolean().optional(),
  limit: z.number().int().min(1).max(limitCap).default(defaultLimit),
  cursor: z.string().optional(),
  force_refresh: z.boolean().optional(),
});

export function registerSearchContent(server: McpServer, parts: McpParts, memory: SearchMemory): void {
  server.registerTool(
    'search_content',
    {
      title: 'Search code',
      description: 'Lines of code that match; definitions first.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringCode(schema, given, async (asked) =>
        answerContent(await parts.code(), memory, {
          text: asked.query,
          mode: asked.mode,
          path: asked.path,
          language: asked.lang,
          ignoreCase: asked.ignore_case ?? false,
          wholeWord: asked.whole_word ?? false,
          multiline: asked.multiline ?? false,
          limit: asked.limit,
          cursor: asked.cursor,
          isForced: asked.force_refresh ?? false,
          named: sessionNamedIn(context),
        }),
      ),
  );
}
