import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { randomHex } from '../../../src/base/ids.ts';
import { onEnd } from '../cleanup.ts';

/** A private Postgres server that a test can crash, with its own data, port and log. It is removed afterwards. */
export interface Cluster {
  url: string;
  port: number;
  /** Stops Postgres immediately, as a power failure would: no checkpoint, and clients are not notified. */
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
}

/** Folder of a Debian with Postgres, made by scripts/postgres.sh. */
export const postgresRoot = process.env.PG17_ROOT ?? '/opt/backstory-pg17';
export const postgresPrograms = '/usr/lib/postgresql/17/bin';
const root = postgresRoot;
const programs = postgresPrograms;

/** Why a cluster cannot be created here; undefined if it can. */
export function whyNoCluster(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can change into the folder of Postgres';
  if (!existsSync(`${root}${programs}/postgres`)) return `no Postgres in ${root}: postgres17 start makes it`;
  return undefined;
}

export async function startCluster(sharedBuffers = '64MB'): Promise<Cluster> {
  const folder = `/var/lib/postgresql/backstory-faults-${randomHex(4)}`;
  const port = await freePort();
  onEnd(() => {
    asPostgresNow(
      `${programs}/pg_ctl -D ${folder} -m immediate stop || true; rm -rf ${folder} ${folder}.log`,
    );
  });
  await asPostgres(
    `${programs}/initdb -D ${folder} -A trust -U postgres --locale=C.UTF-8 -E UTF8 --no-sync --no-instructions`,
  );
  const settings = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    '-c unix_socket_directories=/tmp',
    `-c shared_buffers=${sharedBuffers}`,
    '-c max_connections=200',
  ].join(' ');
  const start = () =>
    asPostgres(`${programs}/pg_ctl -D ${folder} -l ${folder}.log -w -t 60 -o '${settings}' start`);
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    stopAtOnce: () => asPostgres(`${programs}/pg_ctl -D ${folder} -m immediate -w stop`),
    start,
  };
}

const words = (command: string): string[] => [root, 'su', 'postgres', '-c', command];

/** Postgres keeps running after `pg_ctl` and keeps its output streams open, so it gets none. */
const asPostgres = (command: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('chroot', words(command), { stdio: 'ignore' });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command}: ended with ${code}`)),
    );
  });

const asPostgresNow = (command: string) => execFileSync('chroot', words(command), { stdio: 'ignore' });

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
