import { relative } from 'node:path';
import { linuxSource } from '../../test/harness/corpora.ts';
import { median, quantile, round } from '../../test/harness/evaluation.ts';
import { createHome } from '../../test/harness/home.ts';
import { startMcp } from '../../test/harness/mcp-client.ts';
import { installPackage } from '../../test/harness/package.ts';
import type { Random } from '../../test/harness/random.ts';
import { runCtags } from './ctags.ts';
import { folderOf, type Language, sampleFiles } from './trees.ts';

/** Trees for MCP queries; the kernel is the largest that users are likely to have. */
const asked: { tree: string; language: Language }[] = [
  { tree: 'pallets+click', language: 'python' },
  { tree: 'sourcegraph+zoekt', language: 'go' },
  { tree: 'tokio-rs+axum', language: 'rust' },
  { tree: 'sindresorhus+got', language: 'typescript' },
  { tree: 'linux', language: 'c' },
];

interface Told {
  path: string;
  line: number;
}

/** Asks the installed server for names that ctags knows: is the definition in the answer, and how fast? */
export async function askDefinitions(
  histories: string,
  random: Random,
  isShort: boolean,
): Promise<{ figures: Record<string, number>; n: number; found: number }> {
  const installed = installPackage();
  const figures: Record<string, number> = {};
  let [n, found] = [0, 0];
  for (const { tree, language } of isShort ? asked.slice(0, 2) : asked) {
    const root = tree === 'linux' ? linuxSource() : folderOf(tree, histories);
    const home = createHome(installed);
    const args = [home.program('main.js'), 'mcp', 'serve', '--repo', root, '--tools', 'all'];
    const server = await startMcp(args, { cwd: home.home, env: home.env });
    await server.call('reindex', { mode: 'full' });
    const times: number[] = [];
    const names = definedNames(root, language, random, isShort ? 10 : 40);
    let here = 0;
    for (const { name, path, line } of names) {
      const started = performance.now();
      const first = await server.call('definition', { name, limit: 100, force_refresh: true });
      times.push(performance.now() - started);
      // Names with many definitions are paged.
      let answer = first;
      for (let page = 0; page < maxPages; page++) {
        if ((answer.results as Told[]).some((each) => isThere(each, path, line))) {
          here++;
          break;
        }
        if (answer.next_cursor === undefined) break;
        answer = await server.call('definition', {
          name,
          limit: 100,
          cursor: answer.next_cursor,
          force_refresh: true,
        });
      }
    }
    await server.close();
    n += names.length;
    found += here;
    figures[`definition in ${tree} found`] = round(here / names.length);
    figures[`definition in ${tree} ms`] = round(median(times));
    figures[`definition in ${tree} p95 ms`] = round(quantile(times, 0.95));
  }
  return { figures, n, found };
}

const maxPages = 10;

const isThere = (told: Told, path: string, line: number): boolean =>
  told.path === path && Math.abs(told.line - line) <= 3;

const kinds = /^(?:function|method|class|struct|interface|enum|func|typedef|macro|trait)$/;

function definedNames(
  root: string,
  language: Language,
  random: Random,
  count: number,
): { name: string; path: string; line: number }[] {
  const { tags } = runCtags(language, sampleFiles(root, language, random, 60));
  const named = tags.filter(
    ({ kind, name, isQuirk }) => kinds.test(kind) && !isQuirk && /^\w{3,}$/.test(name),
  );
  return random
    .shuffled([...new Map(named.map((tag) => [tag.name, tag])).values()])
    .slice(0, count)
    .map(({ name, path, line }) => ({ name, path: relative(root, path), line }));
}
