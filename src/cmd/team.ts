/** `backstory team` for operators: the team server and its administration. No other program loads this. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { auditCommand } from '../team/operate/audit.ts';
import { runMaintenance } from '../team/operate/maintenance.ts';
import {
  type Command,
  type CommandResult,
  type OperatorOptions,
  projectCommand,
  tokenCommand,
} from '../team/operate/operator-commands.ts';
import { teamOptions } from '../team/operate/options.ts';
import { retentionCommand } from '../team/operate/retention.ts';
import { domainCommand } from '../team/people/accounts.ts';
import { memberCommand } from '../team/people/member-command.ts';
import { connect, type Database } from '../team/postgres/connect.ts';
import { finishRestore } from '../team/postgres/database-identity.ts';
import { retryDeadJobs } from '../team/postgres/jobs.ts';
import { migrate, readMigrations } from '../team/postgres/migrate.ts';
import { createTeamOperation } from '../team/postgres/team-operation.ts';
import { webhookCommand } from '../team/sources/webhook-command.ts';
import { programFolder } from './package.ts';
import { initCommand } from './team-init.ts';
import { printErrorJson, printJson, printVerbatim, reportError } from './terminal.ts';

const usage =
  'backstory team join|push|take-back|pull|trust|distrust|report|status|leave for developers; for operators: backstory team serve|init|migrate|doctor|tend|retry|project|member|token|webhook|domain|retention|audit [--database URL] [--json], docs/guides/team-operate.md';

const migrations = readMigrations(join(programFolder, 'sql'));

function readArguments() {
  try {
    return parseArgs({
      args: process.argv.slice(process.argv[2] === 'team' ? 3 : 2),
      allowPositionals: true,
      options: teamOptions,
    });
  } catch (error) {
    throw new AppError('INVALID_ARGUMENT', messageOf(error), { hint: usage });
  }
}

const onLost = (error: Error): void => {
  printErrorJson({ event: 'connection.lost', message: error.message });
};

/** Reads an environment variable, or the file named by the variable with the suffix _FILE, as containers mount secrets. */
function secret(name: string): string | undefined {
  const { [name]: value, [`${name}_FILE`]: file } = process.env;
  if (value !== undefined || file === undefined) return value;
  return readFileSync(file, 'utf8').trim();
}

/** `asOwner` is for commands that change tables or read across tenants. The server never does. */
function databaseUrl(given: string | undefined, asOwner: boolean): string {
  const url =
    given ??
    (asOwner ? secret('BACKSTORY_OWNER_DATABASE_URL') : undefined) ??
    secret('BACKSTORY_DATABASE_URL') ??
    '';
  if (url !== '') return withPassword(url, asOwner);
  throw new AppError('INVALID_ARGUMENT', 'no database is configured', {
    hint: 'Set BACKSTORY_DATABASE_URL=postgres://user@host/name, or give --database',
  });
}

/** Adds the password from its own variable, so that the URL can be in a settings file without secrets. */
function withPassword(url: string, asOwner: boolean): string {
  const password =
    (asOwner ? secret('BACKSTORY_OWNER_DATABASE_PASSWORD') : undefined) ??
    secret('BACKSTORY_DATABASE_PASSWORD');
  const parsed = URL.parse(url);
  if (password === undefined || parsed === null || parsed.password !== '') return url;
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}

async function withOwner<T>(given: string | undefined, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect(databaseUrl(given, true), onLost, 2);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const operatorCommands: Record<string, Command> = {
  project: projectCommand,
  member: memberCommand,
  token: tokenCommand,
  webhook: webhookCommand,
  domain: domainCommand,
  retention: retentionCommand,
  audit: auditCommand,
};

/**
 * Applies missing migrations. If the database was restored from a backup, also ends browser sessions and makes clients
 * sync again.
 */
async function applyMigrations(database: Database, isKnownRestore: boolean): Promise<CommandResult> {
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

async function operate(
  name: string,
  words: string[],
  options: OperatorOptions,
  database: Database,
): Promise<CommandResult> {
  if (name === 'migrate') return applyMigrations(database, options['after-restore'] === true);
  if (name === 'init') return initCommand(database, migrations, words, options);
  if (name === 'retry') {
    const retried = await retryDeadJobs(database);
    return { value: { retried }, text: `Retrying ${retried} jobs that were given up` };
  }
  const parts = {
    operation: createTeamOperation(database, systemClock),
    now: systemClock.now(),
  };
  if (name === 'tend') {
    const value = await runMaintenance(parts.operation);
    const cluster =
      value.cluster === undefined
        ? ''
        : ` Gave ${value.cluster.isolated.length} organisations a shard of their own and moved ${value.cluster.moved} shards.`;
    return {
      value,
      text: `Created ${value.promoted.length} vector indexes and dropped ${value.demoted}. Deleted ${value.removed} expired memories, ${value.pruned} events and ${value.deliveries} delivery records.${cluster}`,
    };
  }
  if (name === 'doctor') {
    const { doctorCommand } = await import('./team-doctor.ts');
    const { isWell, ...result } = await doctorCommand(database, migrations, parts.operation);
    process.exitCode = isWell ? 0 : 1;
    return result;
  }
  const command = Object.hasOwn(operatorCommands, name) ? operatorCommands[name] : undefined;
  if (command === undefined)
    throw new AppError('INVALID_ARGUMENT', `unknown command: team ${name}`, { hint: usage });
  return command(parts, words, options);
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments();
  const [name = 'help', ...words] = positionals;
  if (values.help === true || name === 'help') {
    printVerbatim(usage);
    return;
  }
  if (name === 'serve') {
    const { serveTeam } = await import('./team-serve.ts');
    await serveTeam({
      ...values,
      host: values.host ?? process.env.BACKSTORY_HOST,
      port: values.port ?? process.env.BACKSTORY_PORT,
      'trusted-proxy': values['trusted-proxy'] ?? process.env.BACKSTORY_TRUSTED_PROXY,
      oidcClientSecret: secret('BACKSTORY_OIDC_CLIENT_SECRET'),
      url: databaseUrl(values.database, false),
      migrations,
      onLost,
    });
    return;
  }
  const webhookSecret = values['secret-stdin'] === true ? readFileSync(0, 'utf8').trim() : undefined;
  const result = await withOwner(values.database, (database) =>
    operate(name, words, { ...values, secret: webhookSecret }, database),
  );
  if (values.json === true) printJson(result.value, 2);
  else printVerbatim(result.text);
}

main().catch((error) => {
  process.exitCode = reportError(error, process.argv.includes('--json'));
});
