import type { Job, Jobs, JobWork, ModelName } from '../team-store.ts';
import type { Database, Rows } from './connect.ts';
import { keepVectors, modelNumber, vectorText } from './vectors.ts';

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
             dead = case when $4 then now() end where org = backstory.current_org() and id = $1`,
          [job.id, error.slice(0, 1_000), next === 'dead' ? 0 : next.retryInMs / 1_000, next === 'dead'],
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
  unjudged: async (model, limit) =>
    query(
      `select c.seq as chunk, c.reader, c.text from backstory.chunk c
       where c.org = backstory.current_org() and c.project = backstory.current_project()
         and not exists (select from backstory.vector v where v.org = c.org and v.project = c.project
           and v.model = $1 and v.chunk = c.seq)
       order by c.seq limit $2`,
      [await modelNumber(query, model), limit],
    ),
  async judge(model, judged) {
    // Held until the end, so that a slice cannot go while its vector comes.
    const there = await query<{ seq: string }>(
      `select seq from backstory.chunk where org = backstory.current_org() and project = backstory.current_project()
         and seq = any($1::bigint[]) order by seq for key share`,
      [judged.map(({ slice }) => slice.chunk)],
    );
    const isThere = new Set(there.map(({ seq }) => seq));
    await keepVectors(
      query,
      model,
      judged
        .filter(({ slice }) => isThere.has(slice.chunk))
        .map(({ slice: { chunk, reader }, vector }) => ({ chunk, reader, vec: vectorText(vector) })),
    );
  },
  answerBy: (model) => answerBy(query, model),
  async done() {
    // Asked for anew while it ran, it stays: the attempts then began from nothing.
    await query(
      'delete from backstory.job where org = backstory.current_org() and id = $1 and attempts >= $2',
      [job.id, job.attempts],
    );
  },
});

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
    `with judged as (
       update backstory.memory set embedded_at = now() where org = backstory.current_org()
         and project = backstory.current_project() and embedded_at is null
       returning project, id, source, source_ref, reader)
     insert into backstory.outbox (org, project, kind, ref, reader, payload)
     select backstory.current_org(), project, 'memory:indexed', id, reader,
       jsonb_build_object('source', source, 'sourceRef', source_ref) from judged`,
  );
}
