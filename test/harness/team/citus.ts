import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '../../../src/team/postgres/connect.ts';
import { onEnd } from '../cleanup.ts';
import { postgresRoot } from './cluster.ts';

/** A Citus cluster of its own: a coordinator, and workers with the numbers 1 to `workers`. It is removed afterwards. */
export interface CitusCluster {
  /** Of the coordinator. */
  url: string;
  workers: number;
  portOf(worker: number): number;
  /** Kills the worker with SIGKILL. */
  kill(worker: number): Promise<void>;
  up(worker: number): Promise<void>;
}

const program = resolve(process.env.CITUS ?? 'citus');
const port = Number(process.env.CITUS_PORT ?? 55_600);

/** Why a cluster cannot be created here; undefined if it can. */
export function whyNoCitus(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can change into the folder of Postgres';
  if (!existsSync(program)) return 'CITUS does not name the program that starts a Citus cluster';
  return undefined;
}

export async function startCitus(workers: number): Promise<CitusCluster> {
  const env = { ...process.env, CITUS_PORT: String(port) };
  const run = async (...args: string[]): Promise<void> => {
    await promisify(execFile)(program, args, { env });
  };
  const remove = () => {
    execFileSync(program, ['stop'], { env, stdio: 'ignore' });
    const folder = `${postgresRoot}/var/lib/postgresql`;
    for (const name of readdirSync(folder))
      if (name.startsWith(`citus-${port}-`)) rmSync(`${folder}/${name}`, { recursive: true, force: true });
  };
  // Left behind by a killed run.
  remove();
  onEnd(remove);
  await run('start', String(workers));
  const portOf = (node: number) => port + node;
  const urlOf = (node: number) => `postgres://postgres@127.0.0.1:${portOf(node)}/postgres`;
  for (let node = 0; node <= workers; node++) await configure(urlOf(node));
  return {
    url: urlOf(0),
    workers,
    portOf,
    kill: (worker) => run('kill', `${worker}`),
    up: (worker) => run('up', `${worker}`),
  };
}

/** As the guide advises: a crashed worker has thousands of files, and syncing them one by one takes seconds. */
async function configure(url: string): Promise<void> {
  const node = connect(url, () => {});
  await node.query(`alter system set recovery_init_sync_method = 'syncfs'`);
  await node.query('select pg_reload_conf()');
  await node.close();
}
