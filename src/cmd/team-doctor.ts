import { systemClock } from '../base/clock.ts';
import { minIndexedVectors } from '../team/operate/maintenance.ts';
import type { CommandResult } from '../team/operate/operator-commands.ts';
import { checkCluster } from '../team/postgres/check-cluster.ts';
import { checkTeamDatabase } from '../team/postgres/check-database.ts';
import { checkServer } from '../team/postgres/check-server.ts';
import { checkWork } from '../team/postgres/check-work.ts';
import type { Database } from '../team/postgres/connect.ts';
import type { Migration } from '../team/postgres/migrate.ts';
import type { TeamCheck, TeamOperation } from '../team/store/team-store.ts';

/** Runs all checks. Each failed check says what to do; advice does not make the command fail. */
export async function doctorCommand(
  database: Database,
  migrations: Migration[],
  operation: TeamOperation,
): Promise<CommandResult & { isWell: boolean }> {
  const checks = await checkTeamDatabase(database, migrations);
  const hasTables = checks.every((check) => check.ok || check.name !== 'tables');
  // The other checks read the tables, so they run only if the tables exist.
  if (hasTables)
    checks.push(
      ...(await checkServer(database, systemClock.now)),
      ...(await checkWork(database)),
      ...(await checkCluster(database)),
      await largeProjects(operation),
    );
  return {
    isWell: checks.every(({ ok, isAdvice }) => ok || isAdvice === true),
    value: { checks },
    text: checks.map(formatCheck).join('\n'),
  };
}

async function largeProjects(operation: TeamOperation): Promise<TeamCheck> {
  const unindexed = await operation.largeProjects(minIndexedVectors);
  return {
    name: 'large projects',
    ok: unindexed.length === 0,
    isAdvice: true,
    text:
      unindexed.length === 0
        ? 'all have a vector index'
        : `${unindexed.length} are searched without a vector index`,
    hint: 'backstory team tend',
    figures: { waiting: unindexed.map(({ project, vectors }) => ({ project, vectors })) },
  };
}

const formatCheck = ({ ok, isAdvice, name, text, hint }: TeamCheck): string =>
  ok
    ? `ok    ${name}: ${text}`
    : `${isAdvice === true ? 'warn ' : 'FAIL '} ${name}: ${text}\n      try: ${hint}`;
