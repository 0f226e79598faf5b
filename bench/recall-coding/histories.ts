import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The public histories of the set, each pinned to a commit. They are not stored here, but read from `--histories DIR`,
 * at `DIR/owner+name/repo`, `DIR/owner+name` or `DIR/owner/name`.
 */
const manifest: readonly { name: string; head: string }[] = [
  { name: 'benbjohnson/litestream', head: '63225f17ccbb8dedfb26d03f7d3d07e74c6cf69f' },
  { name: 'brianc/node-postgres', head: 'c9e57617bc92c2ded23a75345f50eadc527bd131' },
  { name: 'BurntSushi/ripgrep', head: '3fce3b5bb0236da2df6d99672afb8a719642eca7' },
  { name: 'encode/httpx', head: 'ae1b9f66238f75ced3ced5e4485408435de10768' },
  { name: 'expressjs/express', head: 'a3714473feb3d2908add734d340e7755fd85e0a3' },
  { name: 'gin-gonic/gin', head: 'dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9' },
  { name: 'go-chi/chi', head: '735ae2b87f8c733d616e809ae86e0985c1bc3350' },
  { name: 'google/gson', head: '9835b6f90192f79cdf5300c528fc6212455fb6c1' },
  { name: 'graphile/worker', head: 'abfb4cff30747ad423046d117dfb88470f03ae00' },
  { name: 'honojs/hono', head: '28a9c128912de19f3fb28b00ae289c9b93f6f392' },
  { name: 'hynek/structlog', head: '025edaf799c6d6d511ab672d14c2ba8e885c4c36' },
  { name: 'jqlang/jq', head: '579e6f76cffd7643ba4002a2c3618a5ea710589a' },
  { name: 'koajs/koa', head: 'e0ba8ef39d27fe5dae5492f9fe753d155124f994' },
  { name: 'pallets/click', head: '2c8cd3ac958a7eb316d67f2d316c27086c4c0369' },
  { name: 'pgbouncer/pgbouncer', head: '13a344f2625381296fc02e29b986a11be9c6b983' },
  { name: 'rq/rq', head: 'aa666a8a60dbc5e8bb43f166cda869c67426a11a' },
  { name: 'sharkdp/bat', head: '2ba8db9c14e5794572f5ea338c2b90404c9769cb' },
  { name: 'sharkdp/fd', head: 'ee20f426ddf338ac7ead5c5f00ea49258005caaf' },
  { name: 'sidekiq/sidekiq', head: '1bb4aa06e5aa178a114a5e855f9f3d5c24f6c61b' },
  { name: 'simonw/sqlite-utils', head: '56dd09702fdb9e899f577ffd51693c1f2176cb08' },
  { name: 'sinatra/sinatra', head: 'cb22afd7902b566b6eaba6c4ea89739494a65d12' },
  { name: 'sindresorhus/got', head: 'd00d845a0b435365ec73ea5a1fca6e17ee677184' },
  { name: 'sourcegraph/zoekt', head: 'c4d8f3537f7a67423835d8cf6b0e1d13e68e0b4c' },
  { name: 'spf13/cobra', head: 'adbc8813901bba65827259daa8e22ff94ec1f30e' },
  { name: 'tmux/tmux', head: 'c1f947a3c5bc72a40c32dead736f84c4628791ec' },
  { name: 'tokio-rs/axum', head: '3d78036dcac289d6c1d54934708acb6a5bd73686' },
  { name: 'urllib3/urllib3', head: '6a8536b6e1b0cbe69ae801337c599951e527ae29' },
  { name: 'yargs/yargs', head: '2a4378bdc2eac9cf7d0cdfe0a52b1b25f779806a' },
];

export interface HistoricCommit {
  hash: string;
  at: number;
  author: string;
  message: string;
  files: string[];
}

export interface History {
  name: string;
  /** Commits of the repository, oldest first. */
  commits: HistoricCommit[];
}

const newest = 400;
const byMachine =
  /\[bot\]|dependabot|renovate|^(?:merge|bump|release|version|v?\d+\.\d+|build\(deps|chore\(deps|update changelog|ignore-|globset-)/i;

export function readHistories(folder: string): History[] {
  return manifest.map(({ name, head }) => {
    const repository = repositoryOf(folder, name);
    if (repository === undefined) throw new Error(`no history of ${name} under ${folder}`);
    return { name, commits: readCommits(repository, head) };
  });
}

export function repositoryOf(folder: string, name: string): string | undefined {
  const flat = join(folder, name.replace('/', '+'));
  return [join(flat, 'repo'), flat, join(folder, name)].find((path) => existsSync(path));
}

/** Reads commits of a repository: more than are kept, because many are made by bots. */
function readCommits(repository: string, head: string): HistoricCommit[] {
  const format = '%x1e%H%x1f%aI%x1f%an%x1f%B%x1f';
  const args = [
    'log',
    head,
    '--no-merges',
    '--no-renames',
    '--name-only',
    `--format=${format}`,
    '-n',
    '3000',
  ];
  const text = execFileSync(
    'git',
    ['-c', 'core.quotePath=false', '--git-dir', gitFolder(repository), ...args],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  );
  return text
    .split('\x1e')
    .flatMap((record) => {
      const [hash, at, author, message, names] = record.split('\x1f');
      if (names === undefined) return [];
      const files = names.split('\n').filter((name) => name !== '');
      return [{ hash, at: Date.parse(at as string), author, message: (message as string).trim(), files }];
    })
    .filter(({ author, message, files }) => {
      return (
        files.length > 0 &&
        files.length <= 40 &&
        !byMachine.test(author as string) &&
        !byMachine.test(message)
      );
    })
    .slice(0, newest)
    .reverse() as HistoricCommit[];
}

const gitFolder = (repository: string): string =>
  existsSync(join(repository, '.git')) ? join(repository, '.git') : repository;
