import type { Database } from './connect.ts';
import { acrossTenants, withinProject } from './org-transaction.ts';
import { indexName, indexPrefix } from './vector-indexes.ts';

export interface LostIndex {
  org: string;
  project: string;
  model: number;
}

/** Projects that are marked as having their own vector index, although it is missing or invalid. */
export async function lostIndexes(database: Database): Promise<LostIndex[]> {
  const marked = await acrossTenants<LostIndex>(
    database,
    'select org, project, model from backstory.vector_state where promoted is not null',
  );
  if (marked.length === 0) return [];
  const valid = await database.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indisvalid and c.relnamespace = 'backstory'::regnamespace and starts_with(c.relname, $1)`,
    [indexPrefix],
  );
  const names = new Set(valid.map(({ name }) => name));
  return marked.filter((project) => !names.has(indexName(project)));
}

/** Clears the marks, so that `backstory team tend` builds the indexes again. */
export async function unmarkLostIndexes(database: Database): Promise<void> {
  for (const { org, project, model } of await lostIndexes(database))
    await withinProject(database, org, project, (query) =>
      query(
        'update backstory.vector_state set promoted = null where org = $1 and project = $2 and model = $3',
        [org, project, model],
      ),
    );
}

/** Makes jobs that were given up due again. Returns how many. */
export async function retryDeadJobs(database: Database): Promise<number> {
  const projects = await acrossTenants<{ org: string; project: string }>(
    database,
    'select org, project from backstory.job where dead is not null',
  );
  let total = 0;
  for (const { org, project } of projects) {
    const retried = await withinProject(database, org, project, (query) =>
      query(
        `update backstory.job set dead = null, attempts = 0, run_at = now()
           where org = $1 and project = $2 and dead is not null returning 1`,
        [org, project],
      ),
    );
    total += retried.length;
  }
  return total;
}
