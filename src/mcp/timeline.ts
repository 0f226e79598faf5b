import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { driftOfChunks } from '../drift/drift-of-chunks.ts';
import { renderTimeline } from '../recall/render.ts';
import { timeline } from '../recall/timeline.ts';
import { quickLimits } from '../recall/with-index.ts';
import { timelineShape } from '../wire/timeline.ts';
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
      answering(schema, given, async ({ anchor, query, depth_before, depth_after }) => {
        if ((anchor ?? query ?? '') === '') {
          throw new AppError('INVALID_ARGUMENT', 'around what?', { hint: 'Give an anchor or a query' });
        }
        const now = parts.clock.now();
        const found = await timeline(
          parts.project,
          {
            ...(anchor === undefined ? {} : { anchor }),
            ...(query === undefined || anchor !== undefined ? {} : { text: query }),
            ...(depth_before === undefined ? {} : { before: depth_before }),
            ...(depth_after === undefined ? {} : { after: depth_after }),
            now,
          },
          quickLimits,
        );
        const drifts = await driftOfChunks(parts.project, found.chunks, quickLimits, parts.checkedCode);
        return renderTimeline(found, now, drifts);
      }),
  );
}
