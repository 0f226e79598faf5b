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

export function registerTimeline(server: McpServer, { parts, token, project }: TeamCaller): void {
  addTextTool(server, tool, async (input) => {
    const around = timelineQueryOf(input, 'Give an anchor or a query');
    const { anchor, memories } = await timelineOfTeam(parts, token, project, { ...around, filter: {} });
    return renderTimeline(
      {
        ...(anchor === undefined ? {} : { anchor: memoryChunk(anchor) }),
        chunks: memories.map(memoryChunk),
      },
      parts.clock.now(),
    );
  });
}
