import type { Job, Jobs, JobWork, ModelName, UnembeddedSlice } from '../store/team-store.ts';
import type { Database, Rows } from './connect.ts';
import { keepVectors, modelNumber } from './vectors.ts';

/** How long a piece of work rests among the dead before something new brings it back for one more try. */
const restMinutes = 10;

/**
 * Asked for while it waits, it goes on waiting: a flood of memories must not wear down a model that is away. The row
 * is touched all the same, so that whoever is about to finish it sees what is new.
 */
export async function askFor(
  query: Rows,
  { kind, key, payload = {} }: { kind: string; key: string; payload?: unknown },
  isAnew: boolean,
): Promise<void> {
  const again = isAnew
    ? 'payload = excluded.payload, attempts = 0, dead = null, run_at = now()'
    : `dead = null, run_at = case when j.dead is null then j.run_at
         else greatest(now(), j.dead + make_interval(mins => ${restMinutes})) end`;
  await query(
    `insert into backstory.job as j (org, project, kind, key, payload)
     values (backstory.current_org(), backstory.current_project(), $1, $2, $3)
     on conflict (org, project, kind, key) do update set ${again}`,
    [kind, key, JSON.stringify(payload)],
  );
}

/** Nobody waits for it, and taking over a big project by a new model touches every memory of it. */
const statementMs = 20_000;

/** A table, a lease and SKIP LOCKED: measured at twenty times what a general job library does on the same server. */
export function createJobs(database: Database): Jobs {
  return {
    claim: (kinds, most, leaseMs) =>
      database.query<Job>('select * from backstory.claim_jobs($1, $2, make_interval(secs => $3))', [
        kinds,
        most,
        leaseMs / 1_000,
      ]),
    inJob: (job, work) =>
      database.transaction(
        async (query) => ((await entered(query, job)) ? work(jobWork(query, job)) : undefined),
        statementMs,
      ),
    failed: (job, error, next) =>
      database.transaction(async (query) => {
        if (!(await entered(query, job))) return;
        await query(
          `update backstory.job set last_error = $2, run_at = now() + make_interval(secs => $3),
             dead = case when $4 then now() end, attempts = case when $5 then attempts else greatest(attempts - 1, 0) end
           where org = backstory.current_org() and id = $1`,
          [
            job.id,
            error.slice(0, 1_000),
            next === 'dead' ? 0 : next.retryInMs / 1_000,
            next === 'dead',
            next === 'dead' || next.isCounted,
          ],
        );
      }),
  };
}

async function entered(query: Rows, job: Job): Promise<boolean> {
  const [row] = await query<{ entered: boolean }>('select backstory.enter_job($1, $2) as entered', [
    job.org,
    job.id,
  ]);
  return row?.entered === true;
}

const jobWork = (query: Rows, job: Job): JobWork => ({
  unembedded: (model, limit) => unembeddedSlices(query, model, limit),
  async storeVectors(model, embedded) {
    // Held until the end, so that a slice cannot go while its vector comes.
    const there = await query<{ seq: string }>(
      `select seq from backstory.chunk where org = backstory.current_org() and project = backstory.current_project()
         and seq = any($1::bigint[]) order by seq for key share`,
      [embedded.map(({ slice }) => slice.chunk)],
    );
    const isThere = new Set(there.map(({ seq }) => seq));
    await keepVectors(
      query,
      model,
      embedded
        .filter(({ slice }) => isThere.has(slice.chunk))
        .map(({ slice: { chunk, reader }, vector }) => ({ chunk, reader, vector })),
    );
  },
  async stay(leaseMs) {
    await query(
      `update backstory.job set run_at = now() + make_interval(secs => $2)
       where org = backstory.current_org() and id = $1`,
      [job.id, leaseMs / 1_000],
    );
  },
  async finish(model) {
    // First the project, then the job, as those who save do; never waiting for a memory, which they lock before both.
    await query(
      `select 1 from backstory.project where org = backstory.current_org() and id = backstory.current_project()
       for no key update`,
    );
    // Whoever asks meanwhile waits here, and then finds no job and makes one; or was first, and is seen below.
    await query('select 1 from backstory.job where org = backstory.current_org() and id = $1 for update', [
      job.id,
    ]);
    if ((await unembeddedSlices(query, model, 1)).length > 0) return false;
    await answerBy(query, model);
    await query('delete from backstory.job where org = backstory.current_org() and id = $1', [job.id]);
    return true;
  },
});

const unembeddedSlices = async (query: Rows, model: ModelName, limit: number): Promise<UnembeddedSlice[]> =>
  query(
    `select c.seq as chunk, c.reader, c.text from backstory.chunk c
     where c.org = backstory.current_org() and c.project = backstory.current_project()
       and not exists (select from backstory.vector v where v.org = c.org and v.project = c.project
         and v.model = $1 and v.chunk = c.seq)
     order by c.seq limit $2`,
    [await modelNumber(query, model), limit],
  );

async function answerBy(query: Rows, model: ModelName): Promise<void> {
  const number = await modelNumber(query, model);
  await query(
    `update backstory.project set model = $1 where org = backstory.current_org() and id = backstory.current_project()
       and model is distinct from $1`,
    [number],
  );
  for (const table of ['vector', 'vector_state'])
    await query(
      `delete from backstory.${table} where org = backstory.current_org() and project = backstory.current_project()
         and model <> $1`,
      [number],
    );
  await query(
    `with embedded as (
       update backstory.memory m set embedded_at = now() from (
         select org, id from backstory.memory where org = backstory.current_org()
           and project = backstory.current_project() and embedded_at is null
         order by id for no key update skip locked) due
       where m.org = due.org and m.id = due.id
       returning m.project, m.id, m.source, m.source_ref, m.reader)
     insert into backstory.outbox (org, project, kind, ref, reader, payload)
     select backstory.current_org(), project, 'memory:indexed', id, reader,
       jsonb_build_object('source', source, 'sourceRef', source_ref) from embedded`,
  );
}
