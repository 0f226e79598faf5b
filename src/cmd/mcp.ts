import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { createServer } from '../mcp/server.ts';
import { activationOf } from '../memory/activation.ts';
import { resolvePlace } from '../memory/projects.ts';
import { startDrain } from './start-drain.ts';
import { silenceSqliteWarning, wire } from './wire.ts';

/** The MCP server on stdin and stdout. Stdout carries protocol only; it ends when the agent closes stdin. */
silenceSqliteWarning();
const { values } = parseArgs({
  options: { repo: { type: 'string' } },
  strict: false,
  allowPositionals: true,
});
const { env } = process;
const cwd = typeof values.repo === 'string' ? values.repo : (env.CLAUDE_PROJECT_DIR ?? process.cwd());
const wiring = wire();
const { place, remember } = resolvePlace(wiring.paths, cwd, systemClock);
const project = wiring.open({ id: place.project, name: place.name });
const activation = () =>
  activationOf(wiring.paths, { ...place, cwd, userHome: wiring.userHome }, systemClock);

/** The environment names the session at start; after /clear it is another, which hooks have told by our parent's pid. */
async function agentSession(): Promise<string> {
  const reading = project.access.forReading();
  try {
    return (await reading?.index.sessionOfClient(process.ppid)) ?? env.CLAUDE_CODE_SESSION_ID ?? '';
  } finally {
    await reading?.index.close();
  }
}

serveStdio(() =>
  createServer({
    version: wiring.version,
    clock: systemClock,
    project,
    userHome: wiring.userHome,
    context: async () => {
      const { place: now } = resolvePlace(wiring.paths, cwd, systemClock);
      return {
        ...wiring.context(now),
        agent: env.CLAUDECODE === '1' ? 'claude-code' : 'backstory',
        agentSession: await agentSession(),
        clientPid: process.ppid,
      };
    },
    ensureActive: () => {
      const state = activation();
      if (state.on) {
        remember();
        return;
      }
      throw new AppError('NOT_INSTALLED', `nothing is stored here: ${state.reason}`, {
        hint: 'backstory init',
      });
    },
  }),
);

if (env.BACKSTORY_OFF !== '1' && activation().on)
  startDrain(wiring.programs.drain, place.project, wiring.userHome);
