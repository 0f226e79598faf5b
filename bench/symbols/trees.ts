import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { onEnd } from '../../test/harness/cleanup.ts';
import { linuxSource } from '../../test/harness/corpora.ts';
import type { Random } from '../../test/harness/random.ts';

export interface Sample {
  language: Language;
  split: 'dev' | 'held';
  /** Absolute paths. */
  files: string[];
}

/** File extensions that both tools read. */
const endings = {
  typescript: /\.tsx?$/,
  javascript: /\.(?:[cm]?js|jsx)$/,
  python: /\.py$/,
  go: /\.go$/,
  rust: /\.rs$/,
  java: /\.java$/,
  c: /\.[ch]$/,
  cpp: /\.(?:cc|cpp|h|hpp)$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  csharp: /\.cs$/,
};
export type Language = keyof typeof endings;

/**
 * Real source trees, each pinned to a commit, read from `--histories DIR` at `DIR/owner+name/repo`. The rules for
 * finding symbols were written with `dev`. Disagreements with ctags in `held` were looked at once, in a first short
 * run, to learn what ctags considers a definition; since then they are only counted.
 */
const trees: Record<Language, { dev: string[]; held: string[] }> = {
  typescript: { dev: ['honojs+hono'], held: ['sindresorhus+got', 'trpc+trpc', 'yamadashy+repomix'] },
  javascript: { dev: ['expressjs+express'], held: ['koajs+koa', 'brianc+node-postgres', 'fastify+fastify'] },
  python: { dev: ['encode+httpx'], held: ['pallets+click', 'hynek+structlog', 'django+django'] },
  go: { dev: ['gin-gonic+gin'], held: ['spf13+cobra', 'go-chi+chi', 'sourcegraph+zoekt'] },
  rust: { dev: ['sharkdp+fd'], held: ['sharkdp+bat', 'tokio-rs+axum', 'BurntSushi+ripgrep'] },
  java: { dev: ['google+gson'], held: ['square+javapoet'] },
  c: { dev: ['jqlang+jq', 'linux/kernel'], held: ['tmux+tmux', 'pgbouncer+pgbouncer', 'linux/fs'] },
  cpp: { dev: ['fmtlib+fmt'], held: ['google+leveldb'] },
  ruby: { dev: ['sidekiq+sidekiq'], held: ['sinatra+sinatra'] },
  php: { dev: ['slimphp+Slim'], held: ['guzzle+guzzle'] },
  csharp: { dev: ['serilog+serilog'], held: ['DapperLib+Dapper'] },
};

const heads: Record<string, string> = {
  'brianc+node-postgres': 'c9e57617bc92c2ded23a75345f50eadc527bd131',
  'BurntSushi+ripgrep': '3fce3b5bb0236da2df6d99672afb8a719642eca7',
  'DapperLib+Dapper': '6d48ef664acc7298c649e2d449d903b3360d5a90',
  'django+django': '03988c5a5ba248c3b9b11ea96fd4fda5e98849aa',
  'encode+httpx': 'ae1b9f66238f75ced3ced5e4485408435de10768',
  'expressjs+express': 'a3714473feb3d2908add734d340e7755fd85e0a3',
  'fastify+fastify': '83e69762aff047940b376fc2a266d143499ef727',
  'fmtlib+fmt': '60ccad511fd680cb91d8b60a315759f71c67bef9',
  'gin-gonic+gin': 'dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9',
  'go-chi+chi': '735ae2b87f8c733d616e809ae86e0985c1bc3350',
  'google+gson': '9835b6f90192f79cdf5300c528fc6212455fb6c1',
  'google+leveldb': '78a352f47ed6c1e9d750545e9b242289185b87e1',
  'guzzle+guzzle': '2779e868a00289e1b1fd854af030c43a06f4bcb4',
  'honojs+hono': '28a9c128912de19f3fb28b00ae289c9b93f6f392',
  'hynek+structlog': '025edaf799c6d6d511ab672d14c2ba8e885c4c36',
  'jqlang+jq': '579e6f76cffd7643ba4002a2c3618a5ea710589a',
  'koajs+koa': 'e0ba8ef39d27fe5dae5492f9fe753d155124f994',
  'pallets+click': '2c8cd3ac958a7eb316d67f2d316c27086c4c0369',
  'pgbouncer+pgbouncer': '13a344f2625381296fc02e29b986a11be9c6b983',
  'serilog+serilog': '60935b4d7abad71cf6157b45a10f5c3c65ead527',
  'sharkdp+bat': '2ba8db9c14e5794572f5ea338c2b90404c9769cb',
  'sharkdp+fd': 'ee20f426ddf338ac7ead5c5f00ea49258005caaf',
  'sidekiq+sidekiq': '1bb4aa06e5aa178a114a5e855f9f3d5c24f6c61b',
  'sinatra+sinatra': 'cb22afd7902b566b6eaba6c4ea89739494a65d12',
  'sindresorhus+got': 'd00d845a0b435365ec73ea5a1fca6e17ee677184',
  'slimphp+Slim': '038fd5713d5a41636fdff0e8dcceedecdd17fc17',
  'sourcegraph+zoekt': 'c4d8f3537f7a67423835d8cf6b0e1d13e68e0b4c',
  'spf13+cobra': 'adbc8813901bba65827259daa8e22ff94ec1f30e',
  'square+javapoet': 'b9017a9503b76e11b4ad4c1a9f050e2d29112cb0',
  'tmux+tmux': 'c1f947a3c5bc72a40c32dead736f84c4628791ec',
  'tokio-rs+axum': '3d78036dcac289d6c1d54934708acb6a5bd73686',
  'trpc+trpc': '340811ba5320637fbaf48fccf3dbfdd258bd34db',
  'yamadashy+repomix': 'ffe1f0cf19ae10ebd247c70d9a3ad57a29ecc829',
};

const maxBytes = 400_000;

export function sampleTrees(histories: string, random: Random, filesPerSplit: number): Sample[] {
  return (Object.keys(trees) as Language[]).flatMap((language) =>
    (['dev', 'held'] as const).map((split) => {
      const files = trees[language][split].flatMap((tree) => {
        const share = Math.ceil(filesPerSplit / trees[language][split].length);
        return sampleFiles(folderOf(tree, histories), language, random, share);
      });
      return { language, split, files };
    }),
  );
}

export function sampleFiles(folder: string, language: Language, random: Random, count: number): string[] {
  const own = filesOf(folder).filter((path) => endings[language].test(path));
  return random.shuffled(own).slice(0, count);
}

const unpacked = new Map<string, string>();

export function folderOf(tree: string, histories: string): string {
  const known = unpacked.get(tree);
  if (known !== undefined) return known;
  if (tree.startsWith('linux/')) return join(linuxSource(), tree.slice('linux/'.length));
  const repository = join(histories, tree, 'repo');
  if (!existsSync(repository)) throw new Error(`no history of ${tree} under ${histories}`);
  const folder = mkdtempSync(join(tmpdir(), 'backstory-symbols-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const archive = execFileSync('git', ['--git-dir', repository, 'archive', heads[tree] ?? 'HEAD'], {
    maxBuffer: 1 << 29,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  unpacked.set(tree, folder);
  return folder;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !/node_modules|\/vendor\/|\.min\./.test(relative(folder, path)) && statSync(path).size <= maxBytes,
    )
    .sort();
}
