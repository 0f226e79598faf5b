import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { AppError, errorEnvelope, messageOf } from '../base/errors.ts';
import { connect, type Database } from '../store/postgres/connect.ts';
import { migrate, readMigrations } from '../store/postgres/migrate.ts';
import { checkTeamDatabase } from '../store/postgres/team-health.ts';
import { createTeamOperation } from '../store/postgres/team-operation.ts';
import {
  type Done,
  initTeam,
  memberCommand,
  type OperatorOptions,
  type OperatorParts,
  projectCommand,
  tokenCommand,
} from '../team/operate.ts';
import { tendTeam } from '../team/tend.ts';

/** `backstory team`: the server for a team, and what its operator needs. Nothing else loads this. */
const usage =
  'backstory team join|push|pull|status|leave for developers; for operators: backstory team serve|init|migrate|doctor|tend|project|member|token [--database URL] [--json], docs/guides/team.md';

const here = dirname(fileURLToPath(import.meta.url));
const programFolder = here.endsWith('parts') ? dirname(here) : here;
const migrations = readMigrations(join(programFolder, 'sql'));

function readArguments() {
  try {
    return parseArgs({
      args: process.argv.slice(process.argv[2] === 'team' ? 3 : 2),
      allowPositionals: true,
      options: {
        database: { type: 'string' },
        host: { type: 'string' },
        port: { type: 'string' },
        connections: { type: 'string' },
        rate: { type: 'string' },
        embed: { type: 'string' },
        'embed-url': { type: 'string' },
        org: { type: 'string' },
        project: { type: 'string' },
        role: { type: 'string' },
        scopes: { type: 'string' },
        device: { type: 'string' },
        days: { type: 'string' },
        id: { type: 'string' },
        owner: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new AppError('INVALID_ARGUMENT', messageOf(error), { hint: usage });
  }
}

const onLost = (error: Error): void => {
  process.stderr.write(`${JSON.stringify({ event: 'connection.lost', message: error.message })}\n`);
};

/** `asOwner`: for what changes tables or looks across tenants; the server itself never does. */
function databaseUrl(given: string | undefined, asOwner: boolean): string {
  const { env } = process;
  const url =
    given ?? (asOwner ? env.BACKSTORY_OWNER_DATABASE_URL : undefined) ?? env.BACKSTORY_DATABASE_URL ?? '';
  if (url !== '') return url;
  throw new AppError('INVALID_ARGUMENT', 'which database?', {
    hint: 'Set BACKSTORY_DATABASE_URL=postgres://user@host/name, or give --database',
  });
}

async function withOwner<T>(given: string | undefined, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect(databaseUrl(given, true), onLost, 2);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const operators: Record<
  string,
  (parts: OperatorParts, words: string[], options: OperatorOptions) => Promise<Done>
> = { project: projectCommand, member: memberCommand, token: tokenCommand };

async function operate(
  name: string,
  words: string[],
  options: OperatorOptions,
  database: Database,
): Promise<Done> {
  if (name === 'migrate' || name === 'init') {
    const applied = await migrate(database, migrations);
    if (name === 'migrate')
      return {
        value: { applied },
        text: applied.length === 0 ? 'Everything is there already' : applied.join('\n'),
      };
  }
  const parts = { operation: createTeamOperation(database, systemClock), now: systemClock.now() };
  if (name === 'init') return initTeam(parts, words, options);
  if (name === 'tend') {
    const value = await tendTeam(parts.operation);
    return {
      value,
      text: `${value.promoted.length} projects got an index of their own, ${value.demoted} need theirs no more; ${value.removed} memories and ${value.pruned} events were past their time`,
    };
  }
  if (name === 'doctor') {
    const checks = await checkTeamDatabase(database, migrations);
    const text = checks.map(({ ok, name: what, text: says, hint }) =>
      ok ? `ok    ${what}: ${says}` : `FAIL  ${what}: ${says}\n      try: ${hint}`,
    );
    process.exitCode = checks.every(({ ok }) => ok) ? 0 : 1;
    return { value: { checks }, text: text.join('\n') };
  }
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined)
    throw new AppError('INVALID_ARGUMENT', `there is no team command called ${name}`, { hint: usage });
  return operator(parts, words, options);
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [name = 'help', ...words] = positionals;
  if (values.help === true || name === 'help') {
    process.stdout.write(`${usage}\n`);
    return;
  }
  if (name === 'serve') {
    const { serveTeam } = await import('./team-serve.ts');
    await serveTeam({
      ...values,
      url: databaseUrl(values.database, false),
      migrations,
      onLost,
      programFolder,
    });
    return;
  }
  const done = await withOwner(values.database, (database) => operate(name, words, values, database));
  process.stdout.write(`${values.json === true ? JSON.stringify(done.value, null, 2) : done.text}\n`);
}

main().catch((error) => {
  const told = errorEnvelope(error);
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(told)}\n`);
  else process.stderr.write(`${told.error.message}\n  try: ${told.error.suggested_action}\n`);
  process.exitCode = error instanceof AppError && error.code === 'INVALID_ARGUMENT' ? 2 : 1;
});
