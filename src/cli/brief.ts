import { briefNow } from '../handoff/resume.ts';
import { composeSnapshot } from '../handoff/snapshot.ts';
import type { Command } from './command.ts';
import { stringOf } from './command.ts';
import { openWork, removeBrief, theBudget, thePins, theSession, writeBrief } from './work-session-options.ts';

export const briefCommand: Command = {
  name: 'brief',
  usage: 'brief [--session ID] [--budget TOKENS] [--pin FILE:FROM-TO] [--write-to FILE] | --remove-from FILE',
  summary: 'Say how the work here stands: goal, done, not done, decided, open edits, next steps.',
  group: 'Continue',
  options: {
    session: { type: 'string' },
    budget: { type: 'string' },
    pin: { type: 'string', multiple: true },
    'write-to': { type: 'string' },
    'remove-from': { type: 'string' },
  },
  async run(app, given) {
    const removeFrom = stringOf(given, 'remove-from');
    if (removeFrom !== undefined) {
      const text = removeBrief(app.place().root, app.cwd, removeFrom);
      return { value: { removed: text.startsWith('Taken') }, text };
    }
    const { work, ledger } = await openWork(app);
    const session = theSession(given, work, ledger);
    const snapshot = await composeSnapshot(work, ledger, session, { pins: thePins(given) });
    const { brief } = await briefNow(work, snapshot, theBudget(given));
    const written = writeBrief(given, work.place.root, app.cwd, brief.text);
    const value = { session_id: session.id, goal: session.goal, brief: brief.text, tokens: brief.tokens };
    const size = app.style.dim(`about ${brief.tokens} tokens`);
    return { value, text: [brief.text, '', size, ...written].join('\n') };
  },
};
