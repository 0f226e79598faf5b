import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { addHooks, addServer, type ClaudeEntries } from '../agents/claude-install.ts';
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
  usage: 'install claude-code [--scope user|project] [--dry-run] [--repair]',
  summary: 'Give an agent its memory: hooks that capture, a tool that recalls.',
  group: 'Set up',
  options: { scope: { type: 'string' }, 'dry-run': { type: 'boolean' }, repair: { type: 'boolean' } },
  async run(app, given) {
    const scope = theScope(given);
    theAgent(given);
    const entries = entriesFor(app, scope);
    const files = filesFor(app, scope);
    if (isSet(given, 'dry-run')) {
      // The same edits, only shown: a file that cannot be edited is refused here too.
      addHooks(readIfThere(files.hooks) ?? '', files.hooks, entries);
      addServer(readIfThere(files.server) ?? '', files.server, entries);
      const text = `Would add hooks to ${files.hooks}\n  ${entries.hookCommand}\nand an MCP server to ${files.server}\n  ${[entries.server.command, ...entries.server.args].join(' ')}`;
      return { value: { scope, files, entries }, text };
    }
    const record = install(app, scope, entries, files);
    return { value: record, text: report(app, record) };
  },
};

export function theAgent(given: Given): 'claude-code' {
  const name = given.positionals[0];
  if (name !== undefined && agentName(name) === 'claude-code') return 'claude-code';
  throw new AppError(
    'INVALID_ARGUMENT',
    name === undefined ? 'which agent?' : `${name} is not supported yet`,
    {
      hint: 'backstory install claude-code',
    },
  );
}

export function theScope(given: Given): 'user' | 'project' {
  const scope = stringOf(given, 'scope') ?? 'user';
  if (scope === 'user' || scope === 'project') return scope;
  throw new AppError('INVALID_ARGUMENT', `scope is user or project, not ${scope}`, {
    hint: 'backstory install claude-code --scope user',
  });
}

/** A user's settings name the exact program; a project's are shared, so there the command is found on PATH. */
function entriesFor(app: App, scope: 'user' | 'project'): ClaudeEntries {
  const { node, hook, mcp } = app.programs;
  return scope === 'user'
    ? { hookCommand: `"${node}" "${hook}"`, server: { command: node, args: [mcp] } }
    : { hookCommand: 'backstory-hook', server: { command: 'backstory', args: ['mcp'] } };
}

const filesFor = (app: App, scope: 'user' | 'project') =>
  scope === 'user'
    ? { hooks: join(app.claudeFolder, 'settings.json'), server: app.claudeStateFile }
    : {
        hooks: join(app.place().root, '.claude', 'settings.json'),
        server: join(app.place().root, '.mcp.json'),
      };

function install(
  app: App,
  scope: 'user' | 'project',
  entries: ClaudeEntries,
  files: { hooks: string; server: string },
): InstallRecord {
  const all = readInstalls(app.paths.installs);
  const isSame = (record: InstallRecord) => record.scope === scope && record.files[0]?.path === files.hooks;
  // Installing again, or repairing, starts from what was there before the first time.
  for (const old of all.filter(isSame)) for (const file of old.files) restoreFile(file, old.entries);
  // Both are tried before either is written: a broken file must leave everything as it was.
  addHooks(readIfThere(files.hooks) ?? '', files.hooks, entries);
  addServer(readIfThere(files.server) ?? '', files.server, entries);
  deviceOf(app.paths.device);
  const record: InstallRecord = {
    agent: 'claude-code',
    scope,
    at: isoTime(app.clock.now()),
    version: app.version,
    node: app.programs.node,
    entries,
    files: [
      applyToFile(files.hooks, 'hooks', (text) => addHooks(text, files.hooks, entries)),
      applyToFile(files.server, 'server', (text) => addServer(text, files.server, entries)),
    ],
  };
  writeInstalls(app.paths.installs, [...all.filter((other) => !isSame(other)), record]);
  return record;
}

function report(app: App, record: InstallRecord): string {
  const { style } = app;
  const isThere = isOnPath('claude', app.searchPath);
  return [
    `${style.good('Installed')} for Claude Code:`,
    ...record.files.map(({ path, holds }) => `  ${holds === 'hooks' ? 'hooks     ' : 'MCP server'} ${path}`),
    ...(isThere
      ? []
      : [style.dim('  Claude Code was not found on PATH; it will find its memory once it is installed.')]),
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
