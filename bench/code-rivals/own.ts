import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHome } from '../../test/harness/home.ts';
import { startMcp } from '../../test/harness/mcp-client.ts';
import { installPackage } from '../../test/harness/package.ts';
import { megabytesIn, type Rival } from './rival.ts';

/** CPU seconds of a process and of the children it waited for. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0) / 100;
}

export const own: Rival = {
  name: 'backstory',
  how: 'its MCP server, the first page of 20',
  async open(root) {
    const home = createHome(installPackage());
    const args = [home.program('main.js'), 'mcp', 'serve', '--repo', root, '--tools', 'all'];
    const server = await startMcp(args, { cwd: home.home, env: home.env });
    await server.call('reindex', { mode: 'full' });
    const code = join(home.projectFolder(), 'code');
    return {
      buildCpuS: cpuOf(server.pid),
      indexMb: megabytesIn(join(code, readdirSync(code)[0] ?? '')),
      async ask({ kind, text }) {
        const started = performance.now();
        const found =
          kind === 'path'
            ? await server.call('find_files', { query: text })
            : await server.call('search_content', { query: text, mode: kind, force_refresh: true });
        const ms = performance.now() - started;
        const isCounted = kind !== 'path' && found.counts_exact === true;
        return { ms, count: isCounted ? (found.total_line_matches as number) : undefined };
      },
      close: () => server.close(),
    };
  },
};
