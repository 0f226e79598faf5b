import { dirname, join } from 'node:path';
import { trustedHooks } from '../agents/codex-trust.ts';
import {
  type Entries,
  type InstallableAgent,
  type Scope,
  type SettingsKind,
  settingsEditor,
  settingsFiles,
} from '../agents/settings.ts';
import { readSettings } from '../agents/settings-file.ts';
import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { deviceOf } from '../memory/projects/device.ts';
import { type InstallRecord, readInstalls, writeInstalls } from '../memory/projects/install-records.ts';
import { agentName } from '../recall/parse-filter.ts';
import type { App, Command, Given, Outcome } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { isOnPath } from './find-program.ts';
import { applyToFile, restoreFiles } from './settings-edits.ts';

export const installCommand: Command = {
  name: 'install',
  usage:
    'install claude-code|codex|opencode|pi|cursor [--scope user|project] [--surface both|mcp|skill] [--tools core|memory|code|all] [--trust-hooks] [--plugin] [--dry-run] [--repair]',
  summary: 'Give an agent its memory: hooks that capture, tools and a skill that recall.',
  group: 'Set up',
  options: {
    scope: { type: 'string' },
    surface: { type: 'string' },
    tools: { type: 'string' },
    'trust-hooks': { type: 'boolean' },
    plugin: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    repair: { type: 'boolean' },
  },
  needsPerson: ({ values }) => (values['trust-hooks'] === true ? 'Trusting hooks in Codex' : undefined),
  async run(app, given) {
    const wanted = theWish(app, given);
    const trustsHooks = isSet(given, 'trust-hooks');
    if (trustsHooks && wanted.agent !== 'codex') {
      throw new AppError('INVALID_ARGUMENT', `${wanted.agent} asks for no trust in hooks`, {
        hint: `backstory install ${wanted.agent}`,
      });
    }
    if (isSet(given, 'plugin')) return installByPlugin(app, wanted);
    const entries = entriesFor(app, wanted.scope, wanted.tools);
    if (isSet(given, 'dry-run')) {
      checkEditable(app, wanted, entries);
      const files = filesFor(app, wanted);
      const lines = withSkillAsOne(files).map(({ holds, path }) =>
        [`Would add ${titles[holds]} to ${path}`, ...startedBy(holds, entries)].join('\n  '),
      );
      return { value: { ...wanted, files, entries }, text: lines.join('\n') };
    }
    const record = install(app, wanted, entries, trustsHooks);
    return { value: record, text: report(app, record) };
  },
};

const titles: Record<SettingsKind, string> = {
  hooks: 'hooks',
  plugin: 'a plugin',
  server: 'an MCP server',
  trust: 'trust in our hooks',
  skill: 'a skill',
};

const startedBy = (holds: SettingsKind, { hookCommand, server }: Entries): string[] =>
  holds === 'skill' ? [] : [holds === 'server' ? [server.command, ...server.args].join(' ') : hookCommand];

/** A skill is many files, and one thing to whoever reads of it. */
export const withSkillAsOne = <File extends { holds: SettingsKind; path: string }>(files: File[]): File[] =>
  files
    .filter(({ holds, path }) => holds !== 'skill' || path.endsWith('SKILL.md'))
    .map((file) => (file.holds === 'skill' ? { ...file, path: dirname(file.path) } : file));

const surfaces = ['both', 'mcp', 'skill'] as const;
const toolSets = ['core', 'memory', 'code', 'all'] as const;

interface Wanted {
  agent: InstallableAgent;
  scope: Scope;
  surface: (typeof surfaces)[number];
  tools: (typeof toolSets)[number];
}

/** What is not said stays as it was when it was installed the last time. */
function theWish(app: App, given: Given): Wanted {
  const [agent, scope] = [theAgent(given), theScope(given)];
  const before = readInstalls(app.paths.installs).find(
    (record) => record.agent === agent && record.scope === scope,
  );
  return {
    agent,
    scope,
    surface: oneOf(given, 'surface', surfaces, before?.surface),
    tools: oneOf(given, 'tools', toolSets, before?.tools),
  };
}

function oneOf<T extends string>(given: Given, option: string, all: readonly T[], before?: string): T {
  const name = stringOf(given, option) ?? before ?? all[0];
  const found = all.find((each) => each === name);
  if (found !== undefined) return found;
  throw new AppError('INVALID_ARGUMENT', `--${option} is one of ${all.join(', ')}, not ${name}`, {
    hint: `backstory install claude-code --${option} ${all[0]}`,
  });
}

const programs: Record<InstallableAgent, { command: string; title: string }> = {
  'claude-code': { command: 'claude', title: 'Claude Code' },
  codex: { command: 'codex', title: 'Codex' },
  opencode: { command: 'opencode', title: 'OpenCode' },
  pi: { command: 'pi', title: 'Pi' },
  cursor: { command: 'cursor', title: 'Cursor' },
};

const installable = Object.keys(programs) as InstallableAgent[];

export function theAgent(given: Given, command = 'install'): InstallableAgent {
  const name = given.positionals[0];
  const agent = name === undefined ? undefined : agentName(name);
  const known = installable.find((candidate) => candidate === agent);
  if (known !== undefined) return known;
  throw new AppError(
    'INVALID_ARGUMENT',
    name === undefined ? 'which agent?' : `${name} is not supported yet`,
    {
      hint: `backstory ${command} ${installable.join('|')}`,
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
function entriesFor(app: App, scope: Scope, tools: Wanted['tools']): Entries {
  const { node, hook, main, mcp, plugins, skill } = app.programs;
  const chosen = tools === 'core' ? [] : ['--tools', tools];
  return scope === 'user'
    ? {
        hookCommand: `"${node}" "${hook}"`,
        hook: [node, hook],
        recall: [node, main, 'recall', '--json'],
        plugins,
        server: { command: node, args: [mcp, ...chosen] },
        skill: { folder: skill, command: `"${node}" "${main}"` },
      }
    : {
        hookCommand: 'backstory-hook',
        hook: ['backstory-hook'],
        recall: ['backstory', 'recall', '--json'],
        plugins,
        server: { command: 'backstory', args: ['mcp', ...chosen] },
        skill: { folder: skill, command: 'backstory' },
      };
}

const filesFor = (app: App, { agent, scope, surface }: Wanted) =>
  settingsFiles(agent, scope, app.agentFolders, scope === 'project' ? app.place().root : '').filter(
    ({ holds }) => holds !== (surface === 'skill' ? 'server' : surface === 'mcp' ? 'skill' : undefined),
  );

/** All are tried before any is written: a broken file must leave everything as it was. */
function checkEditable(app: App, wanted: Wanted, entries: Entries): void {
  for (const { holds, ...place } of filesFor(app, wanted)) {
    settingsEditor(wanted.agent, holds, entries).add(readSettings(place) ?? '', place.path);
  }
}

/**
 * Our plugin directory brings the hooks and the server; what it cannot bring is the user's word, without which
 * hooks do nothing. Entries of an earlier install go, or a session would be told everything twice.
 */
function installByPlugin(app: App, wanted: Wanted): Outcome {
  if (wanted.agent !== 'claude-code' && wanted.agent !== 'codex') {
    throw new AppError('INVALID_ARGUMENT', `there is no plugin directory for ${wanted.agent}`, {
      hint: `backstory install ${wanted.agent}`,
    });
  }
  const all = readInstalls(app.paths.installs);
  const replaced = all.filter(({ agent, scope }) => agent === wanted.agent && scope === 'user');
  for (const old of replaced) restoreFiles(old);
  deviceOf(app.paths.device);
  const record = newRecord(app, { ...wanted, scope: 'user' }, entriesFor(app, 'project', wanted.tools));
  writeInstalls(app.paths.installs, [...all.filter((other) => !replaced.includes(other)), record]);
  const { title } = programs[wanted.agent];
  return {
    value: record,
    text: `Captured from the next session on, once the plugin is installed in ${title}.`,
  };
}

const newRecord = (app: App, wanted: Wanted, entries: Entries): InstallRecord => ({
  ...wanted,
  at: isoTime(app.clock.now()),
  version: app.version,
  node: app.programs.node,
  entries,
  files: [],
});

function install(app: App, wanted: Wanted, entries: Entries, trustsHooks: boolean): InstallRecord {
  const all = readInstalls(app.paths.installs);
  const files = filesFor(app, wanted);
  const isByPlugin = (record: InstallRecord) => record.files.length === 0 && wanted.scope === 'user';
  const isSame = (record: InstallRecord) =>
    record.agent === wanted.agent && (record.files[0]?.path === files[0]?.path || isByPlugin(record));
  checkEditable(app, wanted, entries);
  // Installing again, or repairing, starts from what was there before the first time.
  const before = all.filter(isSame);
  for (const old of before) restoreFiles(old);
  deviceOf(app.paths.device);
  const record = newRecord(app, wanted, entries);
  // A word once given for exactly this command still stands.
  const wasTrusted = before.some(
    (old) => old.entries.trust !== undefined && old.entries.hookCommand === entries.hookCommand,
  );
  try {
    for (const file of files) record.files.push(applyToFile(file, wanted.agent, entries));
    if (trustsHooks || wasTrusted) addTrustedHooks(app, record);
  } catch (error) {
    // Half an install would capture without recall, or the other way round.
    restoreFiles(record);
    throw error;
  }
  writeInstalls(app.paths.installs, [...all.filter((other) => !isSame(other)), record]);
  return record;
}

/** Last, because what is trusted is where our hooks have come to stand among others. */
function addTrustedHooks(app: App, record: InstallRecord): void {
  const hooks = record.files.find(({ holds }) => holds === 'hooks') ?? { path: '' };
  const trust = trustedHooks(readSettings(hooks) ?? '', hooks.path, record.entries.hookCommand);
  record.entries = { ...record.entries, trust };
  const config = join(app.agentFolders.codex, 'config.toml');
  record.files.push(applyToFile({ holds: 'trust', path: config }, record.agent, record.entries));
}

const labels: Record<SettingsKind, string> = {
  hooks: 'hooks     ',
  plugin: 'plugin    ',
  server: 'MCP server',
  trust: 'trust     ',
  skill: 'skill     ',
};

function report(app: App, { agent, files, entries }: InstallRecord): string {
  const { style } = app;
  const { command, title } = programs[agent];
  const missing = style.dim(
    `  ${title} was not found on PATH; it will find its memory once it is installed.`,
  );
  return [
    `${style.good('Installed')} for ${title}:`,
    ...withSkillAsOne(files).map(({ path, holds }) => `  ${labels[holds]} ${path}`),
    ...(isOnPath(command, app.searchPath) ? [] : [missing]),
    ...(agent === 'codex' && entries.trust === undefined
      ? ['', `Codex runs hooks only after you trusted them: open Codex and type ${style.bold('/hooks')}.`]
      : []),
    '',
    'From the next session on, every project is captured, on this machine only:',
    `  ${app.paths.home}`,
    `Not here: ${style.bold('backstory off')} · not now: ${style.bold('backstory pause 1h')} · never there: ${style.bold('backstory exclude GLOB')}`,
    `Prove it works: ${style.bold('backstory doctor')}`,
  ].join('\n');
}
