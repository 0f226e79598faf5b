import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onEnd } from '../../test/harness/cleanup.ts';
import { ripgrep as ripgrepProgram } from '../../test/harness/corpora.ts';
import { own } from './own.ts';
import {
  megabytesIn,
  type OpenRival,
  programCalled,
  type Question,
  type Rival,
  rivalsFolder,
  run,
} from './rival.ts';

/** A search engine that starts a program for each query. */
function asCommand(
  program: string,
  argsOf: (question: Question) => string[] | undefined,
  built: Pick<OpenRival, 'buildCpuS' | 'indexMb'>,
  env: Record<string, string> = {},
  cwd?: string,
): OpenRival {
  return {
    ...built,
    async ask(question) {
      const args = argsOf(question);
      if (args === undefined) return undefined;
      const { ms, stdout } = run(program, args, env, cwd);
      // Count only lines with a match: some engines print the name of a file above its lines.
      const isHit = (line: string): boolean => question.kind === 'path' || /:\d+:/.test(line);
      return { ms, count: stdout.split('\n').filter((line) => line !== '' && isHit(line)).length };
    },
    close() {},
  };
}

const literal = ({ kind, text }: Question): string =>
  kind === 'literal' ? text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : text;

const ripgrep: Rival = {
  name: 'ripgrep 15',
  how: 'a process for each question, every line',
  async open(root) {
    const common = ['--hidden', '--no-require-git', '--no-messages', '-g', '!.git'];
    return asCommand(
      ripgrepProgram(),
      (question) =>
        question.kind === 'path'
          ? [...common, '--files', '-g', `*${question.text}*`, root]
          : [...common, '-n', '-e', literal(question), root],
      { buildCpuS: 0, indexMb: 0 },
    );
  },
};

const csearch: Rival = {
  name: 'codesearch',
  how: 'a process for each question, every line',
  async open(root, folder) {
    const [build, search] = [programCalled('cindex'), programCalled('csearch')];
    if (build === undefined || search === undefined) return undefined;
    const env = { CSEARCHINDEX: join(folder, 'csearchindex') };
    const { cpuS } = run(build, [root], env);
    return asCommand(
      search,
      (question) => (question.kind === 'path' ? undefined : ['-n', literal(question)]),
      { buildCpuS: cpuS, indexMb: megabytesIn(folder) },
      env,
    );
  },
};

const zoekt: Rival = {
  name: 'zoekt',
  how: 'a process for each question, its own ranking and limits',
  async open(root, folder) {
    const [build, search] = [programCalled('zoekt-index'), programCalled('zoekt')];
    if (build === undefined || search === undefined) return undefined;
    const { cpuS } = run(build, ['-index', folder, '-parallelism', '1', root]);
    return asCommand(
      search,
      (question) => {
        const quoted = literal(question).replaceAll(' ', '\\s');
        return question.kind === 'path'
          ? ['-index_dir', folder, '-l', `file:${quoted}`]
          : ['-index_dir', folder, `case:yes content:${quoted}`];
      },
      { buildCpuS: cpuS, indexMb: megabytesIn(folder) },
    );
  },
};

const tgrep: Rival = {
  name: 'tgrep',
  how: 'its client, which asks its running server, every line',
  async open(root, folder) {
    const program = programCalled('tgrep');
    if (program === undefined) return undefined;
    const at = ['--index-path', folder, '--hidden'];
    const { cpuS } = run(program, ['index', root, ...at]);
    const built = { buildCpuS: cpuS, indexMb: megabytesIn(folder) };
    const server = spawn(program, ['serve', root, '--no-watch', ...at], { stdio: 'ignore' });
    onEnd(() => server.kill());
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const asked = asCommand(
      program,
      (question) => (question.kind === 'path' ? undefined : [literal(question), root, ...at, '--no-heading']),
      built,
    );
    return { ...asked, close: () => void server.kill() };
  },
};

const triseek: Rival = {
  name: 'TriSeek',
  how: 'its command, first 20 lines, by its own index',
  async open(root, folder) {
    const program = programCalled('triseek');
    if (program === undefined) return undefined;
    const { cpuS } = run(program, ['build', root, '--index-dir', folder, '--json'], { HOME: folder });
    return asCommand(
      program,
      ({ kind, text }) => [
        ...['search', '--index-dir', folder, '--engine', 'index', '--kind', kind, '--max-results', '20'],
        ...[text, root],
      ],
      { buildCpuS: cpuS, indexMb: megabytesIn(folder) },
      { HOME: folder },
    );
  },
};

interface FffFinder {
  waitForScan(timeoutMs: number): Promise<unknown>;
  grep(text: string, options: object): FffResult;
  fileSearch(text: string, options: object): FffResult;
  destroy(): void;
}
type FffResult = { ok: true; value: { items: unknown[] } } | { ok: false; error: string };

const fff: Rival = {
  name: 'fff 0.9.6',
  how: 'in process, the first page of 20; its index is in memory only',
  async open(root) {
    const entry = join(
      rivalsFolder,
      'fff',
      'node_modules',
      '@ff-labs',
      'fff-node',
      'dist',
      'src',
      'index.js',
    );
    if (!existsSync(entry)) return undefined;
    const { FileFinder } = (await import(pathToFileURL(entry).href)) as {
      FileFinder: { create(options: object): { ok: true; value: FffFinder } | { ok: false; error: string } };
    };
    const before = process.cpuUsage();
    const made = FileFinder.create({ basePath: root });
    if (!made.ok) throw new Error(made.error);
    await made.value.waitForScan(300_000);
    const { user, system } = process.cpuUsage(before);
    return {
      buildCpuS: (user + system) / 1e6,
      indexMb: undefined,
      async ask({ kind, text }) {
        const started = performance.now();
        const found =
          kind === 'path'
            ? made.value.fileSearch(text, { pageSize: 20 })
            : made.value.grep(text, { mode: kind === 'regex' ? 'regex' : 'plain', pageSize: 20 });
        if (!found.ok) throw new Error(found.error);
        return { ms: performance.now() - started, count: undefined };
      },
      close: () => made.value.destroy(),
    };
  },
};

export const rivals: Rival[] = [own, ripgrep, csearch, zoekt, fff, tgrep, triseek];
