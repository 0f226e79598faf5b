import type { Database } from './connect.ts';
import { acrossTenants, withinOrg } from './org-transaction.ts';

export interface LostIndex {
  org: string;
  project: string;
  model: number;
}

/** Projects that are marked as having their own vector index, although it is missing or invalid. */
export const lostIndexes = (database: Database): Promise<LostIndex[]> =>
  acrossTenants<LostIndex>(
    database,
    `select s.org, s.project, s.model from backstory.vector_state s where s.promoted is not null
       and not exists (select from pg_index i where i.indisvalid and i.indexrelid = to_regclass(
         'backstory.vector_near_' || replace(s.project::text, '-', '') || '_'
           || right(replace(s.org::text, '-', ''), 8) || '_' || s.model))`,
  );

/** Clears the marks, so that `backstory team tend` builds the indexes again. */
export async function unmarkLostIndexes(database: Database): Promise<void> {
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

/** Makes jobs that were given up due again. Returns how many. */
export async function retryDeadJobs(database: Database): Promise<number> {
  const projects = await acrossTenants<{ org: string; project: string }>(
    database,
    'select distinct org, project from backstory.job where dead is not null',
  );
  let total = 0;
  for (const { org, project } of projects) {
    const retried = await withinOrg(
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
    total += retried.length;
  }
  return total;
}
