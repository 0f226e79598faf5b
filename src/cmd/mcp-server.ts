/** The MCP server over stdio. Stdout carries only protocol messages. It exits when the agent closes stdin. */

import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toolSets } from '../mcp/parts.ts';
import { createServer } from '../mcp/server.ts';
import { createMcpParts } from './mcp-parts.ts';
import { startDrain } from './start-drain.ts';
import { printError } from './terminal.ts';
import { wire } from './wiring.ts';

const { values } = parseArgs({
  options: { repo: { type: 'string' }, tools: { type: 'string' } },
  strict: false,
  allowPositionals: true,
});
const { env } = process;
const tools = toolSets.find((name) => name === values.tools);
if (values.tools !== undefined && tools === undefined)
  printError(`unknown tool set: ${values.tools}; using core (available: ${toolSets.join(', ')})`);
const warmUpDelayMs = 1_000;
const wiring = wire();
const cwd = typeof values.repo === 'string' ? values.repo : (env.CLAUDE_PROJECT_DIR ?? process.cwd());
const parts = createMcpParts(wiring, {
  cwd,
  tools: tools ?? 'core',
  client: {
    pid: process.ppid,
    agent: env.CLAUDECODE === '1' ? 'claude-code' : 'backstory',
    agentSession: env.CLAUDE_CODE_SESSION_ID,
    isAlone: true,
  },
  openCode: async (place) => {
    const { openCode } = await import('./open-code.ts');
    return openCode(wiring, place, { watches: true, cwd });
  },
});

serveStdio(() => createServer(parts));

if (parts.isActive()) {
  startDrain(wiring.programs.drain, parts.project.project, wiring.userHome);
  // Open the index before the first search, but not while the agent waits for its tool list. If this fails, the first
  // search fails too and reports it.
  const warmUp = () =>
    parts
      .code()
      .then((search) => search.status())
      .catch(() => {});
  if (tools !== 'memory') setTimeout(warmUp, warmUpDelayMs).unref();
}
