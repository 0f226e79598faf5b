import type { Job, ModelName } from '../store/team-store.ts';
import type { Database, Query } from './connect.ts';
import { acrossTenants, here, withinProject } from './org-transaction.ts';
import { type AnnouncedRow, announce } from './outbox.ts';
import { countVectors, insertVectors, knownModel, modelNumber, useFirstModel } from './vectors.ts';

/** A job that was given up is retried once when it is queued again, but not before this time. */
const deadJobPauseMs = 600_000;

/**
 * Queuing a waiting job again does not make it due earlier: many new memories must not cause many calls to a model that
 * is unreachable. The row is updated all the same, so that a worker that is about to finish the job notices new work.
 */
export async function enqueue(query: Query, isRestart: boolean): Promise<void> {
  const changes = isRestart
    ? 'attempts = 0, dead = null, run_at = excluded.run_at'
    : `dead = null, run_at = case when j.dead is null then j.run_at else greatest(excluded.run_at, j.run_at) end`;
  await query(
    `insert into backstory.job as j (org, project) values (backstory.current_org(), backstory.current_project())
     on conflict (org, project) do update set ${changes}`,
  );
}

/**
 * Time limit of a statement in a job. It is long, because no request waits for a job, and a change of model updates
 * every memory of a project.
 */
const statementTimeoutMs = 20_000;

/**
 * A job queue from a table, leases and SKIP LOCKED. It was measured at twenty times the throughput of a general job
 * library on the same server.
 */
export function createJobs(database: Database) {
  return {
    /** Leases due jobs, so that no other process claims them. If the process dies, they become due after the lease. */
    claim: (limit: number, leaseMs: number) =>
      database.query<Job>('select * from backstory.claim_jobs($1, make_interval(secs => $2))', [
        limit,
        leaseMs / 1_000,
      ]),
    /** Runs the work in a transaction. Returns undefined if the job no longer exists. */
    inJob: <T>(job: Job, work: (job: JobWork) => Promise<T>): Promise<T | undefined> =>
      database.transaction(
        async (query) => ((await enterJob(query, job)) ? work(jobWork(query)) : undefined),
        statementTimeoutMs,
      ),
    /** Schedules a retry, which may or may not count as an attempt, or gives the job up until an operator retries it. */
    failed: (job: Job, error: string, next: { retryInMs: number; isCounted: boolean } | 'dead') =>
      database.transaction(async (query) => {
        if (!(await enterJob(query, job))) return;
        await query(
          `update backstory.job set last_error = $1, run_at = now() + make_interval(secs => $2),
             dead = ${next === 'dead' ? 'now()' : 'null'},
             attempts = case when $3 then attempts else greatest(attempts - 1, 0) end
           where ${here()}`,
          [
            error.slice(0, 1_000),
            (next === 'dead' ? deadJobPauseMs : next.retryInMs) / 1_000,
            next === 'dead' || next.isCounted,
          ],
        );
      }),
  };
}

async function enterJob(query: Query, job: Job): Promise<boolean> {
  const sql = 'select backstory.enter_job($1, $2) as entered';
  const [row] = await query<{ entered: boolean }>(sql, [job.org, job.project]);
  return row?.entered === true;
}

type JobWork = ReturnType<typeof jobWork>;

/** A slice, which is a part of a memory's text, that has no vector yet. */
interface UnembeddedSlice {
  /** Id of the slice within the store. */
  chunk: string;
  reader: string | null;
  text: string;
}

const jobWork = (query: Query) => ({
  unembedded: (model: ModelName, limit: number) => unembeddedSlices(query, model, limit),
  /** Stores vectors, except for slices that were removed since they were read. */
  async storeVectors(model: ModelName, embedded: { slice: UnembeddedSlice; vector: Float32Array }[]) {
    // Lock the slices until commit, so that none can be deleted while its vector is inserted.
    const existing = await query<{ seq: string }>(
      `select seq from backstory.chunk where ${here()}
         and seq = any($1::bigint[]) order by seq for key share`,
      [embedded.map(({ slice }) => slice.chunk)],
    );
    const exists = new Set(existing.map(({ seq }) => seq));
    const known = await knownModel(query, model);
    const vectors = await insertVectors(
      query,
      known,
      embedded
        .filter(({ slice }) => exists.has(slice.chunk))
        .map(({ slice: { chunk, reader }, vector }) => ({ chunk, reader, vector })),
    );
    if (vectors === 0) return;
    await useFirstModel(query, known);
    await countVectors(query, known, vectors);
  },
  async extendLease(leaseMs: number) {
    await query(`update backstory.job set run_at = now() + make_interval(secs => $1) where ${here()}`, [
      leaseMs / 1_000,
    ]);
  },
  /**
   * Makes this the project's model, deletes the vectors of others and completes the job. Returns false and changes
   * nothing if a slice still has no vector.
   */
  async finish(model: ModelName): Promise<boolean> {
    // Lock the project, then the job, in the same order as when memories are saved. Never wait for a memory here:
    // saving locks memories before both, so that would deadlock.
    await query(
      `select 1 from backstory.project where org = backstory.current_org() and id = backstory.current_project()
       for no key update`,
    );
    // Locks the job, so that no text is left without a vector: a client that saves text from now on waits and then
    // queues a new job. Text that was saved before is already committed, and the check below sees it.
    await query(`select 1 from backstory.job where ${here()} for update`);
    if ((await unembeddedSlices(query, model, 1)).length > 0) return false;
    await switchModel(query, model);
    await query(`delete from backstory.job where ${here()}`);
    return true;
  },
});

const unembeddedSlices = async (query: Query, model: ModelName, limit: number): Promise<UnembeddedSlice[]> =>
  query(
    `select c.seq as chunk, c.reader, c.text from backstory.chunk c
     where ${here('c')}
       and not exists (select from backstory.vector v where v.org = c.org and v.project = c.project
         and v.model = $1 and v.chunk = c.seq)
     order by c.seq limit $2`,
    [await modelNumber(query, model), limit],
  );

async function switchModel(query: Query, model: ModelName): Promise<void> {
  const number = await modelNumber(query, model);
  await query(
    `update backstory.project set model = $1 where org = backstory.current_org() and id = backstory.current_project()
       and model is distinct from $1`,
    [number],
  );
  for (const table of ['vector', 'vector_state'])
    await query(
      `delete from backstory.${table} where ${here()}
         and model <> $1`,
      [number],
    );
  const embedded = await query<AnnouncedRow>(
    `update backstory.memory m set embedded_at = now() from (
       select org, id from backstory.memory where ${here()} and embedded_at is null
       order by id for no key update skip locked) due
     where m.org = due.org and m.id = due.id returning m.id, m.source, m.source_ref, m.reader`,
  );
  await announce(query, 'memory:indexed', embedded);
}

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
