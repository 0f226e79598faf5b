import type { TeamCheck } from '../store/team-store.ts';
import { hasCitus } from './citus.ts';
import type { Database } from './connect.ts';
import { firstRow } from './first-row.ts';

/** Checks a Citus cluster. Returns no checks on a single Postgres. */
export async function checkCluster(database: Database): Promise<TeamCheck[]> {
  if (!(await hasCitus(database.query))) return [];
  const found: TeamCheck[] = [];
  for (const check of [nodes, distribution, workerPolicies, settings]) found.push(await check(database));
  return found;
}

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
async function distribution(database: Database): Promise<TeamCheck> {
  const { apart } = await firstRow<{ apart: string[] }>(
    database,
    `select array(select c.relname::text from pg_class c left join citus_tables t on t.table_name = c.oid
       where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p')
         and c.relname not in ('migration', 'citus_migration', 'database_identity', 'sign_in')
         and (t.citus_table_type is null or t.citus_table_type not in ('distributed', 'reference')
           or t.citus_table_type = 'distributed' and (t.distribution_column <> 'org' or t.colocation_id <>
             (select p.colocation_id from citus_tables p where p.table_name = 'backstory.project'::regclass)))
       order by 1) as apart`,
  );
  return {
    name: 'cluster tables',
    ok: apart.length === 0,
    text:
      apart.length === 0
        ? 'all rows of an organisation are on one worker'
        : `not distributed by organisation: ${apart.join(', ')}`,
    hint: 'backstory team migrate',
  };
}

/** The policies of the coordinator do not protect the rows on a worker. Each shard has its own. */
async function workerPolicies(database: Database): Promise<TeamCheck> {
  const answers = await database.query<{ node: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as node, success, result from run_command_on_workers(
       $$select coalesce(string_agg(c.relname, ', '), '') from pg_class c
         where c.relnamespace = to_regnamespace('backstory') and c.relkind = 'r'
           and not (c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy p
             where p.polrelid = c.oid and p.polname in ('own_org', 'own_project')))$$)`,
  );
  const open = answers.filter(({ success, result }) => !success || result !== '');
  return {
    name: 'cluster row-level security',
    ok: open.length === 0,
    text:
      open.length === 0
        ? 'forced on every shard'
        : open.map(({ node, result }) => `not forced on ${node}: ${result}`).join('; '),
    hint: 'On that worker: alter table … enable row level security, force row level security',
  };
}

/** Without this setting no policy on a worker lets a row through. Sessions set it too, but a pooler may drop that. */
async function settings(database: Database): Promise<TeamCheck> {
  const { isSet, name } = await firstRow<{ isSet: boolean; name: string }>(
    database,
    `select exists (select from pg_db_role_setting s where s.setdatabase = d.oid and s.setrole = 0
         and 'citus.propagate_set_commands=local' = any(s.setconfig)) as "isSet", quote_ident(d.datname) as name
     from pg_database d where d.datname = current_database()`,
  );
  return {
    name: 'cluster settings',
    ok: isSet,
    text: isSet
      ? 'sent to the workers with each transaction'
      : 'citus.propagate_set_commands is not set for the database',
    hint: `alter database ${name} set citus.propagate_set_commands = 'local';`,
  };
}
