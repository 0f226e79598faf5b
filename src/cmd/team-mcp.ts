import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import { parseObject } from '../base/json.ts';
import { createTeamMcpServer, type TeamCaller } from '../team/mcp/server.ts';
import type { TeamMcp } from '../team/parts.ts';

type Admitted = AuthInfo & { extra: Omit<TeamCaller, 'parts'> };

/**
 * MCP over HTTP for a team. Each request gets its own stateless server, so any process behind a proxy can answer any
 * request. The caller was authenticated before and is passed beside the request, never read from it.
 */
export function createTeamMcp(parts: TeamCaller['parts']): TeamMcp {
  const handler = createMcpHandler(({ authInfo }) =>
    createTeamMcpServer({ parts, ...(authInfo as Admitted).extra }),
  );
  return {
    async answer(request, body, caller) {
      const authInfo: Admitted = { token: '', clientId: '', scopes: [], extra: { ...caller } };
      const { url, method, headers } = request;
      const response = await handler.fetch(
        new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
        { authInfo },
      );
      // Older clients get a stream that ends with the response. Reading it here completes the work before the request's
      // slot is released. A subscription never gets an event and stays open, so it must not occupy a slot.
      if (response.body === null || parseObject(body ?? '')?.method === 'subscriptions/listen')
        return response;
      return new Response(await response.text(), response);
    },
    close: handler.close,
  };
}
