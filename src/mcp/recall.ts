import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defaultLimit } from '../domain/hit.ts';
import { checkedRecall } from '../drift/checked-recall.ts';
import { filterFromWords } from '../recall/filter-words.ts';
import { renderForAgent } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { recallShape } from '../wire/recall.ts';
import { answering, listed, loadedAtOnce, readsOnly } from './answer.ts';
import type { McpParts } from './server.ts';
import { waiterOf } from './waiter.ts';

const schema = z.object(recallShape);

export function registerRecall(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'recall',
    {
      description:
        "Search this project's memory: past prompts, answers, decisions, edits, commands and notes.",
      inputSchema: listed(schema),
      annotations: readsOnly,
      _meta: loadedAtOnce,
    },
    (given, context) =>
      answering(schema, given, async ({ query, format, explain, limit, offset, ...words }) => {
        const now = parts.clock.now();
        const found = await checkedRecall(
          parts.project,
          {
            ...filterFromWords(words, now),
            text: query,
            now,
            limit: limit ?? defaultLimit,
            offset: offset ?? 0,
          },
          { ...quickLimits, ...waiterOf(context, parts.clock, 'bytes indexed') },
          parts.checkedCode,
        );
        return renderForAgent(found, query, { now, format: format ?? 'index', explain: explain ?? false });
      }),
  );
}
