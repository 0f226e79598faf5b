import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toolSets } from '../mcp/parts.ts';
import { createServer } from '../mcp/server.ts';
import { createMcpParts } from './mcp-parts.ts';
import { startDrain } from './start-drain.ts';
import { tell } from './terminal.ts';
import { silenceSqliteWarning, wire } from './wiring.ts';

/** The MCP server on stdin and stdout. Stdout carries protocol only; it ends when the agent closes stdin. */
silenceSqliteWarning();
const { values } = parseArgs({
  options: { repo: { type: 'string' }, tools: { type: 'string' } },
  strict: false,
  allowPositionals: true,
});
const { env } = process;
const tools = toolSets.find((name) => name === values.tools);
if (values.tools !== undefined && tools === undefined)
  tell(`there is no tool set ${values.tools}; serving core of ${toolSets.join(', ')}`);
const warmUpDelayMs = 1_000;
const wiring = wire();
const parts = createMcpParts(wiring, {
  cwd: typeof values.repo === 'string' ? values.repo : (env.CLAUDE_PROJECT_DIR ?? process.cwd()),
  tools: tools ?? 'core',
  client: {
    pid: process.ppid,
    agent: env.CLAUDECODE === '1' ? 'claude-code' : 'backstory',
    agentSession: env.CLAUDE_CODE_SESSION_ID,
  },
  // Below a model that we asked ourselves, nothing is written and nothing started.
  mayRun: env.BACKSTORY_OFF !== '1' && env.BACKSTORY_INTERNAL !== '1',
  openCode: async (place, mayWrite) => {
    const { openCode } = await import('./open-code.ts');
    return openCode(wiring, place, { watches: true, mayWrite });
  },
});

serveStdio(() => createServer(parts));

if (parts.isActive()) {
  startDrain(wiring.programs.drain, parts.project.project, wiring.userHome);
  // After the agent has its tools: the first search should find an index, and nobody should wait for it.
  if (tools !== 'memory') setTimeout(warmUp, warmUpDelayMs).unref();
}

function warmUp(): void {
  // A failure here is told when somebody searches.
  parts
    .code()
    .then((search) => search.status())
    .catch(() => {});
}
