import type { AgentName, ClientName, KnownAgent } from '../domain/event.ts';
import { dialects } from './dialects.ts';

/** Names under which agents with an adapter introduce themselves over MCP, where they differ from ours. */
const agentsByClient = new Map<string, KnownAgent>([
  ['codex-mcp-client', 'codex'],
  ['gemini-cli-mcp-client', 'gemini'],
]);

const maxNameLength = 40;
/** These names say elsewhere that no agent wrote a text. */
const reserved = ['', 'backstory', 'user'];

/**
 * Returns the agent for the name that an MCP client gave in `initialize`. The name of an unknown client is reduced to
 * letters, digits, dots and dashes, because it is shown to people and to models.
 */
export function agentOfClient(name: string): AgentName {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxNameLength);
  const known = agentsByClient.get(slug);
  if (known !== undefined) return known;
  if (Object.hasOwn(dialects, slug)) return slug as KnownAgent;
  return (reserved.includes(slug) ? 'mcp-client' : slug) as ClientName;
}
