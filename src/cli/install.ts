import { dirname, join } from 'node:path';
import { readOnlyTools } from '../agents/allowed-tools.ts';
import { trustedHooks } from '../agents/codex/trust.ts';
import { readSettings } from '../agents/read-settings.ts';
import { installableAgents, settingsEditor, settingsFiles } from '../agents/settings.ts';
import type { Entries, InstallableAgent, Scope, SettingsKind } from '../agents/setup.ts';
import { setups } from '../agents/setups.ts';
import { shellCommand } from '../agents/shell-command.ts';
import { isoTime } from '../base/clock.ts';
import { readOverrides, resolveConfig } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { recordPast } from '../memory/capture/past-transcripts.ts';
import { hasDeadHook } from '../memory/installation-checks.ts';
import { findNextSteps, nextStepLines } from '../memory/next-step.ts';
import { deviceOf } from '../memory/projects/device.ts';
import { type InstallRecord, readInstalls, writeInstalls } from '../memory/projects/install-records.ts';
import { agentName } from '../recall/parse-filter.ts';
import type { App, Command, Outcome, ParsedArgs } from './command.ts';
import { isSet, stringOf, yesOption } from './command.ts';
import { isOnPath } from './find-program.ts';
import { applyToFile, restoreFiles } from './settings-edits.ts';

const surfaces = ['both', 'mcp', 'skill'] as const;
const toolSets = ['core', 'memory', 'code', 'all'] as const;

export const installCommand: Command = {
  name: 'install',
  usage: `install ${installableAgents.join('|')}|all… [--scope user|project] [--surface both|mcp|skill] [--tools core|memory|code|all] [--allow-tools yes|no] [--trust-hooks] [--plugin] [--dry-run] [--repair] [--yes]`,
  summary: 'Connect an agent: hooks for capture, MCP tools and a skill for recall.',
  group: 'Setup',
  options: {
    scope: {
      about: 'Install for your user, or for this project.',
      value: 'SCOPE',
      choices: ['user', 'project'],
    },
    surface: {
      about: 'What the agent gets besides capture: MCP tools, the skill, or both.',
      value: 'SURFACE',
      choices: surfaces,
    },
    tools: { about: 'Set of MCP tools.', value: 'SET', choices: toolSets },
    'allow-tools': {
      about: "Let the agent call Backstory's MCP tools that only read without asking you.",
      value: 'ANSWER',
      choices: ['yes', 'no'],
    },
    'trust-hooks': { about: 'Mark the Backstory hooks as trusted in Codex.' },
    plugin: { about: "Allow capture by the agent's Backstory plugin; write no settings." },
    'dry-run': { about: 'Show what would be done, without doing it.' },
    repair: { about: 'Write the settings entries again.' },
    ...yesOption,
  },
  isForSetup: true,
  needsPerson: ({ values }) =>
    values['trust-hooks'] === true
      ? 'Trusting hooks in Codex'
      : values['allow-tools'] === 'yes'
        ? 'Allowing tools'
        : undefined,
  async run(app, args) {
    const agents = agentArguments(args, 'install', () => agentsOnPath(app));
    const all = agents.map((agent) => parseInstallOptions(app, args, agent));
    const other = agents.find((agent) => agent !== 'codex');
    if (isSet(args, 'trust-hooks') && other !== undefined) {
      throw new AppError(
        'INVALID_ARGUMENT',
        `--trust-hooks is for Codex only; ${other} needs no trust for hooks`,
        { hint: `backstory install ${other}` },
      );
    }
    if (isSet(args, 'dry-run')) return describeInstalls(app, all);
    const answered = isSet(args, 'plugin') ? all : await offerToAllow(app, all);
    const installed = answered.map((options) => {
      if (isSet(args, 'plugin')) return installByPlugin(app, options);
      const record = install(app, options, entriesFor(app, options), isSet(args, 'trust-hooks'));
      return { record, text: report(app, record) };
    });
    await warmHooks(app);
    const last = isSet(args, 'plugin') ? [] : [closing(app)];
    const next = await findNextSteps(app);
    return {
      value: installed.map(({ record }) => record),
      text: [...installed.map(({ text }) => text), ...last, ...nextStepLines(next)].join('\n'),
    };
  },
};

/** `all` means every agent whose program is on PATH. */
function agentsOnPath({ searchPath }: App): InstallableAgent[] {
  const found = installableAgents.filter((agent) => isOnPath(setups[agent].program, searchPath));
  if (found.length > 0) return found;
  throw new AppError('CLIENT_NOT_INSTALLED', 'no supported agent is on PATH', {
    hint: `backstory install ${installableAgents.join('|')}`,
  });
}

function describeInstalls(app: App, all: InstallOptions[]): Outcome {
  const described = all.map((options) => {
    const entries = entriesFor(app, options);
    checkEditable(app, options, entries);
    const files = filesFor(app, options);
    const lines = collapseSkillFiles(files).flatMap((file) => [
      fileLine(file),
      ...commandLinesOf(file.holds, entries),
    ]);
    const head = `Would install for ${setups[options.agent].title}:`;
    return { value: { ...options, files, entries }, lines: [head, ...lines] };
  });
  return {
    value: described.map(({ value }) => value),
    text: described.flatMap(({ lines }) => lines).join('\n'),
  };
}

/** Fills the compile cache of the hook. If that fails, hooks are only slower. */
const warmHooks = ({ programs, paths, run }: App) =>
  run(programs.node, [programs.warmHooks, paths.home], { input: '', timeoutMs: 20_000 });

const commandLinesOf = (holds: SettingsKind, { hookCommand, server, allow = [] }: Entries): string[] => {
  if (holds === 'skill') return [];
  if (holds === 'allowed') return [`    ${allow.join(', ')}`];
  return [`    ${holds === 'server' ? [server.command, ...server.args].join(' ') : hookCommand}`];
};

/** Replaces the many files of a skill by their one folder, for display. */
export const collapseSkillFiles = <File extends { holds: SettingsKind; path: string }>(
  files: File[],
): File[] =>
  files
    .filter(({ holds, path }) => holds !== 'skill' || path.endsWith('SKILL.md'))
    .map((file) => (file.holds === 'skill' ? { ...file, path: dirname(file.path) } : file));

interface InstallOptions {
  agent: InstallableAgent;
  scope: Scope;
  surface: (typeof surfaces)[number];
  tools: (typeof toolSets)[number];
  allowTools?: 'yes' | 'no';
}

/** Asks a person once. The answer is kept, and an agent that installs Backstory cannot give it. */
async function offerToAllow(app: App, all: InstallOptions[]): Promise<InstallOptions[]> {
  const asking = all.filter(
    ({ agent, scope, surface, allowTools }) =>
      allowTools === undefined &&
      scope === 'user' &&
      surface !== 'skill' &&
      setups[agent].editors.allowed !== undefined,
  );
  if (asking.length === 0 || !app.isInteractive || app.caller().kind !== 'person') return all;
  const names = asking.map(({ agent }) => setups[agent].title).join(' and ');
  const isAllowed = await app.confirm(
    `May ${names} call Backstory's tools that only read, such as recall and why, without asking you each time?`,
  );
  const allowTools = isAllowed ? 'yes' : 'no';
  return all.map((options) => (asking.includes(options) ? { ...options, allowTools } : options));
}

/** Options that are not given keep the value of the last install. */
function parseInstallOptions(app: App, args: ParsedArgs, agent: InstallableAgent): InstallOptions {
  const scope = scopeOption(args);
  const given = args.values;
  const before = readInstalls(app.paths.installs).find(
    (record) => record.agent === agent && record.scope === scope,
  );
  const allowTools = (given['allow-tools'] ?? before?.allowTools) as InstallOptions['allowTools'];
  return {
    agent,
    scope,
    surface: (given.surface ?? before?.surface ?? 'both') as InstallOptions['surface'],
    tools: (given.tools ?? before?.tools ?? 'core') as InstallOptions['tools'],
    ...(allowTools === undefined ? {} : { allowTools }),
  };
}

/** The agents named on the command line, each once. `all` is what the command makes of the word. */
export function agentArguments(
  { positionals }: ParsedArgs,
  command: string,
  all: () => InstallableAgent[],
): InstallableAgent[] {
  if (positionals.length === 0)
    throw new AppError('INVALID_ARGUMENT', 'no agent given', {
      hint: `backstory ${command} ${installableAgents.join('|')}|all`,
    });
  const named = positionals.flatMap((name) => (name === 'all' ? all() : [agentNamed(name, command)]));
  return [...new Set(named)];
}

export function agentNamed(name: string, command: string): InstallableAgent {
  const agent = agentName(name);
  const known = installableAgents.find((candidate) => candidate === agent);
  if (known !== undefined) return known;
  throw new AppError('INVALID_ARGUMENT', `unsupported agent: ${name}`, {
    hint: `backstory ${command} ${installableAgents.join('|')}`,
  });
}

export const scopeOption = (args: ParsedArgs): Scope =>
  (stringOf(args, 'scope') as Scope | undefined) ?? 'user';

/** User settings contain absolute paths. Project settings are shared with others, so they use commands on PATH. */
function entriesFor(app: App, { agent, scope, tools, allowTools }: InstallOptions): Entries {
  const { node, hook, main, mcp, plugins, skill } = app.programs;
  const chosen = tools === 'core' ? [] : ['--tools', tools];
  return scope === 'user'
    ? {
        hookCommand: shellCommand([node, hook], setups[agent].isPowerShellOnWindows === true),
        hook: [node, hook],
        recall: [node, main, 'recall', '--json'],
        plugins,
        server: { command: node, args: [mcp, ...chosen] },
        skill: { folder: skill, command: shellCommand([node, main]) },
        ...(allowTools === 'yes' ? { allow: readOnlyTools(tools) } : {}),
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

const filesFor = (app: App, { agent, scope, surface, allowTools }: InstallOptions) =>
  settingsFiles(agent, scope, app.agentFolders, scope === 'project' ? app.place().root : '').filter(
    ({ holds }) =>
      holds !== (surface === 'skill' ? 'server' : surface === 'mcp' ? 'skill' : undefined) &&
      (holds !== 'allowed' || (allowTools === 'yes' && surface !== 'skill')),
  );

/** Applies all edits in memory first, so that a file that cannot be edited is reported before any is written. */
function checkEditable(app: App, options: InstallOptions, entries: Entries): void {
  for (const { holds, ...place } of filesFor(app, options)) {
    settingsEditor(options.agent, holds, entries).add(readSettings(place) ?? '', place.path);
  }
}

/** Agents for which Backstory is also a plugin: `plugins/backstory`, or the npm package itself for OpenCode and Pi. */
const agentsWithPlugin: InstallableAgent[] = ['claude-code', 'codex', 'opencode', 'pi'];

/**
 * Records the install of an agent's plugin. The plugin itself contains the hooks and the MCP server, but cannot give
 * the user's consent, without which the hooks do nothing. Entries that an earlier install made in the settings are
 * removed; otherwise hooks would run twice.
 */
function installByPlugin(app: App, options: InstallOptions): { record: InstallRecord; text: string } {
  if (!agentsWithPlugin.includes(options.agent)) {
    throw new AppError('INVALID_ARGUMENT', `there is no Backstory plugin for ${options.agent}`, {
      hint: `backstory install ${options.agent}`,
    });
  }
  const all = readInstalls(app.paths.installs);
  const replaced = all.filter(({ agent, scope }) => agent === options.agent && scope === 'user');
  for (const old of replaced) restoreFiles(old);
  deviceOf(app.paths.device);
  const record = newRecord(
    app,
    { ...options, scope: 'user' },
    entriesFor(app, { ...options, scope: 'project' }),
  );
  recordPastOf(app);
  writeInstalls(app.paths.installs, [...all.filter((other) => !replaced.includes(other)), record]);
  const { title } = setups[options.agent];
  return {
    record,
    text: `Capture starts with the next session, once the plugin is installed in ${title}.`,
  };
}

const newRecord = (app: App, options: InstallOptions, entries: Entries): InstallRecord => ({
  ...options,
  at: isoTime(app.clock.now()),
  version: app.version,
  node: app.programs.node,
  entries,
  files: [],
});

function install(app: App, options: InstallOptions, entries: Entries, trustsHooks: boolean): InstallRecord {
  const all = readInstalls(app.paths.installs);
  const files = filesFor(app, options);
  const isByPlugin = (record: InstallRecord) => record.files.length === 0 && options.scope === 'user';
  const isSame = (record: InstallRecord) =>
    record.agent === options.agent && (record.files[0]?.path === files[0]?.path || isByPlugin(record));
  checkEditable(app, options, entries);
  // A repeated install first restores the settings as they were before the first one.
  const before = all.filter(isSame);
  const repairedAt = before.some(hasDeadHook)
    ? isoTime(app.clock.now())
    : before.findLast((old) => old.repairedAt !== undefined)?.repairedAt;
  for (const old of before) restoreFiles(old);
  deviceOf(app.paths.device);
  const record = {
    ...newRecord(app, options, entries),
    ...(repairedAt === undefined ? {} : { repairedAt }),
  };
  // If the user already trusted exactly this hook command, the new install stays trusted.
  const wasTrusted = before.some(
    (old) => old.entries.trust !== undefined && old.entries.hookCommand === entries.hookCommand,
  );
  try {
    for (const file of files) record.files.push(applyToFile(file, options.agent, entries));
    if (trustsHooks || wasTrusted) addTrustedHooks(app, record);
  } catch (error) {
    // Undo the files written so far: half an install would capture without recall, or recall without capture.
    restoreFiles(record);
    throw error;
  }
  recordPastOf(app);
  writeInstalls(app.paths.installs, [...all.filter((other) => !isSame(other)), record]);
  return record;
}

const recordPastOf = (app: App): void =>
  recordPast(app.paths.pastTranscripts, app.agentFolders, {
    now: app.clock.now(),
    userHome: app.userHome,
    isByAgent: app.caller().kind === 'agent',
  });

/** Must run after all other edits, because Codex stores trust by the position of a hook in the settings. */
function addTrustedHooks(app: App, record: InstallRecord): void {
  const hooks = record.files.find(({ holds }) => holds === 'hooks') ?? { path: '' };
  const trust = trustedHooks(readSettings(hooks) ?? '', hooks.path, record.entries.hookCommand);
  record.entries = { ...record.entries, trust };
  const config = join(app.agentFolders.codex.config, 'config.toml');
  record.files.push(applyToFile({ holds: 'trust', path: config }, record.agent, record.entries));
}

const fileLine = ({ holds, path }: { holds: SettingsKind; path: string }): string =>
  `  ${(holds === 'server' ? 'MCP server' : holds).padEnd(10)} ${path}`;

function report(app: App, { agent, files, entries }: InstallRecord): string {
  const { style } = app;
  const { program, title } = setups[agent];
  const missing = style.dim(`  ${title} is not on PATH. Backstory will work once it is installed.`);
  return [
    `${style.good('Installed')} for ${title}:`,
    ...collapseSkillFiles(files).map(fileLine),
    ...(isOnPath(program, app.searchPath) ? [] : [missing]),
    ...(agent === 'codex' && entries.trust === undefined
      ? [
          '',
          `Codex runs hooks only after you have trusted them: open Codex and type ${style.bold('/hooks')}.`,
        ]
      : []),
  ].join('\n');
}

const closing = (app: App): string => {
  const { capture, write } = resolveConfig(readOverrides(app.paths.config));
  const captured =
    capture === 'opted-in'
      ? `projects where you run ${app.style.bold('backstory capture on')} are captured`
      : 'every project is captured';
  return [
    '',
    `From the next session on, ${captured}. The data stays on this machine:`,
    `  ${app.paths.home}`,
    `Turn off in a project: ${app.style.bold('backstory capture off')} · pause: ${app.style.bold('backstory capture pause 1h')} · exclude paths: ${app.style.bold('backstory capture exclude GLOB')}`,
    `Check that it works: ${app.style.bold('backstory doctor')}`,
    ...(write === 'off'
      ? [
          `Optional: ${app.style.bold('backstory models use')} lets a model read each finished session. It finds more decisions and notices changes, for about 11,000 tokens per session.`,
        ]
      : []),
  ].join('\n');
};
