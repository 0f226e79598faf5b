import type { BigProject } from '../team-store.ts';
import type { Database } from './connect.ts';

const literal = (uuid: string): string => {
  // They come from the database, and are written into statements that take no parameters.
  if (!/^[0-9a-f-]{36}$/.test(uuid)) throw new Error('not a uuid');
  return `'${uuid}'`;
};

/**
 * An index of nearest neighbours for one project alone, made while everybody goes on working. From then on the planner
 * takes it where it is cheaper than looking at every vector. A build that was broken off leaves an index that is not
 * valid; it is taken away first.
 */
export async function promote(database: Database, { org, project, model, dims }: BigProject): Promise<void> {
  const name = `vector_near_${project.replaceAll('-', '')}_${org.replaceAll('-', '').slice(-8)}_${Number(model)}`;
  await database.query(`drop index concurrently if exists backstory.${name}`);
  await database.query(
    `create index concurrently ${name} on backstory.vector using hnsw ((vec::halfvec(${Number(dims)})) halfvec_ip_ops)
     with (m = 16, ef_construction = 128)
     where org = ${literal(org)} and project = ${literal(project)} and model = ${Number(model)} and dims = ${Number(dims)}`,
  );
  await database.transaction(async (query) => {
    await query(`select set_config('backstory.org', $1, true), set_config('backstory.project', $2, true)`, [
      org,
      project,
    ]);
    await query(
      'update backstory.vector_state set promoted = now() where org = $1 and project = $2 and model = $3',
      [org, project, model],
    );
  });
}
