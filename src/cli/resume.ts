import { briefNow, findSnapshot } from '../handoff/resume.ts';
import type { Command } from './command.ts';
import { budgetOption, openWork, snapshotFields, writeBrief } from './work-session-options.ts';

export const resumeCommand: Command = {
  name: 'resume',
  usage: 'resume [SNAPSHOT] [--budget TOKENS] [--write-to FILE]',
  summary:
    'Show the brief of a snapshot, compared with the current working tree. Default: the newest one here.',
  group: 'Handoff',
  options: { budget: { type: 'string' }, 'write-to': { type: 'string' } },
  async run(app, args) {
    const { work } = await openWork(app);
    const found = findSnapshot(work, args.positionals[0]);
    // `briefNow` only shows the brief (the summary of the work so far). The work still waits for the agent that it was
    // handed to.
    const { snapshot, brief, staleFiles } = await briefNow(work, found, budgetOption(args));
    const written = writeBrief(args, work.place.root, app.cwd, brief.text);
    const value = {
      ...snapshotFields(snapshot),
      brief: brief.text,
      tokens: brief.tokens,
      staleFiles,
    };
    const size = app.style.dim(`about ${brief.tokens} tokens`);
    return { value, text: [brief.text, '', size, ...written].join('\n') };
  },
};
