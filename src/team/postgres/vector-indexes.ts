import type { BigProject } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { withinOrg } from './org-transaction.ts';

const literal = (uuid: string): string => {
  // They come from the database, and are written into statements that take no parameters.
  if (!/^[0-9a-f-]{36}$/.test(uuid)) throw new Error('not a uuid');
  return `'${uuid}'`;
};

const prefix = 'vector_near_';
const nameOf = ({ org, project, model }: Pick<BigProject, 'org' | 'project' | 'model'>): string =>
  `${prefix}${project.replaceAll('-', '')}_${org.replaceAll('-', '').slice(-8)}_${Number(model)}`;

/**
 * An index of nearest neighbours for one project alone, made while everybody goes on working. From then on the planner
 * takes it where it is cheaper than looking at every vector. A build that was broken off leaves an index that is not
 * valid; it is taken away first.
 */
export async function promote(database: Database, big: BigProject): Promise<void> {
  const { org, project, model, dims } = big;
  const name = nameOf(big);
  await database.query(`drop index concurrently if exists backstory.${name}`);
  await database.query(
    `create index concurrently ${name} on backstory.vector using hnsw ((vec::halfvec(${Number(dims)})) halfvec_ip_ops)
     with (m = 32, ef_construction = 256)
     where org = ${literal(org)} and project = ${literal(project)} and model = ${Number(model)} and dims = ${Number(dims)}`,
  );
  await setPromoted(database, big, true);
}

/**
 * Takes away the indexes of projects that are gone, shrank to less than half of what is big, or answer by another model
 * by now. They find nothing any more, and every vector that is written asks them whether it is theirs.
 */
export async function demote(
  database: Database,
  projects: BigProject[],
  least: (dims: number) => number,
): Promise<number> {
  const known = new Map(projects.map((project) => [nameOf(project), project]));
  const indexes = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'backstory'::regnamespace and relkind = 'i'
       and starts_with(relname, $1)`,
    [prefix],
  );
  const needless = indexes.filter(({ name }) => {
    const project = known.get(name);
    return project === undefined || project.vectors < least(project.dims) / 2;
  });
  for (const { name } of needless) {
    const project = known.get(name);
    // First nobody goes by it any more, then it goes.
    if (project !== undefined) await setPromoted(database, project, false);
    await database.query(`drop index concurrently if exists backstory.${name}`);
  }
  return needless.length;
}

const setPromoted = (
  database: Database,
  { org, project, model }: BigProject,
  isPromoted: boolean,
): Promise<unknown> =>
  withinOrg(
    database,
    org,
    (query) =>
      query(
        `update backstory.vector_state set promoted = case when $4 then now() end
         where org = $1 and project = $2 and model = $3`,
        [org, project, model, isPromoted],
      ),
    project,
  );
