import type { TeamCheck } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { firstRow } from './first-row.ts';
import { checkJobs } from './job-health.ts';
import { acrossTenants } from './org-transaction.ts';
import { lostIndexes } from './repair.ts';

/** Checks indexes, jobs, events, vacuum and table sizes. */
export async function checkWork(database: Database): Promise<TeamCheck[]> {
  const found: TeamCheck[] = [];
  for (const check of [indexes, checkJobs, outbox, vacuum, sizes]) found.push(await check(database));
  return found;
}

const firstAcrossTenants = async <T extends object>(database: Database, sql: string): Promise<T> =>
  (await acrossTenants<T>(database, sql))[0] as T;
const megabytes = (bytes: string): string => `${(Number(bytes) / 1e6).toFixed(1)} MB`;

async function indexes(database: Database): Promise<TeamCheck> {
  const { broken } = await firstRow<{ broken: string[] }>(
    database,
    `select array(select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = 'backstory'::regnamespace and not (i.indisvalid and i.indisready)
         and not exists (select from pg_stat_progress_create_index p where p.index_relid = c.oid)) as broken`,
  );
  const missing = (await lostIndexes(database)).length;
  const own = broken.filter((name) => !name.startsWith('vector_near_'));
  return {
    name: 'indexes',
    ok: broken.length === 0 && missing === 0,
    text:
      broken.length === 0 && missing === 0
        ? 'complete and valid'
        : `${broken.length} not valid (${broken.join(', ')}), ${missing} of large projects missing`,
    hint: ['backstory team tend', ...own.map((name) => `reindex index concurrently backstory.${name};`)].join(
      ' and ',
    ),
    figures: { broken, missing },
  };
}

/**
 * Maximum age of the oldest outbox event. `backstory team tend` deletes events after seven days, so an older one
 * means that nobody runs it.
 */
const maxOutboxDays = 8;

async function outbox(database: Database): Promise<TeamCheck> {
  const figures = await firstAcrossTenants<{ events: number; days: number }>(
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

const minCheckedRows = 50_000;
const maxDeadShare = 0.3;
/** Maximum age of the oldest transaction id. Postgres stops accepting writes at about two billion. */
const maxTransactionAge = 1_500_000_000;

async function vacuum(database: Database): Promise<TeamCheck> {
  const { age } = await firstRow<{ age: number }>(
    database,
    'select age(datfrozenxid)::int as age from pg_database where datname = current_database()',
  );
  const bloated = await database.query<{ name: string; dead: string; live: string }>(
    `select relname as name, n_dead_tup as dead, n_live_tup as live from pg_stat_user_tables
     where schemaname = 'backstory' and n_dead_tup > ${minCheckedRows}
       and n_dead_tup > ${maxDeadShare} * (n_live_tup + n_dead_tup) order by n_dead_tup desc`,
  );
  const unanalysed = await database.query<{ name: string }>(
    `select relname as name from pg_stat_user_tables where schemaname = 'backstory' and n_live_tup > ${minCheckedRows}
       and last_analyze is null and last_autoanalyze is null`,
  );
  const isOld = age > maxTransactionAge;
  const problems = [
    ...bloated.map(({ name, dead, live }) => `${name} has ${dead} dead and ${live} live rows`),
    ...unanalysed.map(({ name }) => `${name} was never analysed`),
    ...(isOld ? [`the oldest transaction id is ${age} transactions old`] : []),
  ];
  return {
    name: 'vacuum',
    ok: problems.length === 0,
    isAdvice: !isOld,
    text: problems.length === 0 ? 'up to date' : problems.join('; '),
    hint:
      [...bloated, ...unanalysed].map(({ name }) => `vacuum (analyze) backstory.${name};`).join(' ') ||
      'vacuum freeze;',
    figures: { behind: bloated, age },
  };
}

async function sizes(database: Database): Promise<TeamCheck> {
  const tables = await database.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid)::text as bytes from pg_class
     where relnamespace = 'backstory'::regnamespace and relkind in ('r', 'p')
     order by pg_total_relation_size(oid) desc`,
  );
  const { bytes } = await firstRow<{ bytes: string }>(
    database,
    'select pg_database_size(current_database())::text as bytes',
  );
  const largest = tables.slice(0, 5).map(({ name, bytes: own }) => `${name} ${megabytes(own)}`);
  return {
    name: 'size',
    ok: true,
    text: `${megabytes(bytes)}: ${largest.join(', ')}`,
    hint: '',
    figures: {
      bytes: Number(bytes),
      tables: Object.fromEntries(tables.map((one) => [one.name, Number(one.bytes)])),
    },
  };
}
