import type { Database } from './connect.ts';

/** Each organisation's audit log says that its memory was copied out, or came back, and when. */
export async function noteBackup(
  database: Database,
  action: 'backup.create' | 'backup.restore',
  detail: Record<string, unknown>,
): Promise<void> {
  const orgs = await fromTheGate<{ org: string }>(database, 'select org from backstory.org');
  for (const { org } of orgs)
    await database.transaction(async (query) => {
      await query(`select set_config('backstory.org', $1, true)`, [org]);
      await query(
        'insert into backstory.audit (org, action, detail) values (backstory.current_org(), $1, $2)',
        [action, JSON.stringify(detail)],
      );
    });
}

/** Undefined when there was none. */
export async function lastBackup(database: Database): Promise<Date | undefined> {
  const [row] = await fromTheGate<{ at: Date | null }>(
    database,
    `select max(at) as at from backstory.audit where action = 'backup.create'`,
  );
  return row?.at ?? undefined;
}

/** Across all tenants; only to look. */
export const fromTheGate = <T extends object>(database: Database, sql: string): Promise<T[]> =>
  database.transaction(async (query) => {
    await query(`select set_config('role', 'backstory_gate', true)`);
    return query<T>(sql);
  });
