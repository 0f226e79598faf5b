import type { ModelName } from '../store/team-store.ts';
import type { Query } from './connect.ts';
import { vectorArrayBytes } from './vector-bytes.ts';

interface VectorRow {
  chunk: string;
  reader: string | null;
  vector: Float32Array;
}

/**
 * Each vector takes tens of milliseconds where an index is maintained, also while it is being built or dropped. Small
 * batches stay below the statement timeout.
 */
const batchSize = 64;

/** Returns how many vectors are new: two processes may work on the same job for a while and bring the same vectors. */
export async function insertVectors(
  query: Query,
  { number, vectorType, dims }: KnownModel,
  vectors: VectorRow[],
): Promise<number> {
  let count = 0;
  for (let from = 0; from < vectors.length; from += batchSize) {
    const batch = vectors.slice(from, from + batchSize);
    const inserted = await query(
      `insert into backstory.vector (org, project, model, chunk, dims, reader, vec)
       select backstory.current_org(), backstory.current_project(), $1, chunk, $2, reader, vec::halfvec
       from unnest($3::bigint[], $4::uuid[], $5::vector[]) as put (chunk, reader, vec) on conflict do nothing
       returning 1`,
      [
        number,
        dims,
        batch.map(({ chunk }) => chunk),
        batch.map(({ reader }) => reader),
        vectorArrayBytes(
          batch.map(({ vector }) => vector),
          vectorType,
        ),
      ],
    );
    count += inserted.length;
  }
  return count;
}

/** The first model used in a project becomes its current model. */
export const useFirstModel = (query: Query, { number }: KnownModel) =>
  query(
    `update backstory.project set model = $1
     where org = backstory.current_org() and id = backstory.current_project() and model is null`,
    [number],
  );

/**
 * Adds to the number of vectors of the current project. Writers of a project wait for each other here, as in every
 * statement that updates the project, so both come last when memories are added, and the project comes first, as in
 * `drop_derived`. Each write is a statement of its own for the reason given in outbox.ts.
 */
export const countVectors = (query: Query, { number }: KnownModel, added: number) =>
  query(
    `insert into backstory.vector_state as s (org, project, model, vectors)
     values (backstory.current_org(), backstory.current_project(), $1, $2)
     on conflict (org, project, model) do update set vectors = s.vectors + excluded.vectors`,
    [number, added],
  );

export const modelNumber = async (query: Query, model: ModelName): Promise<number> =>
  (await knownModel(query, model)).number;

export interface KnownModel {
  number: number;
  dims: number;
  vectorType: number;
}

/** Reads a model, and adds it to those of the organisation at its first use. */
export async function knownModel(query: Query, { id, dims }: ModelName): Promise<KnownModel> {
  const [known] = await query<Omit<KnownModel, 'dims'>>(
    `select id as number, 'vector'::regtype::oid as "vectorType" from backstory.model
     where org = backstory.current_org() and name = $1`,
    [id],
  );
  if (known !== undefined) return { ...known, dims };
  await query(
    `insert into backstory.model (org, id, name, dims)
     select backstory.current_org(), coalesce(max(id), 0) + 1, $1, $2 from backstory.model
     where org = backstory.current_org() on conflict do nothing`,
    [id, dims],
  );
  return knownModel(query, { id, dims });
}
