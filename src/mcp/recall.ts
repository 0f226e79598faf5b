import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defaultLimit } from '../domain/hit.ts';
import { checkedRecall } from '../drift/checked-recall.ts';
import { filterFromWords } from '../recall/filter-words.ts';
import { answerFormats, renderForAgent } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { answering, listed, readsOnly } from './answer.ts';
import { filterShape } from './filter-shape.ts';
import type { McpParts } from './server.ts';

const schema = z.object({
  query: z.string().min(1).describe('What to find, in plain words or identifiers'),
  ...filterShape,
  format: z.enum(answerFormats).optional(),
  explain: z.boolean().optional(),
  limit: z.number().int().min(1).max(100).optional(),
  offset: z.number().int().min(0).optional(),
});

export function registerRecall(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'recall',
    {
      title: 'Recall',
      description:
        "Search this project's memory: past prompts, answers, decisions, edits, commands and notes.",
      inputSchema: listed(schema),
      annotations: readsOnly,
      // Claude Code hides most tools behind a search; this one is what the rest is for.
      _meta: { 'anthropic/alwaysLoad': true },
    },
    (given) =>
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
          quickLimits,
          parts.checkedCode,
        );
        return renderForAgent(found, query, { now, format: format ?? 'index', explain: explain ?? false });
      }),
  );
}
