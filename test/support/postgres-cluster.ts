import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { describe, it } from 'vitest';
import { randomHex } from '../../src/base/ids.ts';
import { freePort } from './free-port.ts';

/** A private Postgres server, created with initdb. */
export interface PostgresCluster {
  url(user: string, database: string): string;
  /** Variables with which `psql`, `pg_dump` and the other clients in PATH connect to it as a superuser. */
  env: Record<string, string>;
  remove(): void;
}

const script = resolve('scripts/postgres.sh');
const root = process.env.BACKSTORY_POSTGRES_ROOT ?? '/opt/backstory-pg17';
const isInstalled = existsSync(join(root, 'usr/lib/postgresql/17/bin/initdb'));

/** Declares tests that start Postgres servers and clients. Without the programs they are skipped, or fail in CI. */
export function describeClusters(title: string, declare: () => void): void {
  if (isInstalled) describe(title, declare);
  else if (process.env.BACKSTORY_REQUIRE_ALL === '1')
    it(title, () => {
      throw new Error(`${root} has no Postgres programs. Install them: scripts/postgres.sh start`);
    });
  else
    describe.skip(`${title} (skipped: ${root} has no Postgres programs)`, () => {
      it('needs Postgres programs', () => {});
    });
}

export async function startCluster(): Promise<PostgresCluster> {
  const port = String(await freePort());
  const own = { BACKSTORY_POSTGRES_PORT: port, BACKSTORY_POSTGRES_DATA: `cluster-${randomHex(6)}` };
  const manage = (command: string) => {
    const { status, stderr } = spawnSync('bash', [script, command], {
      env: { ...process.env, ...own },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };
  manage('start');
  const clients = clientFolder();
  return {
    url: (user, database) => `postgres://${user}@127.0.0.1:${port}/${database}`,
    env: {
      PATH: [clients, process.env.PATH].join(delimiter),
      PGHOST: '127.0.0.1',
      PGPORT: port,
      PGUSER: 'postgres',
    },
    remove() {
      manage('remove');
      rmSync(clients, { recursive: true, force: true });
    },
  };
}

/** A folder with links of the usual names to the installed programs. */
function clientFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-clients-'));
  for (const name of ['createdb', 'pg_dump', 'pg_restore', 'psql']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec bash '${script}' run ${name} "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
