import type { CommandResult } from '../team/operate/operator-commands.ts';
import type { Database } from '../team/postgres/connect.ts';
import { finishRestore } from '../team/postgres/database-identity.ts';
import { type Migration, migrate } from '../team/postgres/migrate.ts';

/**
 * Applies missing migrations. If the database was restored from a backup, also ends browser sessions and makes clients
 * sync again.
 */
export async function migrateCommand(
  database: Database,
  migrations: Migration[],
  isKnownRestore: boolean,
): Promise<CommandResult> {
  const applied = await migrate(database, migrations);
  const restored = await finishRestore(database, isKnownRestore);
  return {
    value: { applied, restored: restored ?? null },
    text: [
      ...(applied.length === 0 ? ['The tables are up to date'] : applied.map((name) => `Applied ${name}`)),
      ...(restored === undefined
        ? []
        : [
            `This database was restored from a backup. Ended ${restored.endedSessions} browser sessions; laptops and event listeners sync again automatically`,
            'Repeat what you did after the backup was taken: tokens that you revoked are valid again, people whom you removed or erased are back, and newer tokens are unknown',
            'Next: backstory team doctor',
          ]),
    ].join('\n'),
  };
}
