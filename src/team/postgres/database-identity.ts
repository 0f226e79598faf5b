import { beginRestore, hasCitus } from './citus.ts';
import type { Database, Query } from './connect.ts';

/**
 * SQL condition: whether the database is the one that it says it is. A dump contains the identity of the database it
 * was taken from. After pg_restore, `create database … template` or pg_upgrade the stored identity differs from the
 * actual one. A copy of the files (a snapshot, point-in-time recovery) keeps both, so it cannot be recognised this
 * way.
 */
export const isOwnIdentity = `exists (select from backstory.database_identity i, pg_control_system() s, pg_database d
  where d.datname = current_database() and i.database_oid = d.oid and i.system_identifier = s.system_identifier)`;

const resetTables = ['audit', 'note_feed', 'org', 'outbox', 'token'];

/**
 * Puts a restored database into service; returns undefined if it is not a restored one. Laptops sync all notes again,
 * event listeners start over and browsers sign in again, because each may know of changes that the dump lacks.
 */
export async function finishRestore(database: Database, isKnownRestore: boolean) {
  const report = await database.transaction(async (query) => {
    // If another process is finishing the same restore, wait for it.
    await query('lock table backstory.database_identity in exclusive mode');
    const [state] = await query<{ isOwn: boolean }>(`select ${isOwnIdentity} as "isOwn"`);
    return state?.isOwn === true && !isKnownRestore ? undefined : startNewHistory(query);
  });
  if (report !== undefined) await analyzeTables(database);
  return report;
}

async function startNewHistory(query: Query) {
  if (await hasCitus(query)) await beginRestore(query);
  // Row-level security applies to the owner too, but the reset concerns the rows of every organisation, so lift it.
  for (const name of resetTables) await query(`alter table backstory.${name} no force row level security`);
  // Empty the outbox, the list of events for clients: its rows are ordered by transaction ids of the database that
  // was dumped, which mean nothing here.
  await query('delete from backstory.outbox');
  // One new epoch for all projects. Citus refuses a random value for each row.
  const [fresh] = await query<{ epoch: string }>('select gen_random_uuid() as epoch');
  await query('update backstory.note_feed set epoch = $1', [fresh?.epoch]);
  const ended = await query(
    `update backstory.token set revoked = now() where is_browser_session and revoked is null and expires > now()
     returning id`,
  );
  const organisations = await query(
    `insert into backstory.audit (org, action) select org, 'database.restore' from backstory.org returning org`,
  );
  for (const name of resetTables) await query(`alter table backstory.${name} force row level security`);
  await query(
    `update backstory.database_identity set system_identifier = s.system_identifier, database_oid = d.oid,
       history = $1
     from pg_control_system() s, pg_database d where d.datname = current_database()`,
    [fresh?.epoch],
  );
  // `endedSessions`: browsers whose users have to sign in again.
  return { organisations: organisations.length, endedSessions: ended.length };
}

/** A dump contains no statistics for the query planner, so collect them after a restore. */
async function analyzeTables(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'backstory'::regnamespace and relkind in ('r', 'p')`,
  );
  for (const { name } of tables) await database.query(`analyze ${name}`);
}
