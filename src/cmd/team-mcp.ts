import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import { parseObject } from '../base/json.ts';
import type { TeamCaller } from '../team/mcp/caller.ts';
import { createTeamMcpServer } from '../team/mcp/server.ts';
import type { TeamMcp } from '../team/parts.ts';

type Admitted = AuthInfo & { extra: Omit<TeamCaller, 'parts'> };

/**
 * MCP over HTTP for a team. A server for each request, which keeps nothing: any process behind a proxy answers any
 * of them. Who calls was found out before; it comes in beside the request, never out of it.
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
      // Older clients are answered by a stream, which ends with the answer: the work is done before it is another's
      // turn. Who wants to hear of changes hears nothing, since there are none, and may wait for it.
      if (response.body === null || parseObject(body ?? '')?.method === 'subscriptions/listen')
        return response;
      return new Response(await response.text(), response);
    },
    close: handler.close,
  };
}
