import type { LargeProject } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { acrossTenants, uuidLiteral } from './org-transaction.ts';

const indexPrefix = 'vector_near_';
/** The SQL function `has_vector_index` makes the same name. */
const indexName = ({ org, project, model }: LargeProject): string =>
  `${indexPrefix}${project.replaceAll('-', '')}_${org.slice(-8)}_${Number(model)}`;

/** Projects with the vectors of their current model, the largest first. */
const embeddedProjects = (database: Database) =>
  acrossTenants<LargeProject>(
    database,
    `select s.org, s.project, s.model, m.dims, s.vectors::int as vectors
     from backstory.vector_state s join backstory.model m on m.org = s.org and m.id = s.model
     join backstory.project p on p.org = s.org and p.id = s.project and p.model = s.model
     order by s.vectors desc`,
  );

const vectorIndexes = (database: Database) =>
  database.query<{ name: string; isValid: boolean }>(
    `select c.relname as name, i.indisvalid as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'backstory'::regnamespace and starts_with(c.relname, $1)`,
    [indexPrefix],
  );

/** Returns projects that have enough vectors for an own index but no such index yet. */
export async function largeProjects(database: Database, minVectors: number): Promise<LargeProject[]> {
  const valid = (await vectorIndexes(database)).filter(({ isValid }) => isValid).map(({ name }) => name);
  const projects = await embeddedProjects(database);
  return projects.filter((one) => one.vectors >= minVectors && !valid.includes(indexName(one)));
}

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
}

/**
 * Drops the indexes of projects that are deleted, use another model, or have less than half of the vectors that justify
 * an index. Such indexes are no longer used, and each slows down every write of a vector. Returns how many.
 */
export async function dropVectorIndexes(database: Database, minVectors: number): Promise<number> {
  const large = (await embeddedProjects(database)).filter(({ vectors }) => vectors >= minVectors / 2);
  const needed = new Set(large.map(indexName));
  const unneeded = (await vectorIndexes(database)).filter(({ name }) => !needed.has(name));
  for (const { name } of unneeded)
    await database.query(`drop index concurrently if exists backstory.${name}`);
  return unneeded.length;
}
