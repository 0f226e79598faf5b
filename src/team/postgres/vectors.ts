import type { ModelName } from '../store/team-store.ts';
import type { Query } from './connect.ts';
import { halfvecArrayBytes } from './halfvec.ts';

interface VectorRow {
  chunk: string;
  reader: string | null;
  vector: Float32Array;
}

/** With an index, each vector takes tens of milliseconds. Small batches stay below the statement timeout. */
const vectorBatchSize = 64;

/** Saves vectors. The first model used in a project becomes its current model. */
export async function saveVectors(query: Query, model: ModelName, vectors: VectorRow[]): Promise<void> {
  const known = await knownModel(query, model);
  for (let from = 0; from < vectors.length; from += vectorBatchSize)
    await insertVectors(query, { ...known, dims: model.dims }, vectors.slice(from, from + vectorBatchSize));
}

async function insertVectors(
  query: Query,
  { number, halfvecType, dims }: KnownModel & { dims: number },
  vectors: VectorRow[],
): Promise<void> {
  const inserted = await query(
    `insert into backstory.vector (org, project, model, chunk, dims, reader, vec)
     select backstory.current_org(), backstory.current_project(), $1, chunk, $2, reader, vec
     from unnest($3::bigint[], $4::uuid[], $5::halfvec[]) as put (chunk, reader, vec) on conflict do nothing
     returning 1`,
    [
      number,
      dims,
      vectors.map(({ chunk }) => chunk),
      vectors.map(({ reader }) => reader),
      halfvecArrayBytes(
        vectors.map(({ vector }) => vector),
        halfvecType,
      ),
    ],
  );
  // Count only the rows that were really inserted: two processes may work on the same job for a while and bring the
  // same vectors. Each write is a statement of its own for the reason given in outbox.ts.
  await query(
    `insert into backstory.vector_state as s (org, project, model, vectors)
     values (backstory.current_org(), backstory.current_project(), $1, $2)
     on conflict (org, project, model) do update set vectors = s.vectors + excluded.vectors`,
    [number, inserted.length],
  );
  await query(
    `update backstory.project set model = $1
     where org = backstory.current_org() and id = backstory.current_project() and model is null`,
    [number],
  );
}

/** Whether this project has its own index for vectors of this model, which makes writing them expensive. */
export async function isPromoted(query: Query, model: ModelName): Promise<boolean> {
  const [row] = await query(
    `select from backstory.vector_state where org = backstory.current_org() and project = backstory.current_project()
       and model = $1 and promoted is not null`,
    [await modelNumber(query, model)],
  );
  return row !== undefined;
}

/** Returns the number of a model, which is assigned at its first use in the organisation. */
export const modelNumber = async (query: Query, model: ModelName): Promise<number> =>
  (await knownModel(query, model)).number;

interface KnownModel {
  number: number;
  halfvecType: number;
}

async function knownModel(query: Query, { id, dims }: ModelName): Promise<KnownModel> {
  const [known] = await query<KnownModel>(
    `select id as number, 'halfvec'::regtype::oid as "halfvecType" from backstory.model
     where org = backstory.current_org() and name = $1`,
    [id],
  );
  if (known !== undefined) return known;
  await query(
    `insert into backstory.model (org, id, name, dims)
     select backstory.current_org(), coalesce(max(id), 0) + 1, $1, $2 from backstory.model
     where org = backstory.current_org() on conflict do nothing`,
    [id, dims],
  );
  return knownModel(query, { id, dims });
}
