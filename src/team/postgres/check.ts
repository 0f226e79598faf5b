import type { TeamCheck } from '../store/team-store.ts';
import type { Database } from './connect.ts';

/** A check of something that the database can list. */
export interface ListCheck extends Pick<TeamCheck, 'name' | 'isAdvice'> {
  /** Returns a row for each thing that is wrong. */
  sql: string;
  /** What the check says if there is none. */
  fine: string;
  /** What it says before their names. */
  wrong: string;
  hint: string | ((problems: string[]) => string);
}

export async function runChecks(
  database: Database,
  checks: (ListCheck | ((database: Database) => Promise<TeamCheck>))[],
): Promise<TeamCheck[]> {
  const found: TeamCheck[] = [];
  for (const check of checks)
    found.push(await (typeof check === 'function' ? check(database) : listProblems(database, check)));
  return found;
}

async function listProblems(
  { query }: Pick<Database, 'query'>,
  { sql, fine, wrong, hint, ...check }: ListCheck,
): Promise<TeamCheck> {
  const problems = (await query<{ problem: string }>(sql)).map(({ problem }) => problem);
  const ok = problems.length === 0;
  return {
    ...check,
    ok,
    text: ok ? fine : `${wrong} ${problems.join(', ')}`,
    hint: typeof hint === 'string' ? hint : hint(problems),
  };
}

/** Runs a query that always returns a row. */
export const firstRow = async <T extends object>(database: Database, sql: string): Promise<T> =>
  (await database.query(sql))[0] as T;
