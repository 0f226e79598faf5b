import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defaultLimit, limitCap } from '../domain/hit.ts';
import { answeringCode, listed, readsOnly } from './answer.ts';
import { answerContent } from './answer-content.ts';
import type { SearchMemory } from './search-memory.ts';
import { sessionNamedIn } from './served.ts';
import type { McpParts } from './server.ts';

const schema = z.object({
  path_query: z.string().min(1).max(1_000).describe('Glob, or part of the path'),
  content_query: z.string().min(1).max(4_000),
  mode: z.enum(['literal', 'regex']).default('literal'),
  limit: z.number().int().min(1).max(limitCap).default(defaultLimit),
  cursor: z.string().optional(),
  force_refresh: z.boolean().optional(),
});

export function registerSearchPathAndContent(server: McpServer, parts: McpParts, memory: SearchMemory): void {
  server.registerTool(
    'search_path_and_content',
    {
      title: 'Search code below a path',
      description: 'Narrow by a path glob, then search content.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringCode(schema, given, async (asked) =>
        answerContent(await parts.code(), memory, {
          text: asked.content_query,
          mode: asked.mode,
          path: asked.path_query,
          language: undefined,
          ignoreCase: false,
          wholeWord: false,
          multiline: false,
          limit: asked.limit,
          cursor: asked.cursor,
          isForced: asked.force_refresh ?? false,
          named: sessionNamedIn(context),
        }),
      ),
  );
}
