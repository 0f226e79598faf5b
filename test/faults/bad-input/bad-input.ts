import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Evaluation, exactly } from '../../harness/evaluation.ts';
import { createHome, type Home } from '../../harness/home.ts';
import { promptInput, stopInput } from '../../harness/hook-input.ts';
import { installPackage } from '../../harness/package.ts';
import { createRandom } from '../../harness/random.ts';
import { tryCli } from './bad-cli.ts';
import { tryHttp } from './bad-http.ts';
import { tryMcp } from './bad-mcp.ts';

/**
 * Sends invalid input to the command line, to MCP and to HTTP. Each must answer with an error message and never crash.
 */
export const badInput: Evaluation = {
  name: 'bad-input',
  summary:
    'invalid arguments, messages and requests: no crash, no 5xx status, only JSON where JSON is expected',
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const home = createHome(installPackage());
    fill(home);
    const n = isShort ? 300 : 10_000;
    const http = await tryHttp(home, n, random);
    const mcp = await tryMcp(home, n, random);
    const cli = await tryCli(home, isShort ? 60 : n, random);
    const examples = [...http.wrong, ...mcp.wrong, ...cli.wrong].slice(0, 10);
    return {
      n: http.tried + mcp.tried + cli.tried,
      figures: {
        'requests over HTTP': http.tried,
        'lines to MCP': mcp.tried,
        'commands typed': cli.tried,
        ...Object.fromEntries(examples.map((example, at) => [`example ${at + 1}`, example])),
      },
      bars: {
        'wrong over HTTP': exactly(http.wrong.length, 0),
        'wrong over MCP': exactly(mcp.wrong.length, 0),
        'wrong in the terminal': exactly(cli.wrong.length, 0),
        'surfaces not tried': exactly([http, mcp, cli].filter(({ tried }) => tried === 0).length, 0),
      },
    };
  },
};

/** Stores some memory, so that input that passes validation has something to find. */
function fill(home: Home): void {
  mkdirSync(join(home.repo, 'src'));
  writeFileSync(join(home.repo, 'src/queue.ts'), 'export function retryJob() {\n  return 1;\n}\n');
  const where = { cwd: home.repo, session: 'first' };
  home.hook(promptInput(where, 'turn-1', 'We decided to keep retries in Postgres because Redis lost jobs.'));
  home.hook(stopInput(where, 'turn-1', 'Understood, retries stay in Postgres.'));
  home.cli('remember', 'The worker is started by systemd');
}
