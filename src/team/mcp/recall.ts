import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { addTextTool, alwaysLoad } from '../../mcp/answer.ts';
import { defaultLimit } from '../../recall/hit.ts';
import { questionOf } from '../../recall/parse-filter.ts';
import { renderForAgent } from '../../recall/render.ts';
import { recallShape } from '../../wire/recall-request.ts';
import { parseTeamFilter, sourceShape, teamFilterShape } from '../../wire/team.ts';
import { recallTeam } from '../memories/recall.ts';
import type { TeamCaller } from './server.ts';

const { wordings, format, limit, offset } = recallShape;
const schema = z.object({
  query: z.string().max(20_000).optional(),
  wordings,
  ...teamFilterShape,
  source: sourceShape.optional(),
  format,
  limit,
  offset,
});

const tool = {
  name: 'recall',
  description: "Search the team's memory: notes, decisions, issues, comments, results of agent sessions.",
  schema,
  _meta: alwaysLoad,
};

export function registerRecall(server: McpServer, caller: TeamCaller): void {
  addTextTool(server, tool, async (input) => {
    const { query: text, wordings: others, format: form = 'index', source, ...rest } = input;
    const { limit: maxHits = defaultLimit, offset: firstHit = 0, ...words } = rest;
    const now = caller.parts.clock.now();
    const filter = parseTeamFilter({ ...words, sources: source === undefined ? undefined : [source] }, now);
    const found = await recallTeam(caller.parts, caller.token, caller.project, {
      ...questionOf({ text, wordings: others }, filter, 'Pass query, or a filter such as kind'),
      filter,
      limit: maxHits,
      offset: firstHit,
    });
    return renderForAgent(found, text ?? others?.[0] ?? '', {
      now,
      format: form,
      limit: rest.limit,
      offset: firstHit,
    });
  });
}
