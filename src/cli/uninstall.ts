import { sep } from 'node:path';
import { installableAgents } from '../agents/settings.ts';
import { AppError } from '../base/errors.ts';
import { removeIfThere } from '../base/files.ts';
import { readInstalls, writeInstalls } from '../memory/projects/install-records.ts';
import type { Command } from './command.ts';
import { agentArguments, collapseSkillFiles, scopeOption } from './install.ts';
import { type Restored, restoreFiles } from './settings-edits.ts';

export const uninstallCommand: Command = {
  name: 'uninstall',
  usage: `uninstall ${installableAgents.join('|')}|all… [--scope user|project]`,
  summary: "Remove Backstory from agents' settings. Captured memory stays.",
  group: 'Setup',
  options: {
    scope: {
      about: 'Uninstall from your user, or from this project.',
      value: 'SCOPE',
      choices: ['user', 'project'],
    },
  },
  // It ends capture and lifts the rules that agents are held to.
  needsPerson: 'Uninstalling',
  async run(app, args) {
    const all = readInstalls(app.paths.installs);
    if (args.positionals.length === 0) throw nothingNamed(all.map(({ agent }) => agent));
    const agents = agentArguments(args, 'uninstall', () => installableAgents);
    const scope = scopeOption(args);
    const root = scope === 'project' ? app.place().root : undefined;
    const ours = all.filter(
      (record) =>
        agents.includes(record.agent) &&
        record.scope === scope &&
        (root === undefined || record.files[0]?.path.startsWith(root + sep)),
    );
    const files = ours.flatMap(restoreFiles);
    const left = all.filter((record) => !ours.includes(record));
    // The hook does nothing without this file, so hooks that remain in some settings file are harmless.
    if (left.length === 0) removeIfThere(app.paths.installs);
    else writeInstalls(app.paths.installs, left);
    const isLeft = ({ result }: (typeof files)[number]) => result === 'kept';
    const shown = [...collapseSkillFiles(files.filter((file) => !isLeft(file))), ...files.filter(isLeft)];
    const lines = shown.map(({ path, result }) => `  ${path}: ${resultTexts[result]}`);
    const text =
      files.length === 0
        ? 'Backstory is not installed there.'
        : [
            'Uninstalled:',
            ...lines,
            `Your memory stays in ${app.paths.home}.`,
            ...(left.length === 0 ? ['To remove the program as well: npm uninstall -g backstory'] : []),
          ].join('\n');
    return { value: { files }, text };
  },
};

const resultTexts: Record<Restored, string> = {
  restored: 'restored',
  'entries-removed': 'entries removed',
  'gone-already': 'gone already',
  kept: 'kept, because you changed it',
};

/** An agent whose hooks stay installed would call a program that is gone, so the agents come first. */
function nothingNamed(agents: string[]): AppError {
  const [first, ...others] = new Set(agents);
  const program = 'npm uninstall -g backstory';
  const problem =
    first === undefined
      ? 'Backstory is installed in no agent'
      : `no agent given; Backstory is installed in ${[first, ...others].join(', ')}`;
  return new AppError('INVALID_ARGUMENT', problem, {
    hint:
      first === undefined
        ? `To remove the program: ${program}`
        : `backstory uninstall ${first}, or all; then the program: ${program}`,
  });
}
