import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { driftOfChunks } from '../drift/drift-of-chunks.ts';
import { renderTimeline } from '../recall/render.ts';
import { timeline } from '../recall/timeline.ts';
import { quickLimits } from '../recall/with-index.ts';
import { timelineAsked, timelineShape } from '../wire/timeline.ts';
import { answering, listed, readsOnly } from './answer.ts';
import type { McpParts } from './server.ts';

const schema = z.object(timelineShape);

export function registerTimeline(server: McpServer, parts: McpParts): void {
  server.registerTool(
    'timeline',
    {
      title: 'Timeline',
      description: 'What happened before and after a hit.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given) =>
      answering(schema, given, async (asked) => {
        const around = timelineAsked(asked, 'Give an anchor or a query');
        const now = parts.clock.now();
        const found = await timeline(parts.project, { ...around, now }, quickLimits);
        const drifts = await driftOfChunks(parts.project, found.chunks, quickLimits, parts.checkedCode);
        return renderTimeline(found, now, drifts);
      }),
  );
}
