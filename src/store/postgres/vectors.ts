import type { ModelName } from '../team-store.ts';
import type { Rows } from './connect.ts';

/** Four decimals are more than half-precision numbers hold. */
const steps = 10_000;

/** Every number there can be, written once: writing them anew took most of the time that saving a memory took. */
const written: string[] = [];

/** Of a vector of length one. */
export function vectorText(vector: Float32Array): string {
  let text = '[';
  for (let at = 0; at < vector.length; at++) {
    const step = Math.round((vector[at] as number) * steps);
    const known = written[step + steps];
    if (known === undefined) written[step + steps] = `${step / steps}`;
    text += at === 0 ? (written[step + steps] as string) : `,${written[step + steps]}`;
  }
  return `${text}]`;
}

interface VectorRow {
  chunk: string;
  reader: string | null;
  vec: string;
}

/** Vectors of a model beside their chunks. The first model a project meets is the one that answers for it. */
export async function keepVectors(query: Rows, model: ModelName, vectors: VectorRow[]): Promise<void> {
  const number = await modelNumber(query, model);
  // Counted by what was put: two processes may be at the same work for a while, and both bring the same vectors.
  const put = await query(
    `insert into backstory.vector (org, project, model, chunk, dims, reader, vec)
     select backstory.current_org(), backstory.current_project(), $1, chunk, $2, reader, vec
     from json_to_recordset($3) as put (chunk bigint, reader uuid, vec halfvec) on conflict do nothing
     returning chunk`,
    [number, model.dims, JSON.stringify(vectors)],
  );
  await query(
    `with counted as (
       insert into backstory.vector_state as s (org, project, model, vectors)
       values (backstory.current_org(), backstory.current_project(), $1, $2)
       on conflict (org, project, model) do update set vectors = s.vectors + excluded.vectors)
     update backstory.project set model = $1
     where org = backstory.current_org() and id = backstory.current_project() and model is null`,
    [number, put.length],
  );
}

/** Numbered in the order in which an organisation met them. */
export async function modelNumber(query: Rows, { id, dims }: ModelName): Promise<number> {
  const [known] = await query<{ id: number }>(
    'select id from backstory.model where org = backstory.current_org() and name = $1',
    [id],
  );
  if (known !== undefined) return known.id;
  await query(
    `insert into backstory.model (org, id, name, dims)
     select backstory.current_org(), coalesce(max(id), 0) + 1, $1, $2 from backstory.model
     where org = backstory.current_org() on conflict do nothing`,
    [id, dims],
  );
  return modelNumber(query, { id, dims });
}
