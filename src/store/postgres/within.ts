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
