import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { addTextTool } from '../../mcp/answer.ts';
import { renderTimeline } from '../../recall/render.ts';
import { timelineQueryOf, timelineShape } from '../../wire/timeline.ts';
import { memoryChunk } from '../memories/memory-chunk.ts';
import { timelineOfTeam } from '../memories/timeline.ts';
import type { TeamCaller } from './server.ts';

const schema = z.object(timelineShape);

const tool = {
  name: 'timeline',
  description: "The team's memories from just before and after a hit.",
  schema,
};

export function registerTimeline(server: McpServer, caller: TeamCaller): void {
  addTextTool(server, tool, async (input) => {
    const around = timelineQueryOf(input, 'Give an anchor or a query');
    const now = caller.parts.clock.now();
    const query = { ...around, filter: {}, now };
    const found = await timelineOfTeam(caller.parts, caller.token, caller.project, query);
    const { anchor, memories } = found;
    return renderTimeline(
      {
        ...(anchor === undefined ? {} : { anchor: memoryChunk(anchor) }),
        chunks: memories.map(memoryChunk),
      },
      now,
    );
  });
}
