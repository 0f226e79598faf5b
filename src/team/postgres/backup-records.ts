import type { Database } from './connect.ts';
import { fromTheGate, inEachOrg, noted } from './org-transaction.ts';

/** Each organisation's audit log says that its memory was copied out, or came back, and when. */
export async function noteBackup(
  database: Database,
  action: 'backup.create' | 'backup.restore',
  detail: Record<string, unknown>,
): Promise<void> {
  await inEachOrg(database, async (query) => (await noted(query, action, '', detail)).length);
}

/** Undefined when there was none. */
export async function lastBackup(database: Database): Promise<Date | undefined> {
  const [row] = await fromTheGate<{ at: Date | null }>(
    database,
    `select max(at) as at from backstory.audit where action = 'backup.create'`,
  );
  return row?.at ?? undefined;
}
