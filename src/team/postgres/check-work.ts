import type { TeamCheck } from '../store/team-store.ts';
import { firstRow, runChecks } from './check.ts';
import type { Database } from './connect.ts';
import { acrossTenants } from './org-transaction.ts';

export const checkWork = (database: Database): Promise<TeamCheck[]> =>
  runChecks(database, [indexes, checkJobs, outbox]);

async function indexes(database: Database): Promise<TeamCheck> {
  const { broken } = await firstRow<{ broken: string[] }>(
    database,
    `select array(select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = 'backstory'::regnamespace and not (i.indisvalid and i.indisready)
         and not exists (select from pg_stat_progress_create_index p where p.index_relid = c.oid)) as broken`,
  );
  const own = broken.filter((name) => !name.startsWith('vector_near_'));
  return {
    name: 'indexes',
    ok: broken.length === 0,
    text: broken.length === 0 ? 'valid' : `${broken.length} not valid (${broken.join(', ')})`,
    hint: ['backstory team tend', ...own.map((name) => `reindex index concurrently backstory.${name};`)].join(
      ' and ',
    ),
    figures: { broken },
  };
}

/**
 * Maximum age of the oldest outbox event. `backstory team tend` deletes events after seven days, so an older one
 * means that nobody runs it.
 */
const maxOutboxDays = 8;

async function outbox(database: Database): Promise<TeamCheck> {
  const [figures = { events: 0, days: 0 }] = await acrossTenants<{ events: number; days: number }>(
    database,
    `select count(*)::int as events, coalesce(extract(epoch from now() - min(at)) / 86400, 0)::int as days
     from backstory.outbox`,
  );
  return {
    name: 'outbox',
    ok: figures.days <= maxOutboxDays,
    isAdvice: true,
    text: `${figures.events} events, the oldest ${figures.days} days old`,
    hint: 'Run backstory team tend every day, for example from cron',
    figures,
  };
}

interface DeadRow {
  project: string;
  attempts: number;
  last_error: string | null;
}

const maxShown = 10;
/**
 * How long a job may wait. Embedding a project of a million slices (parts of texts) can take this long. If a job has
 * waited longer, no worker is running.
 */
const maxWaitMinutes = 60;

export async function checkJobs(database: Database): Promise<TeamCheck> {
  const givenUp = await acrossTenants<DeadRow>(
    database,
    `select p.name as project, j.attempts, j.last_error from backstory.job j
     join backstory.project p on p.org = j.org and p.id = j.project
     where j.dead is not null order by j.dead desc limit $1`,
    [maxShown],
  );
  const [row] = await acrossTenants<Record<'waiting' | 'failing' | 'lateMinutes' | 'dead', number>>(
    database,
    `select count(*) filter (where dead is null)::int as waiting, count(*) filter (where dead is not null)::int as dead,
       count(*) filter (where dead is null and last_error is not null)::int as failing,
       coalesce(extract(epoch from now() - min(run_at) filter (where dead is null and run_at < now())) / 60, 0)::int
         as "lateMinutes"
     from backstory.job`,
  );
  const { waiting = 0, failing = 0, lateMinutes = 0, dead = 0 } = row ?? {};
  const isLate = lateMinutes >= maxWaitMinutes;
  const lines = givenUp.map(
    ({ project, attempts, last_error }) =>
      `reindex of ${project} given up after ${attempts} attempts: ${last_error ?? ''}`,
  );
  const state = `${waiting} waiting${failing === 0 ? '' : `, ${failing} of them being retried`}${isLate ? `, the oldest for ${lateMinutes} minutes` : ''}, ${dead} given up`;
  return {
    name: 'jobs',
    ok: dead === 0 && !isLate,
    text: [state, ...lines].join('\n      '),
    hint:
      dead === 0
        ? 'Start another process: backstory team serve'
        : 'Fix the cause, then run: backstory team retry',
    figures: { waiting, failing, lateMinutes, dead },
  };
}
