import { z } from 'zod';
import { checkPermission, forReaders, forWriters, isPermitted } from '../people/permissions.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

/**
 * Each project has its own URL, so that an agent's settings show which project it is connected to. Other methods get 405:
 * the server sends no messages of its own, and has no sessions to end.
 */
export const mcpRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/mcp/:id',
    name: 'callMcp',
    answers: z.unknown(),
    summary:
      'MCP over Streamable HTTP: recall, get_notes, timeline, forge_memory, and remember where your role allows it.',
    readsBody: true,
    params: z.object({ id: uuidShape }),
    async answer({ store, mcp }, { id }, token, { context, body }) {
      const member = await store.member(token, id);
      checkPermission(member, forReaders);
      const mayWrite = isPermitted(member, forWriters);
      return mcp.answer(context.req.raw, body, { token, project: id, mayWrite });
    },
  }),
];
