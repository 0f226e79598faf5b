import { AppError } from '../../base/errors.ts';
import type { Query } from './connect.ts';

/** Whether the database has the Citus extension. Its tables are then distributed by organisation. */
export async function hasCitus(query: Query): Promise<boolean> {
  const [row] = await query<{ hasCitus: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as "hasCitus"`,
  );
  return row?.hasCitus === true;
}

/** The number of workers over which the tables are distributed; 0 on a single Postgres. */
export async function countWorkers(query: Query): Promise<number> {
  if (!(await hasCitus(query))) return 0;
  const [row] = await query<{ workers: number }>(
    'select count(*)::int as workers from citus_get_active_worker_nodes()',
  );
  return row?.workers ?? 0;
}

export async function requireCitus(query: Query): Promise<void> {
  if (!(await hasCitus(query)))
    throw new AppError('BACKEND_FAILURE', 'this database does not have the Citus extension', {
      hint: `Run on every node, in this database: create extension citus. Or leave out --citus for one Postgres`,
    });
  if ((await countWorkers(query)) === 0)
    throw new AppError('BACKEND_FAILURE', 'this database has Citus, but no workers', {
      hint: `Run for each worker: select citus_add_node('HOST', PORT)`,
    });
}

/**
 * Prepares the first migration. Citus connects to the workers as the role that runs a statement, so the roles of the
 * server must be able to log in there. They have no password: the operator lets the nodes of the cluster in.
 */
export async function prepareCitus(query: Query): Promise<void> {
  await requireCitus(query);
  await query(`do $$
    declare name text;
    begin
      foreach name in array array['backstory_app', 'backstory_gate'] loop
        if to_regrole(name) is null then
          execute format('create role %I login nosuperuser nobypassrls nocreatedb nocreaterole', name);
        elsif not (select r.rolcanlogin from pg_roles r where r.rolname = name) then
          execute format('alter role %I login', name);
        end if;
      end loop;
    end $$`);
}

/**
 * Prepares the transaction of a migration. The tables of a new database are created on the coordinator only, until a
 * file for Citus distributes them. Afterwards Citus applies migrations on every node.
 */
export async function beginMigration(query: Query, isOnlyForCitus: boolean): Promise<void> {
  // Citus would send the whole file with each `set local` in it.
  await query(`set local citus.propagate_set_commands = 'none'`);
  if (isOnlyForCitus) return;
  const [row] = await query<{ isDistributed: boolean }>(
    `select to_regclass('backstory.citus_migration') is not null as "isDistributed"`,
  );
  if (row?.isDistributed !== true) await query('set local citus.enable_ddl_propagation = off');
}

/** More numbers than a cluster hands out while a restore point is made. Columns have 64 bits, so none is missed. */
const skippedNumbers = 1_000_000_000;

/**
 * Prepares the transaction that finishes the restore of a cluster. Each node is restored to its own end of a restore
 * point, some milliseconds apart. The coordinator hands out the numbers of rows, and a worker may have rows that were
 * numbered after the coordinator's end. Skip numbers, so that none is handed out twice.
 */
export async function beginRestore(query: Query): Promise<void> {
  // Citus refuses to change a reference table after it has changed shards in parallel.
  await query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  await query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + $1)
     from pg_sequences where schemaname = 'backstory'`,
    [skippedNumbers],
  );
}

/**
 * Session setting: Citus sends each `set local` to the workers, whose policies read it. Postgres without Citus ignores
 * the setting. `0001-distribute.sql` sets it for the database too, for connection poolers that drop it.
 */
export const sendSettings = { 'citus.propagate_set_commands': 'local' };

const tenantFunction = /\bbackstory\.current_(org|project)\(\)/g;
/** Statements after which the transaction may be in another organisation or project. */
const entersTenant = /\bbackstory\.enter|\bset local backstory\./;
const uuid = /^[0-9a-f-]{36}$/;

/**
 * Replaces `backstory.current_org()` and `backstory.current_project()` with their values in the statements of a
 * transaction. Citus chooses the worker of a statement by a constant in the distribution column. With a function call
 * it would ask every worker, and refuse most statements. The policies on the workers compare with the settings, which
 * Citus sends along, so a wrong value here finds no rows.
 */
export function routeToTenant(query: Query): Query {
  let tenant: Promise<Record<string, string>> | undefined;
  const readTenant = async (): Promise<Record<string, string>> => {
    const [row] = await query<Record<string, string>>(
      `select current_setting('backstory.org', true) as org, current_setting('backstory.project', true) as project`,
    );
    return row ?? {};
  };
  const routed: Query = async (text, values, name) => {
    if (entersTenant.test(text)) tenant = undefined;
    if (text.search(tenantFunction) === -1) return query(text, values, name);
    tenant ??= readTenant();
    const current = await tenant;
    // No organisation, as in a migration, whose functions shall keep the call.
    if (!uuid.test(current.org ?? '')) return query(text, values, name);
    const literal = (_: string, which: string): string => {
      const value = current[which] ?? '';
      return uuid.test(value) ? `'${value}'::uuid` : 'null::uuid';
    };
    return query(text.replace(tenantFunction, literal), values, name);
  };
  return routed;
}
