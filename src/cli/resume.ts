import { briefNow, findSnapshot } from '../handoff/resume.ts';
import type { Command } from './command.ts';
import { openWork, snapshotFields, theBudget, writeBrief } from './work-session-options.ts';

export const resumeCommand: Command = {
  name: 'resume',
  usage: 'resume [SNAPSHOT] [--budget TOKENS] [--write-to FILE]',
  summary: 'Tell a snapshot against the working tree as it is now; without one, the newest made here.',
  group: 'Continue',
  options: { budget: { type: 'string' }, 'write-to': { type: 'string' } },
  async run(app, given) {
    const { work } = await openWork(app);
    const found = findSnapshot(work, given.positionals[0]);
    // Whoever looks at it goes on with nothing: the work still waits for the agent it was handed to.
    const { snapshot, brief, staleFiles } = await briefNow(work, found, theBudget(given));
    const written = writeBrief(given, work.place.root, app.cwd, brief.text);
    const value = {
      ...snapshotFields(snapshot),
      brief: brief.text,
      tokens: brief.tokens,
      stale_files: staleFiles,
    };
    const size = app.style.dim(`about ${brief.tokens} tokens`);
    return { value, text: [brief.text, '', size, ...written].join('\n') };
  },
};
