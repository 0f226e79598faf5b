import { z } from 'zod';
import { roles } from '../../domain/memory.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const summaries = {
  POST: 'MCP over Streamable HTTP: recall, get_notes, timeline, forge_memory, and remember where your role allows it.',
  GET: 'Always 405: the server sends no messages of its own.',
  DELETE: 'Always 405: the server is stateless and has no sessions to end.',
} as const;

const names = { POST: 'callMcp', GET: 'openMcpStream', DELETE: 'endMcpSession' } as const;

/** MCP routes. Each project has its own URL, so that an agent's settings show which project it is connected to. */
export const mcpRoutes: TeamRoute[] = (['POST', 'GET', 'DELETE'] as const).map((method) =>
  teamRoute({
    method,
    path: '/mcp/:id',
    name: names[method],
    answers: z.unknown(),
    summary: summaries[method],
    allowed: forReaders,
    readsBody: true,
    params: z.object({ id: uuidShape }),
    async answer({ store, mcp }, { id }, token, raw) {
      const member = await store.member(token, id);
      checkPermission(member, forReaders);
      const mayWrite =
        roles.indexOf(member.role) <= roles.indexOf('member') && member.scopes.includes('write');
      return mcp.answer(raw?.request as Request, raw?.body, { token, project: id, mayWrite });
    },
  }),
);
