import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { randomHex } from '../../../src/base/ids.ts';
import type { Role, Scope } from '../../../src/domain/memory.ts';
import { hashOfToken, makeToken } from '../../../src/team/people/token.ts';
import { connect, type Database } from '../../../src/team/postgres/connect.ts';
import { migrate, readMigrations } from '../../../src/team/postgres/migrate.ts';
import { createTeamOperation } from '../../../src/team/postgres/team-operation.ts';
import { createTeamStore } from '../../../src/team/postgres/team-store.ts';
import { appRole } from '../../../src/team/postgres/tenant.ts';
import type { TeamOperation, TeamStore, TokenHash } from '../../../src/team/store/team-store.ts';
import { createTestDatabase, dropTestDatabase } from '../../support/test-database.ts';

const variable = 'BACKSTORY_TEST_POSTGRES';
const migrations = readMigrations(fileURLToPath(new URL('../../../sql/postgres', import.meta.url)));
const ignore = (): void => {};

export interface TeamDatabase {
  url: string;
  /** Connected as the owner of the database. */
  owner: Database;
  operation: TeamOperation;
  /** Opens a store as a server does, without the rights of the owner. */
  openStore(connections: number): TeamStore;
}

export interface Person {
  id: string;
  token: string;
  hash: TokenHash;
}

/** Creates a database on the real server for the duration of `work`. `shards` is for Citus. */
export const withTeamDatabase = <T>(
  purpose: string,
  work: (team: TeamDatabase) => Promise<T>,
  shards?: number,
): Promise<T> =>
  asAdministrator(async (administrator, server) => {
    const prefix = `backstory_eval_${purpose}`;
    // Drops databases left behind by killed runs.
    const left = await administrator.query<{ name: string }>(
      `select datname as name from pg_database d where datname like $1
         and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
      [`${prefix}\\_%`],
    );
    for (const { name } of left) await dropTestDatabase(administrator, server, name);
    const name = `${prefix}_${randomHex(4)}`;
    await createTestDatabase(administrator, server, name, { shards });
    try {
      return await inDatabase(server, name, work);
    } finally {
      await dropTestDatabase(administrator, server, name);
    }
  });

/** A database that is kept for the next run. It is created on first use and migrated to the newest version. */
export const withKeptTeamDatabase = <T>(name: string, work: (team: TeamDatabase) => Promise<T>): Promise<T> =>
  asAdministrator(async (administrator, server) => {
    const known = await administrator.query('select from pg_database where datname = $1', [name]);
    if (known.length === 0) await createTestDatabase(administrator, server, name);
    return inDatabase(server, name, work);
  });

async function asAdministrator<T>(work: (administrator: Database, server: string) => Promise<T>): Promise<T> {
  const server = process.env[variable];
  if (server === undefined || server === '')
    throw new Error(`${variable} does not name a Postgres server. Start one: scripts/postgres.sh start`);
  const administrator = connect(server, ignore, 1);
  try {
    return await work(administrator, server);
  } finally {
    await administrator.close();
  }
}

async function inDatabase<T>(
  server: string,
  name: string,
  work: (team: TeamDatabase) => Promise<T>,
): Promise<T> {
  const own = new URL(server);
  own.pathname = `/${name}`;
  const owner = connect(own.href, ignore, 4);
  const stores: TeamStore[] = [];
  try {
    await migrate(owner, migrations);
    return await work({
      url: own.href,
      owner,
      operation: createTeamOperation(owner, systemClock),
      openStore(connections) {
        const store = createTeamStore(connect(own.href, ignore, connections, appRole), migrations.length);
        stores.push(store);
        return store;
      },
    });
  } finally {
    for (const store of stores) await store.close();
    await owner.close();
  }
}

/** Adds a person with a token. */
export async function addPerson(
  operation: TeamOperation,
  org: string,
  name: string,
  roles: Record<string, Role>,
  scopes: Scope[] = ['read', 'write'],
): Promise<Person> {
  const id = await operation.createPrincipal(org, { name, orgRole: 'member' });
  for (const [project, role] of Object.entries(roles)) await operation.setRole(org, project, id, role);
  return addToken(operation, org, id, scopes);
}

export async function addToken(
  operation: TeamOperation,
  org: string,
  id: string,
  scopes: Scope[] = ['read', 'write'],
  expires?: string,
): Promise<Person> {
  const token = makeToken();
  const hash = hashOfToken(token);
  await operation.createToken(org, id, { hash, scopes, expires });
  return { id, token, hash };
}
