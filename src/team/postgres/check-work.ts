import type { TeamCheck } from '../store/team-store.ts';
import { firstRow, runChecks } from './check.ts';
import type { Database } from './connect.ts';
import { checkJobs } from './job-health.ts';
import { acrossTenants } from './org-transaction.ts';

/** Checks indexes, jobs and events. */
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
