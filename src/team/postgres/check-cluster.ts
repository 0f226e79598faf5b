import type { TeamCheck } from '../store/team-store.ts';
import { firstRow, type ListCheck, runChecks } from './check.ts';
import { hasCitus } from './citus.ts';
import type { Database } from './connect.ts';

/** Checks a Citus cluster. Returns no checks on a single Postgres. */
export const checkCluster = async (database: Database): Promise<TeamCheck[]> =>
  (await hasCitus(database.query))
    ? runChecks(database, [nodes, distribution, workerPolicies, settings])
    : [];

async function nodes(database: Database): Promise<TeamCheck> {
  const { version, workers } = await firstRow<{ version: string; workers: number }>(
    database,
    `select (select extversion from pg_extension where extname = 'citus') as version,
       (select count(*)::int from citus_get_active_worker_nodes()) as workers`,
  );
  const unreachable = await database.query<{ path: string }>(
    `select from_nodename || ':' || from_nodeport || ' to ' || to_nodename || ':' || to_nodeport as path
     from citus_check_cluster_node_health() where result is distinct from true order by 1`,
  );
  return {
    name: 'cluster nodes',
    ok: workers > 0 && unreachable.length === 0,
    text:
      unreachable.length === 0
        ? `Citus ${version}, ${workers} workers, all reach each other`
        : `Citus ${version}, ${workers} workers, no connection from ${unreachable.map(({ path }) => path).join(', ')}`,
    hint: 'Start the node, and let the nodes log in to each other in pg_hba.conf',
    figures: { workers, unreachable: unreachable.map(({ path }) => path) },
  };
}

/** A table that is only on the coordinator cannot be joined with those of an organisation. */
const distribution: ListCheck = {
  name: 'cluster tables',
  sql: `select c.relname::text as problem from pg_class c left join citus_tables t on t.table_name = c.oid
     where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p')
       and c.relname not in ('migration', 'citus_migration', 'database_identity', 'sign_in')
       and (t.citus_table_type is null or t.citus_table_type not in ('distributed', 'reference')
         or t.citus_table_type = 'distributed' and (t.distribution_column <> 'org' or t.colocation_id <>
           (select p.colocation_id from citus_tables p where p.table_name = 'backstory.project'::regclass)))
     order by 1`,
  fine: 'all rows of an organisation are on one worker',
  wrong: 'not distributed by organisation:',
  hint: 'backstory team migrate',
};

/** The policies of the coordinator do not protect the rows on a worker. Each shard has its own. */
const workerPolicies: ListCheck = {
  name: 'cluster row-level security',
  sql: `select nodename || ':' || nodeport || ': ' || result as problem from run_command_on_workers(
     $$select coalesce(string_agg(c.relname, ', '), '') from pg_class c
       where c.relnamespace = to_regnamespace('backstory') and c.relkind = 'r'
         and not (c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy p
           where p.polrelid = c.oid and p.polname in ('own_org', 'own_project')))$$)
     where not success or result <> ''`,
  fine: 'forced on every shard',
  wrong: 'not forced on',
  hint: 'On that worker: alter table … enable row level security, force row level security',
};

/** Without this setting no policy on a worker lets a row through. Sessions set it too, but a pooler may drop that. */
const settings: ListCheck = {
  name: 'cluster settings',
  sql: `select quote_ident(d.datname) as problem from pg_database d where d.datname = current_database()
     and not exists (select from pg_db_role_setting s where s.setdatabase = d.oid and s.setrole = 0
       and 'citus.propagate_set_commands=local' = any(s.setconfig))`,
  fine: 'sent to the workers with each transaction',
  wrong: 'citus.propagate_set_commands is not set for the database',
  hint: ([name]) => `alter database ${name} set citus.propagate_set_commands = 'local';`,
};
