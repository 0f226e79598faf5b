import { z } from 'zod';
import { checkedTimeline } from '../drift/checked-timeline.ts';
import { renderTimeline } from '../recall/render.ts';
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
    const { project, checkedCode, clock } = parts;
    const { found, drifts, items } = await checkedTimeline(project, around, quickLimits, checkedCode);
    const record = { anchor: found.anchor?.id, items: itemsThatFit(items) };
    return { text: renderTimeline(found, clock.now(), drifts), record };
  },
});
