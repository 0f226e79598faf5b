import type { LargeProject } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { uuidLiteral, withinProject } from './org-transaction.ts';

export const indexPrefix = 'vector_near_';
export const indexName = ({ org, project, model }: Pick<LargeProject, 'org' | 'project' | 'model'>): string =>
  `${indexPrefix}${project.replaceAll('-', '')}_${org.replaceAll('-', '').slice(-8)}_${Number(model)}`;

/**
 * Builds an HNSW index for one project without blocking writes. The planner uses it where it is cheaper than a scan of all
 * vectors. An interrupted build leaves an invalid index, which is dropped first.
 */
export async function createVectorIndex(database: Database, target: LargeProject): Promise<void> {
  const { org, project, model, dims } = target;
  const name = indexName(target);
  await database.query(`drop index concurrently if exists backstory.${name}`);
  await database.query(
    `create index concurrently ${name} on backstory.vector using hnsw ((vec::halfvec(${Number(dims)})) halfvec_ip_ops)
     with (m = 32, ef_construction = 256)
     where org = ${uuidLiteral(org)} and project = ${uuidLiteral(project)} and model = ${Number(model)} and dims = ${Number(dims)}`,
  );
  await setPromoted(database, target, true);
}

/**
 * Drops the indexes of projects that are deleted, use another model, or have less than half of the vectors that justify
 * an index. Such indexes are no longer used, and each slows down every write of a vector.
 */
export async function dropVectorIndexes(
  database: Database,
  projects: LargeProject[],
  minVectors: number,
): Promise<number> {
  const known = new Map(projects.map((project) => [indexName(project), project]));
  const indexes = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'backstory'::regnamespace and relkind = 'i'
       and starts_with(relname, $1)`,
    [indexPrefix],
  );
  const unneeded = indexes.filter(({ name }) => {
    const project = known.get(name);
    return project === undefined || project.vectors < minVectors / 2;
  });
  for (const { name } of unneeded) {
    const project = known.get(name);
    // First mark the project as having no index, so that nothing relies on the index when it is dropped.
    if (project !== undefined) await setPromoted(database, project, false);
    await database.query(`drop index concurrently if exists backstory.${name}`);
  }
  return unneeded.length;
}

const setPromoted = (
  database: Database,
  { org, project, model }: LargeProject,
  isPromoted: boolean,
): Promise<unknown> =>
  withinProject(database, org, project, (query) =>
    query(
      `update backstory.vector_state set promoted = ${isPromoted ? 'now()' : 'null'}
         where org = $1 and project = $2 and model = $3`,
      [org, project, model],
    ),
  );
