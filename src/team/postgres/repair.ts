import type { Database } from './connect.ts';
import { fromTheGate, withinOrg } from './org-transaction.ts';

export interface LostIndex {
  org: string;
  project: string;
  model: number;
}

/** Projects that are said to have an index of their own, which is missing or was never finished. */
export const lostIndexes = (database: Database): Promise<LostIndex[]> =>
  fromTheGate<LostIndex>(
    database,
    `select s.org, s.project, s.model from backstory.vector_state s where s.promoted is not null
       and not exists (select from pg_index i where i.indisvalid and i.indexrelid = to_regclass(
         'backstory.vector_near_' || replace(s.project::text, '-', '') || '_'
           || right(replace(s.org::text, '-', ''), 8) || '_' || s.model))`,
  );

/** So that `tend` makes them again. */
export async function admitLostIndexes(database: Database): Promise<void> {
  for (const { org, project, model } of await lostIndexes(database))
    await withinOrg(
      database,
      org,
      (query) =>
        query(
          'update backstory.vector_state set promoted = null where org = $1 and project = $2 and model = $3',
          [org, project, model],
        ),
      project,
    );
}

/** Work that was given up begins anew; says how much. */
export async function retryDeadJobs(database: Database): Promise<number> {
  const projects = await fromTheGate<{ org: string; project: string }>(
    database,
    'select distinct org, project from backstory.job where dead is not null',
  );
  let begun = 0;
  for (const { org, project } of projects) {
    const again = await withinOrg(
      database,
      org,
      (query) =>
        query(
          `update backstory.job set dead = null, attempts = 0, run_at = now()
           where org = $1 and project = $2 and dead is not null returning id`,
          [org, project],
        ),
      project,
    );
    begun += again.length;
  }
  return begun;
}
