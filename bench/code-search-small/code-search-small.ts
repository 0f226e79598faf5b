import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmTree, ripgrep, runRipgrep } from '../../test/harness/corpora.ts';
import { atLeast, atMost, type Evaluation, exactly, median, round } from '../../test/harness/evaluation.ts';
import { createHome } from '../../test/harness/home.ts';
import { type McpClient, startMcp } from '../../test/harness/mcp-client.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';

/**
 * Packages from the npm registry, used as trees to search. The largest and the smallest are outside the range of sizes
 * for which Backstory promises to be fast.
 */
const trees = [
  'date-fns@4.1.0',
  'rxjs@7.8.1',
  'lodash@4.17.21',
  '@mui/icons-material@5.16.0',
  'fastify@5.2.0',
];
/**
 * True for tree sizes for which Backstory promises to be fast. In smaller trees ripgrep finishes almost immediately.
 */
const isSmall = (files: number): boolean => files >= 400 && files <= 6_000;
const idleServers = 5;

export const codeSearchSmall: Evaluation = {
  name: 'code-search-small',
  summary:
    'Random identifiers in small trees: the warm server compared with starting ripgrep; five idle servers.',
  file: import.meta.filename,
  measures: [
    'src/code',
    'src/git',
    'src/base/checkout-file.ts',
    'src/mcp/search-content.ts',
    'src/mcp/index-tools.ts',
    'src/cmd/mcp.ts',
    'src/cmd/mcp-server.ts',
    'src/cmd/mcp-parts.ts',
    'src/cmd/open-code.ts',
  ],
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const program = ripgrep();
    const installed = installPackage();
    const figures: Record<string, number> = {};
    let [differing, n] = [0, 0];
    let slowest = Number.POSITIVE_INFINITY;
    for (const name of isShort ? trees.slice(0, 1) : trees) {
      const root = npmTree(name);
      const home = createHome(installed);
      const args = [home.program('main.js'), 'mcp', 'serve', '--repo', root, '--tools', 'all'];
      const server = await startMcp(args, { cwd: home.home, env: home.env });
      const { indexed_files } = await server.call('reindex', { mode: 'full' });
      const words = identifiers(root, program, random, isShort ? 15 : 60);
      const [own, theirs]: [number[], number[]] = [[], []];
      await server.call('search_content', { query: 'function', force_refresh: true });
      for (const word of words) {
        const started = performance.now();
        const found = await server.call('search_content', { query: word, force_refresh: true });
        own.push(performance.now() - started);
        const { lines, ms } = runRipgrep(program, root, word);
        theirs.push(ms);
        if (found.counts_exact === true && found.total_line_matches !== lines) differing++;
        n++;
      }
      const faster = median(theirs) / median(own);
      if (isSmall(indexed_files as number)) slowest = Math.min(slowest, faster);
      Object.assign(figures, {
        [`${name} files`]: indexed_files as number,
        [`${name} ms`]: round(median(own)),
        [`${name} ripgrep ms`]: round(median(theirs)),
        [`${name} times faster`]: round(faster),
      });
      if (name === trees[0])
        Object.assign(figures, await idleMemory(args, { cwd: home.home, env: home.env }, server));
      await server.close();
    }
    return {
      n,
      figures,
      bars: {
        differingCounts: exactly(differing, 0),
        timesFaster: atLeast(round(slowest), 10),
        fiveServersMb: atMost(figures.fiveServersMb ?? 0, 400),
      },
    };
  },
};

function identifiers(root: string, program: string, random: Random, count: number): string[] {
  const { files } = listFiles(root, program);
  const found = new Set<string>();
  while (found.size < count) {
    const text = readFileSync(join(root, random.pick(files)), 'utf8');
    const words = text.match(/\b[A-Za-z_]\w{5,24}\b/g);
    if (words !== null) found.add(random.pick(words));
  }
  return [...found];
}

function listFiles(root: string, program: string): { files: string[] } {
  const { stdout } = spawnSync(program, ['--files', '--hidden', '--no-require-git', '.'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return {
    files: stdout
      .split('\n')
      .filter((path) => /\.(?:[cm]?[jt]sx?|py)$/.test(path))
      .sort(),
  };
}

/** Memory of five idle servers together, counting shared pages such as Node.js itself once (PSS, not RSS). */
async function idleMemory(
  args: string[],
  options: { cwd: string; env: Record<string, string> },
  first: McpClient,
): Promise<Record<string, number>> {
  const others: McpClient[] = [];
  for (let more = 1; more < idleServers; more++) {
    const server = await startMcp(args, options);
    await server.call('search_content', { query: 'function' });
    others.push(server);
  }
  const megabytes = (field: string): number => {
    const kilobytes = [first, ...others].map(({ pid }) => {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
    });
    return Math.round(kilobytes.reduce((sum, each) => sum + each, 0) / 1024);
  };
  const held = { fiveServersMb: megabytes('Pss'), fiveServersRssMb: megabytes('Rss') };
  for (const server of others) await server.close();
  return held;
}
