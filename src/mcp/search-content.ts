import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { contentSearchShape } from '../wire/code.ts';
import { type AnswerTool, answeringCode, listed, loadedAtOnce, readsOnly } from './answer.ts';
import { answerContent } from './answer-content.ts';
import { sessionNamedIn } from './record-answers.ts';
import type { SearchMemory } from './search-memory.ts';
import type { McpParts } from './server.ts';

const schema = z.object({ ...contentSearchShape, force_refresh: z.boolean().optional() });

export function registerSearchContent(server: McpServer, parts: McpParts, memory: SearchMemory): void {
  server.registerTool(
    'search_content',
    {
      title: 'Search code',
      description: 'Lines of code that match; definitions first.',
      inputSchema: listed(schema),
      annotations: readsOnly,
      _meta: loadedAtOnce,
    },
    answerSearchContent(parts, memory),
  );
}

export const answerSearchContent =
  (parts: McpParts, memory: SearchMemory): AnswerTool =>
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
    );
