import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { checkedRecall } from '../drift/checked-recall.ts';
import { renderForAgent } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { answering, listed, readsOnly } from './answer.ts';
import type { McpParts } from './server.ts';
import { waiterOf } from './waiter.ts';

/** As many as fit into one answer in full, usually. */
const usualHits = 8;

const schema = z.object({
  query: z.string().min(1),
  limit: z.number().int().min(1).max(100).default(usualHits),
});

/** The name that one of the source designs gave to recall: the best chunks, in full. */
export function registerRagSearch(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'rag_search',
    {
      title: 'Search chat memory',
      description: 'recall under its older name: the best passages of past sessions, in full.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answering(schema, given, async ({ query, limit }) => {
        const now = parts.clock.now();
        const limits = { ...quickLimits, ...waiterOf(context, parts.clock, 'bytes indexed') };
        const found = await checkedRecall(
          parts.project,
          { text: query, now, limit, offset: 0 },
          limits,
          parts.checkedCode,
        );
        return renderForAgent(found, query, { now, format: 'full' });
      }),
  );
}
