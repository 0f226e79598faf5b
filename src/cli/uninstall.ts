import { sep } from 'node:path';
import { installableAgents } from '../agents/settings.ts';
import { removeIfThere } from '../base/files.ts';
import { readInstalls, writeInstalls } from '../memory/projects/install-records.ts';
import type { Command } from './command.ts';
import { agentArgument, collapseSkillFiles, scopeOption } from './install.ts';
import { type Restored, restoreFiles } from './settings-edits.ts';

export const uninstallCommand: Command = {
  name: 'uninstall',
  usage: `uninstall ${installableAgents.join('|')} [--scope user|project]`,
  summary: "Remove Backstory from the agent's settings. Captured memory stays.",
  group: 'Setup',
  options: { scope: { type: 'string' } },
  async run(app, args) {
    const agent = agentArgument(args);
    const scope = scopeOption(args);
    const all = readInstalls(app.paths.installs);
    const root = scope === 'project' ? app.place().root : undefined;
    const ours = all.filter(
      (record) =>
        record.agent === agent &&
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
        : ['Uninstalled:', ...lines, `Your memory stays in ${app.paths.home}.`].join('\n');
    return { value: { files }, text };
  },
};

const resultTexts: Record<Restored, string> = {
  restored: 'restored',
  'entries-removed': 'entries removed',
  'gone-already': 'gone already',
  kept: 'kept, because you changed it',
};
