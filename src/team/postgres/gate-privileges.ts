import type { Rows } from './connect.ts';

/**
 * The gate may read every table, whichever migration made it: what it cannot read would be missing from a backup.
 * Nobody logs in as the gate, and the functions that belong to it stand in the migrations.
 */
export async function openToGate(query: Rows): Promise<void> {
  for (const table of await closedToGate(query)) {
    await query(`create policy gate_reads on ${table} for select to backstory_gate using (true)`);
    await query(`grant select on ${table} to backstory_gate`);
  }
}

/** Tables of which the gate does not see every row. */
export async function closedToGate(query: Rows): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c, pg_roles r
     where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'migration'
       and r.rolname = 'backstory_gate'
       and not (has_table_privilege(r.oid, c.oid, 'select') and exists (
         select from pg_policy p where p.polrelid = c.oid and p.polcmd in ('r', '*') and p.polpermissive
           and r.oid = any(p.polroles) and pg_get_expr(p.polqual, p.polrelid) = 'true'))
     order by 1`,
  );
  return rows.map(({ name }) => name);
}
