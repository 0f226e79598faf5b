import { sep } from 'node:path';
import { removeIfThere } from '../base/files.ts';
import { readInstalls, writeInstalls } from '../memory/projects/install-records.ts';
import type { Command } from './command.ts';
import { agentArgument, collapseSkillFiles, scopeOption } from './install.ts';
import { restoreFiles } from './settings-edits.ts';

export const uninstallCommand: Command = {
  name: 'uninstall',
  usage: 'uninstall claude-code|codex|opencode|pi|cursor [--scope user|project]',
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
    const isLeft = ({ result }: (typeof files)[number]) => result.startsWith('kept');
    const shown = [...collapseSkillFiles(files.filter((file) => !isLeft(file))), ...files.filter(isLeft)];
    const lines = shown.map(({ path, result }) => `  ${path}: ${result}`);
    const text =
      files.length === 0
        ? 'Backstory is not installed there.'
        : ['Uninstalled:', ...lines, `Your memory stays in ${app.paths.home}.`].join('\n');
    return { value: { files }, text };
  },
};
