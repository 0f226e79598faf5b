import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Public histories, each pinned to a commit. They are read from `--histories DIR` and never stored here. Every second
 * one, in the order of names, is held out (never used for tuning); this was fixed before any tuning.
 */
export const manifest: readonly { name: string; head: string }[] = [
  { name: 'Aider-AI/aider', head: '5dc9490bb35f9729ef2c95d00a19ccd30c26339c' },
  { name: 'ast-grep/ast-grep', head: 'e8c70a7c7a6f8b73827e507b65201da8cea0ab79' },
  { name: 'benbjohnson/litestream', head: '63225f17ccbb8dedfb26d03f7d3d07e74c6cf69f' },
  { name: 'brianc/node-postgres', head: 'c9e57617bc92c2ded23a75345f50eadc527bd131' },
  { name: 'BurntSushi/ripgrep', head: '3fce3b5bb0236da2df6d99672afb8a719642eca7' },
  { name: 'colinhacks/zod', head: 'e516c3baf22615e20934116abebfed6c000222c2' },
  { name: 'django/django', head: '03988c5a5ba248c3b9b11ea96fd4fda5e98849aa' },
  { name: 'fastify/fastify', head: '83e69762aff047940b376fc2a266d143499ef727' },
  { name: 'gin-gonic/gin', head: 'dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9' },
  { name: 'google/gson', head: '9835b6f90192f79cdf5300c528fc6212455fb6c1' },
  { name: 'graphile/worker', head: 'abfb4cff30747ad423046d117dfb88470f03ae00' },
  { name: 'honojs/hono', head: '28a9c128912de19f3fb28b00ae289c9b93f6f392' },
  { name: 'jqlang/jq', head: '579e6f76cffd7643ba4002a2c3618a5ea710589a' },
  { name: 'oraios/serena', head: '7fcbca7e62555ec2287ddb2f083caee805848ea6' },
  { name: 'pallets/flask', head: '2ac89889f4cc330eabd50f295dcef02828522c69' },
  { name: 'pgbouncer/pgbouncer', head: '13a344f2625381296fc02e29b986a11be9c6b983' },
  { name: 'praetorian-inc/noseyparker', head: '2e6e7f36ce36619852532bbe698d8cb7a26d2da7' },
  { name: 'probelabs/probe', head: '534993843c84f2826a4b74c7047c823b8a5ee8fc' },
  { name: 'sidekiq/sidekiq', head: '1bb4aa06e5aa178a114a5e855f9f3d5c24f6c61b' },
  { name: 'sourcegraph/zoekt', head: 'c4d8f3537f7a67423835d8cf6b0e1d13e68e0b4c' },
  { name: 'tmux/tmux', head: 'c1f947a3c5bc72a40c32dead736f84c4628791ec' },
  { name: 'tokio-rs/axum', head: '3d78036dcac289d6c1d54934708acb6a5bd73686' },
  { name: 'trpc/trpc', head: '340811ba5320637fbaf48fccf3dbfdd258bd34db' },
  { name: 'yamadashy/repomix', head: 'ffe1f0cf19ae10ebd247c70d9a3ad57a29ecc829' },
];

export const isHeldOut = (name: string): boolean => manifest.findIndex((one) => one.name === name) % 2 === 1;

/** The git directory of a history, at `DIR/owner+name/repo`, `DIR/owner+name` or `DIR/owner/name`. */
export function gitDirOf(folder: string, name: string): string | undefined {
  const flat = join(folder, name.replace('/', '+'));
  const found = [join(flat, 'repo'), flat, join(folder, name)].find((path) => existsSync(path));
  if (found === undefined) return undefined;
  return existsSync(join(found, '.git')) ? join(found, '.git') : found;
}
