import { systemClock } from '../base/clock.ts';
import { minIndexedVectors } from '../team/operate/maintenance.ts';
import type { CommandResult } from '../team/operate/operator-commands.ts';
import { checkServer } from '../team/postgres/check-server.ts';
import { checkWork } from '../team/postgres/check-work.ts';
import type { Database } from '../team/postgres/connect.ts';
import type { Migration } from '../team/postgres/migrate.ts';
import { checkTeamDatabase } from '../team/postgres/team-health.ts';
import type { TeamCheck, TeamOperation } from '../team/store/team-store.ts';

/** Everything an operator should know, each with what to do about it. Only what is broken makes it fail. */
export async function doctorCommand(
  database: Database,
  migrations: Migration[],
  operation: TeamOperation,
): Promise<CommandResult & { isWell: boolean }> {
  const checks = await checkTeamDatabase(database, migrations);
  const isFine = (name: string): boolean => checks.every((check) => check.ok || check.name !== name);
  // Of tables that are not there, or that cannot be read, nothing more can be asked.
  if (isFine('tables'))
    checks.push(
      ...(await checkServer(database, systemClock.now)),
      ...(await checkWork(database)),
      await largeProjects(operation),
    );
  return {
    isWell: checks.every(({ ok, isAdvice }) => ok || isAdvice === true),
    value: { checks },
    text: checks.map(told).join('\n'),
  };
}

async function largeProjects(operation: TeamOperation): Promise<TeamCheck> {
  const big = await operation.largeProjects(minIndexedVectors);
  return {
    name: 'big projects',
    ok: big.length === 0,
    isAdvice: true,
    text: big.length === 0 ? 'each has an index of its own' : `${big.length} are searched without an index`,
    hint: 'backstory team tend',
    figures: { waiting: big.map(({ project, vectors }) => ({ project, vectors })) },
  };
}

const told = ({ ok, isAdvice, name, text, hint }: TeamCheck): string =>
  ok
    ? `ok    ${name}: ${text}`
    : `${isAdvice === true ? 'look ' : 'FAIL '} ${name}: ${text}\n      try: ${hint}`;
