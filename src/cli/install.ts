import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  type Entries,
  type InstallableAgent,
  type Scope,
  settingsEditor,
  settingsFiles,
} from '../agents/settings.ts';
import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { readIfThere } from '../base/files.ts';
import { deviceOf } from '../memory/device.ts';
import type { App, Command, Given } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { agentName } from './filters.ts';
import { applyToFile, type InstallRecord, readInstalls, restoreFile, writeInstalls } from './installs.ts';

export const installCommand: Command = {
  name: 'install',
  usage: 'install claude-code|codex [--scope user|project] [--dry-run] [--repair]',
  summary: 'Give an agent its memory: hooks that capture, a tool that recalls.',
  group: 'Set up',
  options: { scope: { type: 'string' }, 'dry-run': { type: 'boolean' }, repair: { type: 'boolean' } },
  async run(app, given) {
    const wanted: Wanted = { agent: theAgent(given), scope: theScope(given) };
    const entries = entriesFor(app, wanted.scope);
    if (isSet(given, 'dry-run')) {
      checkEditable(app, wanted, entries);
      const [hooks, server] = filesFor(app, wanted);
      const text = `Would add hooks to ${hooks?.path}\n  ${entries.hookCommand}\nand an MCP server to ${server?.path}\n  ${[entries.server.command, ...entries.server.args].join(' ')}`;
      return { value: { ...wanted, files: filesFor(app, wanted), entries }, text };
    }
    const record = install(app, wanted, entries);
    return { value: record, text: report(app, record) };
  },
};

interface Wanted {
  agent: InstallableAgent;
  scope: Scope;
}

const programs: Record<InstallableAgent, { command: string; title: string }> = {
  'claude-code': { command: 'claude', title: 'Claude Code' },
  codex: { command: 'codex', title: 'Codex' },
};

export function theAgent(given: Given): InstallableAgent {
  const name = given.positionals[0];
  const agent = name === undefined ? undefined : agentName(name);
  if (agent === 'claude-code' || agent === 'codex') return agent;
  throw new AppError(
    'INVALID_ARGUMENT',
    name === undefined ? 'which agent?' : `${name} is not supported yet`,
    {
      hint: `backstory install ${Object.keys(programs).join('|')}`,
    },
  );
}

export function theScope(given: Given): Scope {
  const scope = stringOf(given, 'scope') ?? 'user';
  if (scope === 'user' || scope === 'project') return scope;
  throw new AppError('INVALID_ARGUMENT', `scope is user or project, not ${scope}`, {
    hint: 'backstory install claude-code --scope user',
  });
}

/** A user's settings name the exact program; a project's are shared, so there the command is found on PATH. */
function entriesFor(app: App, scope: Scope): Entries {
  const { node, hook, mcp } = app.programs;
  return scope === 'user'
    ? { hookCommand: `"${node}" "${hook}"`, server: { command: node, args: [mcp] } }
    : { hookCommand: 'backstory-hook', server: { command: 'backstory', args: ['mcp'] } };
}

const filesFor = (app: App, { agent, scope }: Wanted) =>
  settingsFiles(agent, scope, app.agentFolders, scope === 'project' ? app.place().root : '');

/** All are tried before any is written: a broken file must leave everything as it was. */
function checkEditable(app: App, wanted: Wanted, entries: Entries): void {
  for (const { holds, path } of filesFor(app, wanted)) {
    settingsEditor(wanted.agent, holds, entries).add(readIfThere(path) ?? '', path);
  }
}

function install(app: App, wanted: Wanted, entries: Entries): InstallRecord {
  const all = readInstalls(app.paths.installs);
  const files = filesFor(app, wanted);
  const isSame = (record: InstallRecord) =>
    record.agent === wanted.agent && record.files[0]?.path === files[0]?.path;
  checkEditable(app, wanted, entries);
  // Installing again, or repairing, starts from what was there before the first time.
  for (const old of all.filter(isSame)) for (const file of old.files) restoreFile(file, old);
  deviceOf(app.paths.device);
  const record: InstallRecord = {
    ...wanted,
    at: isoTime(app.clock.now()),
    version: app.version,
    node: app.programs.node,
    entries,
    files: files.map(({ holds, path }) => applyToFile(path, holds, wanted.agent, entries)),
  };
  writeInstalls(app.paths.installs, [...all.filter((other) => !isSame(other)), record]);
  return record;
}

function report(app: App, { agent, files }: InstallRecord): string {
  const { style } = app;
  const { command, title } = programs[agent];
  const missing = style.dim(
    `  ${title} was not found on PATH; it will find its memory once it is installed.`,
  );
  return [
    `${style.good('Installed')} for ${title}:`,
    ...files.map(({ path, holds }) => `  ${holds === 'hooks' ? 'hooks     ' : 'MCP server'} ${path}`),
    ...(isOnPath(command, app.searchPath) ? [] : [missing]),
    ...(agent === 'codex'
      ? ['', `Codex runs hooks only after you trusted them: open Codex and type ${style.bold('/hooks')}.`]
      : []),
    '',
    'From the next session on, every project is captured, on this machine only:',
    `  ${app.paths.home}`,
    `Not here: ${style.bold('backstory off')} · not now: ${style.bold('backstory pause 1h')} · never there: ${style.bold('backstory exclude GLOB')}`,
    `Prove it works: ${style.bold('backstory doctor')}`,
  ].join('\n');
}

function isOnPath(program: string, searchPath: string): boolean {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  return searchPath.split(delimiter).some((folder) =>
    names.some((name) => {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}
