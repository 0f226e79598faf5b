import type { TeamCheck } from '../team-store.ts';
import type { Database } from './connect.ts';

interface DeadRow {
  kind: string;
  project: string;
  attempts: number;
  last_error: string | null;
}

interface WaitingRow {
  waiting: number;
  failing: number;
  oldest_minutes: number;
}

const mostShown = 10;
/** A project of a million slices may take this long to be judged; what has waited longer has no one working on it. */
const longMinutes = 60;

/** Work that nobody waits for: whether it is being done, and what of it failed too often to be tried again. */
export const checkJobs = (database: Database): Promise<TeamCheck> =>
  database.transaction(async (query) => {
    await query(`select set_config('role', 'backstory_gate', true)`);
    const dead = await query<DeadRow>(
      `select j.kind, p.name as project, j.attempts, j.last_error from backstory.job j
       join backstory.project p on p.org = j.org and p.id = j.project
       where j.dead is not null order by j.dead desc limit $1`,
      [mostShown],
    );
    const [row] = await query<WaitingRow>(
      `select count(*)::int as waiting, count(*) filter (where last_error is not null)::int as failing,
         coalesce(extract(epoch from now() - min(run_at) filter (where run_at < now())) / 60, 0)::int as oldest_minutes
       from backstory.job where dead is null`,
    );
    const { waiting = 0, failing = 0, oldest_minutes = 0 } = row ?? {};
    const isLate = oldest_minutes > longMinutes;
    const lines = dead.map(
      ({ kind, project, attempts, last_error }) =>
        `${kind} of ${project} gave up after ${attempts} tries: ${last_error ?? ''}`,
    );
    const state = `${waiting} waiting${failing === 0 ? '' : `, ${failing} of them failed before`}${isLate ? `, the oldest for ${oldest_minutes} minutes` : ''}`;
    return {
      name: 'jobs',
      ok: dead.length === 0 && !isLate,
      text: [state, ...lines].join('\n      '),
      hint:
        dead.length === 0
          ? 'Does a server run? backstory team serve'
          : 'Mend what it says, then POST /api/projects/:id/memory/reindex begins it anew',
    };
  });
