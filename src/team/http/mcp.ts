import { z } from 'zod';
import { roles } from '../../domain/memory.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const summaries = {
  POST: 'MCP over Streamable HTTP: recall, get_notes, timeline, forge_memory, and remember where your role allows it.',
  GET: 'Nothing is told but what was asked for: 405, as the protocol has it.',
  DELETE: 'There are no sessions to end: 405, as the protocol has it.',
} as const;

/** One address for each project, so that what an agent is connected to stands in its settings. */
export const mcpRoutes: TeamRoute[] = (['POST', 'GET', 'DELETE'] as const).map((method) =>
  teamRoute({
    method,
    path: '/mcp/:id',
    summary: summaries[method],
    allowed: forReaders,
    readsBody: true,
    asks: z.object({ id: uuidShape }),
    async answer({ store, mcp }, { id }, token, heard) {
      const member = await store.member(token, id);
      checkPermission(member, forReaders);
      const mayWrite =
        roles.indexOf(member.role) <= roles.indexOf('member') && member.scopes.includes('write');
      return mcp.answer(heard?.request as Request, heard?.body, { token, project: id, mayWrite });
    },
  }),
);
