import { z } from 'zod';
import { driftOfChunks } from '../drift/check-drift.ts';
import { renderTimeline, shownChunk } from '../recall/render.ts';
import { timeline } from '../recall/timeline.ts';
import { quickLimits } from '../recall/with-index.ts';
import { timelineQueryOf, timelineShape } from '../wire/timeline.ts';
import { addTextTool, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { itemsThatFit } from './session-answer.ts';

const schema = z.object(timelineShape);

const tool = {
  name: 'timeline',
  title: 'Timeline',
  description: 'Events before and after a hit.',
  schema,
};

export function registerTimeline(server: ToolServer, parts: McpParts): void {
  addTextTool(server, tool, async (input) => {
    const around = timelineQueryOf(input, 'Pass an anchor or a query');
    const found = await timeline(parts.project, around, quickLimits);
    const drifts = await driftOfChunks(parts.project, found.chunks, quickLimits, parts.checkedCode);
    const chunks = found.chunks.map((chunk) => ({ ...shownChunk(chunk), drift: drifts.get(chunk) }));
    const record = { anchor: found.anchor?.id, items: itemsThatFit(chunks) };
    return { text: renderTimeline(found, parts.clock.now(), drifts), record };
  });
}
