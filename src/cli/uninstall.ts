import { sep } from 'node:path';
import { removeIfThere } from '../base/files.ts';
import { readInstalls, writeInstalls } from '../memory/projects/install-records.ts';
import type { Command } from './command.ts';
import { theAgent, theScope, withSkillAsOne } from './install.ts';
import { restoreFiles } from './settings-edits.ts';

export const uninstallCommand: Command = {
  name: 'uninstall',
  usage: 'uninstall claude-code|codex|opencode|pi|cursor [--scope user|project]',
  summary: "Take our entries out of the agent's settings again. What was captured stays.",
  group: 'Set up',
  options: { scope: { type: 'string' } },
  async run(app, given) {
    const agent = theAgent(given);
    const scope = theScope(given);
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
    // Without this file hooks do nothing, wherever they may still stand.
    if (left.length === 0) removeIfThere(app.paths.installs);
    else writeInstalls(app.paths.installs, left);
    const isLeft = ({ result }: (typeof files)[number]) => result.startsWith('left');
    const told = [...withSkillAsOne(files.filter((file) => !isLeft(file))), ...files.filter(isLeft)];
    const lines = told.map(({ path, result }) => `  ${path}: ${result}`);
    const text =
      files.length === 0
        ? 'Backstory is not installed there.'
        : ['Uninstalled:', ...lines, `Your memory stays in ${app.paths.home}.`].join('\n');
    return { value: { files }, text };
  },
};
