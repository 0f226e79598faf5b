import { z } from 'zod';
import { driftOfChunks } from '../drift/check-drift.ts';
import { renderTimeline, shownChunk } from '../recall/render.ts';
import { timeline } from '../recall/timeline.ts';
import { quickLimits } from '../recall/with-index.ts';
import { timelineQueryOf, timelineShape } from '../wire/timeline.ts';
import { itemsThatFit } from './session-answer.ts';
import { textTool } from './tool.ts';

export const timelineTool = textTool({
  name: 'timeline',
  title: 'Timeline',
  description: 'Events before and after a hit.',
  schema: z.object(timelineShape),
  async answer(parts, input) {
    const around = timelineQueryOf(input, 'Pass an anchor or a query');
    const found = await timeline(parts.project, around, quickLimits);
    const drifts = await driftOfChunks(parts.project, found.chunks, quickLimits, parts.checkedCode);
    const chunks = found.chunks.map((chunk) => ({ ...shownChunk(chunk), drift: drifts.get(chunk) }));
    const record = { anchor: found.anchor?.id, items: itemsThatFit(chunks) };
    return { text: renderTimeline(found, parts.clock.now(), drifts), record };
  },
});
