import { systemClock } from '../base/clock.ts';
import { type CommandResult, initTeam, type OperatorOptions } from '../team/operate/operator-commands.ts';
import { countWorkers, requireCitus } from '../team/postgres/citus.ts';
import type { Database } from '../team/postgres/connect.ts';
import { type Migration, migrate } from '../team/postgres/migrate.ts';
import { createTeamOperation } from '../team/postgres/team-operation.ts';

/**
 * Creates the tables, an organisation and its owner, and says whether the tables are on one Postgres or distributed.
 * With `citus`, refuses a database whose tables would not be distributed.
 */
export async function initCommand(
  database: Database,
  migrations: Migration[],
  words: string[],
  options: OperatorOptions,
): Promise<CommandResult> {
  if (options.citus === true) await requireCitus(database.query);
  await migrate(database, migrations);
  const { value, text } = await initTeam(
    {
      operation: createTeamOperation(database, systemClock),
      now: systemClock.now(),
    },
    words,
    options,
  );
  const workers = await countWorkers(database.query);
  const place =
    workers === 0 ? 'on one Postgres' : `distributed over the ${workers} workers of a Citus cluster`;
  return { value: { ...(value as object), workers }, text: `Tables ${place}\n${text}` };
}
