import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../../../src/base/ids.ts';
import { onEnd } from '../cleanup.ts';
import { sleep } from '../program.ts';
import { freePort, postgresPrograms, postgresRoot } from './cluster.ts';

/**
 * Two Postgres servers that Patroni runs as a primary and its synchronous replica, with etcd, and pgbouncer in front,
 * which follows the primary. The settings are those of docs/guides/team-operate.md.
 */
export interface HighAvailability {
  /** Addresses through pgbouncer, of the owner and of the server's own account. */
  ownerUrl: string;
  addressFor(account: string): string;
  /** Ends the primary's Postgres at once; with `whole`, its Patroni too, as when the machine is gone. */
  killPrimary(whole: boolean): Promise<void>;
  /** Starts Patroni again on a node where it was killed, and waits until there is a synchronous replica. */
  heal(): Promise<void>;
}

/** Patroni accepts no shorter lease of the primary. */
export const leaseSeconds = 20;
const patienceMs = 120_000;

const needed = ['usr/bin/patroni', 'usr/bin/etcd', 'usr/sbin/pgbouncer'];

export function whyNoPatroni(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can change into the folder of Postgres';
  const missing = needed.filter((path) => !existsSync(join(postgresRoot, path)));
  if (missing.length === 0) return undefined;
  return `no ${missing.join(', ')} in ${postgresRoot}: scripts/postgres.sh add patroni etcd-server pgbouncer`;
}

interface Node {
  name: string;
  port: number;
  restPort: number;
  folder: string;
  patroni: number | undefined;
}

export async function startHighAvailability(): Promise<HighAvailability> {
  const base = `/var/lib/postgresql/backstory-ha-${randomHex(4)}`;
  mkdirSync(join(postgresRoot, base), { recursive: true });
  completeRoot();
  const put = (name: string, text: string, mode = 0o644) =>
    writeFileSync(join(postgresRoot, base, name), text, { mode });
  const running = new Set<number>();
  const run = (name: string, command: string): number => {
    const pid = startAsPostgres(`exec ${command} >> ${base}/${name}.log 2>&1`);
    running.add(pid);
    return pid;
  };
  onEnd(() => {
    for (const pid of running) killTree(pid);
    for (const { folder } of nodes) killTree(postmasterOf(folder));
    execFileSync('rm', ['-rf', join(postgresRoot, base)]);
  });

  const [etcdPort, etcdPeerPort, poolPort] = [await freePort(), await freePort(), await freePort()];
  const nodes: Node[] = [];
  for (const name of ['one', 'two'])
    nodes.push({
      name,
      port: await freePort(),
      restPort: await freePort(),
      folder: `${base}/${name}`,
      patroni: undefined,
    });

  put('primary.ini', `* = host=127.0.0.1 port=${nodes[0]?.port}\n`, 0o666);
  put('users.txt', '"postgres" ""\n"team_server" ""\n');
  put('pgbouncer.ini', poolSettings(base, poolPort));
  // Patroni calls it with the action, the role and the cluster's name after every change.
  for (const { name, port } of nodes)
    put(
      `follow-${name}`,
      `#!/bin/sh
[ "$2" = primary ] || exit 0
echo "* = host=127.0.0.1 port=${port}" > ${base}/primary.ini
kill -HUP "$(cat ${base}/pgbouncer.pid)"
`,
      0o755,
    );
  for (const node of nodes) put(`${node.name}.yml`, nodeSettings(base, node, etcdPort));
  execFileSync('chroot', [postgresRoot, 'chown', '-R', 'postgres', base]);
  run(
    'etcd',
    `etcd --data-dir ${base}/etcd --listen-client-urls http://127.0.0.1:${etcdPort}
      --advertise-client-urls http://127.0.0.1:${etcdPort} --listen-peer-urls http://127.0.0.1:${etcdPeerPort}
      --initial-advertise-peer-urls http://127.0.0.1:${etcdPeerPort}
      --initial-cluster default=http://127.0.0.1:${etcdPeerPort} --log-level warn`.replaceAll('\n', ' '),
  );
  run('pgbouncer', `/usr/sbin/pgbouncer ${base}/pgbouncer.ini`);

  const startPatroni = (node: Node) => {
    node.patroni = run(node.name, `patroni ${base}/${node.name}.yml`);
  };
  const lastLines = () =>
    nodes
      .map(({ name }) => join(postgresRoot, base, `${name}.log`))
      .filter(existsSync)
      .map((file) => readFileSync(file, 'utf8').slice(-1_500))
      .join('\n');
  const statusOf = async ({ restPort }: Node): Promise<{ role?: string; sync_standby?: boolean }> =>
    fetch(`http://127.0.0.1:${restPort}/patroni`).then(
      (response) => response.json() as Promise<{ role?: string }>,
      () => ({}),
    );
  const primary = async (): Promise<Node> => {
    for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(100))
      for (const node of nodes) if ((await statusOf(node)).role === 'primary') return node;
    throw new Error(`no primary: ${lastLines()}`);
  };
  const untilReplicated = async () => {
    for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(200)) {
      const states = await Promise.all(nodes.map(statusOf));
      if (states.some(({ role }) => role === 'primary') && states.some((state) => state.sync_standby)) return;
    }
    throw new Error(`no synchronous replica: ${lastLines()}`);
  };

  startPatroni(nodes[0] as Node);
  await primary();
  startPatroni(nodes[1] as Node);
  await untilReplicated();
  const addressFor = (account: string) => `postgres://${account}@127.0.0.1:${poolPort}/postgres`;
  return {
    ownerUrl: addressFor('postgres'),
    addressFor,
    async killPrimary(whole) {
      const node = await primary();
      const postmaster = postmasterOf(node.folder);
      if (whole && node.patroni !== undefined) {
        killTree(node.patroni);
        running.delete(node.patroni);
        node.patroni = undefined;
      }
      killTree(postmaster);
    },
    async heal() {
      for (const node of nodes) if (node.patroni === undefined) startPatroni(node);
      await untilReplicated();
    },
  };
}

/** Patroni needs the list of processes and shared memory, which a folder of unpacked packages has not. */
function completeRoot(): void {
  chmodSync(join(postgresRoot, 'dev/shm'), 0o1777);
  const processes = join(postgresRoot, 'proc');
  if (existsSync(join(processes, 'self'))) return;
  execFileSync('mount', ['-t', 'proc', 'proc', processes]);
  onEnd(() => execFileSync('umount', ['--lazy', processes]));
}

const nodeSettings = (base: string, { name, port, restPort, folder }: Node, etcdPort: number) => `
scope: backstory
name: ${name}
restapi: { listen: '127.0.0.1:${restPort}', connect_address: '127.0.0.1:${restPort}' }
etcd3: { hosts: '127.0.0.1:${etcdPort}' }
bootstrap:
  dcs:
    ttl: ${leaseSeconds}
    loop_wait: 2
    retry_timeout: 3
    # An acknowledged write is on both servers; a crashed primary is replaced, not restarted.
    synchronous_mode: true
    primary_start_timeout: 0
    postgresql:
      use_pg_rewind: true
      parameters: { shared_buffers: 64MB, max_connections: 100, wal_keep_size: 256MB }
  initdb: [ { encoding: UTF8 }, { locale: C.UTF-8 }, { auth: trust }, data-checksums ]
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${folder}
  bin_dir: ${postgresPrograms}
  pgpass: ${base}/${name}.pgpass
  authentication:
    superuser: { username: postgres }
    replication: { username: postgres }
    rewind: { username: postgres }
  parameters: { unix_socket_directories: ${base} }
  pg_hba: [ 'local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust' ]
  callbacks: { on_start: ${base}/follow-${name}, on_role_change: ${base}/follow-${name} }
`;

const poolSettings = (base: string, port: number) => `
[databases]
%include ${base}/primary.ini
[users]
; Migrations and the checks of this evaluation use settings of a session.
postgres = pool_mode=session
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${base}/users.txt
pidfile = ${base}/pgbouncer.pid
pool_mode = transaction
max_prepared_statements = 500
; The role and the time limits are settings of the account (docs/guides/team-faults.md).
ignore_startup_parameters = options
default_pool_size = 20
server_login_retry = 0.2
server_connect_timeout = 2
query_wait_timeout = 3
`;

/** Process id of the first program in the chain of su and shell, which \`exec\` replaces. */
function startAsPostgres(command: string): number {
  const child = spawn('chroot', ['--userspec=postgres:postgres', postgresRoot, 'sh', '-c', command], {
    stdio: 'ignore',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/var/lib/postgresql', LANG: 'C.UTF-8' },
  });
  return child.pid as number;
}

function postmasterOf(folder: string): number | undefined {
  const file = join(postgresRoot, folder, 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

/** Ends a process and its children at once, the process first, so that it starts nothing anew. */
function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  const children = childrenOf(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
  for (const child of children) killTree(child);
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
}
