import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createFinder } from '../../src/code/pattern/finder.ts';
import { searchLines } from '../../src/code/search-lines.ts';
import { openCheckout } from '../../test/harness/checkout.ts';
import { linuxSource, ripgrep, runRipgrep } from '../../test/harness/corpora.ts';
import {
  atMost,
  type Evaluation,
  exactly,
  median,
  quantile,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { type McpClient, startMcp } from '../../test/harness/mcp-client.ts';
import { installPackage } from '../../test/harness/package.ts';

/** Patterns without a literal, for which the index can exclude few or no files. */
const withoutLiteral = [
  '\\b[a-z]{2}_[0-9]{5}\\b',
  '[0-9]{9}x',
  '\\w{60}',
  '^.{300}',
  '[A-Z]{3}[0-9]{4}[a-z]',
];

/**
 * Runs the 102 queries that another tool publishes for the Linux kernel through the installed server, and compares with
 * ripgrep.
 */
export const codeSearch: Evaluation = {
  name: 'code-search',
  summary: "102 searches in Debian's linux-source by the warm MCP server, compared with ripgrep.",
  async run({ isShort, data }) {
    if (data === undefined) throw new Error('give --data DIR, where DIR has code-search/linux-102.json');
    const root = linuxSource();
    const program = ripgrep();
    const { queries } = JSON.parse(readFileSync(join(data, 'code-search', 'linux-102.json'), 'utf8')) as {
      queries: string[];
    };
    const chosen = isShort ? queries.filter((_, at) => at % 10 === 0) : queries;
    const home = createHome(installPackage());
    const server = await startServer(home, root);
    const limited = await timeAll(server, chosen);
    const counted = await countAll(root, home, program, chosen);
    const open = await compareOpen(
      server,
      program,
      root,
      isShort ? withoutLiteral.slice(0, 2) : withoutLiteral,
    );
    await server.close();
    const oneShot = timeOneShot(home, root, chosen.slice(0, 5));
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const ratio = mean(counted.rgMs) / mean(limited);
    return {
      n: chosen.length,
      figures: {
        limit20MeanMs: round(mean(limited)),
        limit20MedianMs: round(median(limited)),
        limit20P95Ms: round(quantile(limited, 0.95)),
        fullMeanMs: round(mean(counted.ownMs)),
        ripgrepMeanMs: round(mean(counted.rgMs)),
        oneShotMedianMs: round(oneShot),
        timesFasterThanRipgrep: round(ratio),
        ...open.figures,
      },
      bars: {
        differingCounts: exactly(counted.differing, 0),
        shareOfRipgrep: atMost(round(1_000 / ratio) / 1_000, 1 / 200),
        limit20P95OfRipgrep: atMost(round(quantile(limited, 0.95) / mean(counted.rgMs)), 0.0128),
        slowestToRipgrep: atMost(round(open.worst), 1.1),
      },
    };
  },
};

async function startServer(home: Home, root: string): Promise<McpClient> {
  const args = [home.program('main.js'), 'mcp', 'serve', '--repo', root, '--tools', 'all'];
  const server = await startMcp(args, { cwd: home.home, env: home.env });
  await server.call('reindex', { mode: 'incremental' });
  return server;
}

const regexSearch = (query: string) => ({ query, mode: 'regex', limit: 20, force_refresh: true });

/**
 * Runs all queries twice and returns the times of the second round. The first round fills the kernel's file cache, as
 * the earlier work of an agent would.
 */
async function timeAll(server: McpClient, queries: string[]): Promise<number[]> {
  const times: number[] = [];
  for (const round of [1, 2]) {
    for (const query of queries) {
      const started = performance.now();
      await server.call('search_content', regexSearch(query));
      if (round === 2) times.push(performance.now() - started);
    }
  }
  return times;
}

async function countAll(root: string, home: Home, program: string, queries: string[]) {
  const folder = join(home.projectFolder(), 'code');
  const [checkoutId = ''] = readFolder(folder);
  const checkout = openCheckout(root, join(folder, checkoutId), { watches: false, mayWrite: false });
  const [ownMs, rgMs]: [number[], number[]] = [[], []];
  let differing = 0;
  await checkout.use(async (view) => {
    for (const [at, query] of queries.entries()) {
      const started = performance.now();
      const finder = createFinder({
        text: query,
        mode: 'regex',
        ignoreCase: false,
        multiline: false,
        wholeWord: false,
      });
      const search = {
        finder,
        maxLines: Number.POSITIVE_INFINITY,
        untilMs: Number.POSITIVE_INFINITY,
        countOnly: true,
      };
      const { lineCount } = await searchLines(view, search, systemClock);
      ownMs.push(performance.now() - started);
      const { lines, ms } = runRipgrep(program, root, query);
      rgMs.push(ms);
      if (lines !== lineCount) {
        differing++;
        console.log(`${query}: ${lineCount} lines, ripgrep ${lines}`);
      }
      showProgress(at + 1, queries.length);
    }
  });
  await checkout.close();
  return { ownMs, rgMs, differing };
}

async function compareOpen(server: McpClient, program: string, root: string, queries: string[]) {
  const figures: Record<string, number> = {};
  let worst = 0;
  for (const query of queries) {
    const started = performance.now();
    await server.call('search_content', regexSearch(query));
    const own = performance.now() - started;
    const { ms } = runRipgrep(program, root, query);
    figures[`${query} ms`] = round(own);
    figures[`${query} ripgrep ms`] = round(ms);
    worst = Math.max(worst, own / ms);
  }
  return { figures, worst };
}

function timeOneShot(home: Home, root: string, queries: string[]): number {
  return median(
    queries.map((query) => {
      const started = performance.now();
      spawnSync(process.execPath, [home.program('main.js'), 'search', '--regex', query], {
        cwd: root,
        env: home.env,
      });
      return performance.now() - started;
    }),
  );
}

const readFolder = (folder: string): string[] =>
  spawnSync('ls', [folder], { encoding: 'utf8' }).stdout.split('\n');
