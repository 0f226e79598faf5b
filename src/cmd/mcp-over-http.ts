import { createMcpHandler } from '@modelcontextprotocol/server';
import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { Place } from '../domain/project.ts';
import { type ToolSet, toolSets } from '../mcp/parts.ts';
import { createServer } from '../mcp/server.ts';
import { createMcpParts } from './mcp-parts.ts';
import type { Wiring } from './wiring.ts';

/** MCP over HTTP, as part of `serve`. Loaded with the first MCP request, because the viewer does not need it. */
export function createMcpOverHttp(
  wiring: Wiring,
  openCode: (place: Place) => Promise<CodeSearch>,
): {
  answer(request: Request, place: Place, tools: string | undefined): Promise<Response>;
  close(): Promise<void>;
} {
  const handlers = new Map<string, ReturnType<typeof createMcpHandler>>();
  const handlerFor = (place: Place, tools: ToolSet) => {
    const key = `${tools} ${place.root}`;
    const known = handlers.get(key);
    if (known !== undefined) return known;
    const parts = createMcpParts(wiring, {
      cwd: place.root,
      tools,
      client: { pid: 0, agent: 'backstory', agentSession: undefined, isAlone: false },
      openCode,
    });
    const handler = createMcpHandler(() => createServer(parts));
    handlers.set(key, handler);
    return handler;
  };
  return {
    async answer(request, place, toolSet = 'core') {
      const tools = toolSets.find((name) => name === toolSet);
      // Reject an unknown tool set: an error is clearer than silently offering fewer tools.
      if (tools === undefined)
        throw new AppError('INVALID_ARGUMENT', `unknown tool set: ${toolSet}`, {
          hint: `/mcp?tools=${toolSets.join('|')}`,
        });
      return handlerFor(place, tools).fetch(request);
    },
    async close() {
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
}
