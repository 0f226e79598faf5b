import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import { createTeamMcpServer, type TeamCaller } from '../mcp/team/server.ts';
import type { TeamParts } from '../team/parts.ts';

type Admitted = AuthInfo & { extra: Omit<TeamCaller, 'parts'> };

/**
 * MCP over HTTP for a team. A server for each request, which keeps nothing: any process behind a proxy answers any
 * of them. Who calls was found out before; it comes in beside the request, never out of it.
 */
export function createTeamMcp(parts: TeamCaller['parts']): TeamParts['mcp'] {
  const handler = createMcpHandler(
    ({ authInfo }) => createTeamMcpServer({ parts, ...(authInfo as Admitted).extra }),
    // Which tools there are does not change, so there is nothing to be told of.
    { maxSubscriptions: 0 },
  );
  return async (request, caller) => {
    const authInfo: Admitted = { token: '', clientId: '', scopes: [], extra: { ...caller } };
    const response = await handler.fetch(request, { authInfo });
    // Older clients are answered by a stream, which ends with the answer: the work is done before it is another's turn.
    return new Response(response.body === null ? null : await response.text(), response);
  };
}
