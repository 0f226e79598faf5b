import type { Database, Query } from './connect.ts';

/**
 * Runs a transaction as the database owner, restricted to one organisation: row-level security applies to the owner
 * too.
 */
export const withinOrg = <T>(
  database: Database,
  org: string,
  work: (query: Query) => Promise<T>,
): Promise<T> => withinProject(database, org, '', work);

/** The same, restricted to one project. */
export const withinProject = <T>(
  database: Database,
  org: string,
  project: string,
  work: (query: Query) => Promise<T>,
): Promise<T> =>
  database.transaction(async (query) => {
    // Citus sends `set local` to the workers, but not `set_config`.
    await query(
      `set local backstory.org = ${uuidLiteral(org)};
       set local backstory.project = ${project === '' ? `''` : uuidLiteral(project)}`,
    );
    return work(query);
  });

/** SQL condition: the row is of the project that the transaction has entered. */
export const here = (table?: string): string => {
  const of = table === undefined ? '' : `${table}.`;
  return `${of}org = backstory.current_org() and ${of}project = backstory.current_project()`;
};

/** For statements that take no parameters. */
export function uuidLiteral(uuid: string): string {
  if (!/^[0-9a-f-]{36}$/.test(uuid)) throw new Error('not a uuid');
  return `'${uuid}'`;
}

type AuditEntry = [action: string, subject: string, detail?: object, project?: string | undefined];

/** Writes an audit log entry of the operator. It must not contain a name or text, because entries are never deleted. */
export const writeAudit = (query: Query, ...[action, subject, detail = {}, project]: AuditEntry) =>
  query(
    `insert into backstory.audit (org, action, subject, detail, project)
     values (backstory.current_org(), $1, $2, $3, $4)`,
    [action, subject, JSON.stringify(detail), project ?? null],
  );

/** Runs a statement of the operator in the organisation, or in the project of the entry, and audits it. */
export const audited = (
  database: Database,
  org: string,
  entry: AuditEntry,
  sql: string,
  values: unknown[],
): Promise<object[]> =>
  withinProject(database, org, entry[3] ?? '', async (query) => {
    const rows = await query(sql, values);
    await writeAudit(query, ...entry);
    return rows;
  });

/** Runs a query that sees the rows of all tenants. */
export const acrossTenants = <T extends object>(
  database: Database,
  sql: string,
  values?: unknown[],
): Promise<T[]> =>
  database.transaction(async (query) => {
    await query(`select set_config('role', 'backstory_gate', true)`);
    return query<T>(sql, values);
  });
