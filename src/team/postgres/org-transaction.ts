import type { Database, Rows } from './connect.ts';

/** For who holds the owner's address of the database: the policies hold for them too, so each transaction says whose. */
export const withinOrg = <T>(
  database: Database,
  org: string,
  work: (query: Rows) => Promise<T>,
  project = '',
): Promise<T> =>
  database.transaction(async (query) => {
    await query(`select set_config('backstory.org', $1, true), set_config('backstory.project', $2, true)`, [
      org,
      project,
    ]);
    return work(query);
  });

/** Never a name or a text: these lines outlive the people and memories they speak of. */
export const noted = (query: Rows, action: string, subject: string, detail: object = {}, project?: string) =>
  query(
    `insert into backstory.audit (org, action, subject, detail, project)
     values (backstory.current_org(), $1, $2, $3, $4)`,
    [action, subject, JSON.stringify(detail), project ?? null],
  );

/** Across all tenants; only to look. */
export const fromTheGate = <T extends object>(
  database: Database,
  sql: string,
  values?: unknown[],
): Promise<T[]> =>
  database.transaction(async (query) => {
    await query(`select set_config('role', 'backstory_gate', true)`);
    return query<T>(sql, values);
  });

/** One organisation after the other; the sum of what was done in each. */
export async function inEachOrg(
  database: Database,
  work: (query: Rows, org: string) => Promise<number>,
): Promise<number> {
  let done = 0;
  for (const { org } of await fromTheGate<{ org: string }>(database, 'select org from backstory.org'))
    done += await withinOrg(database, org, (query) => work(query, org));
  return done;
}
