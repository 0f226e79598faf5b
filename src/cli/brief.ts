import { briefNow } from '../handoff/resume.ts';
import { composeSnapshot } from '../handoff/snapshot.ts';
import type { Command } from './command.ts';
import { stringOf } from './command.ts';
import {
  budgetOption,
  openWork,
  pinOptions,
  removeBrief,
  sessionOption,
  writeBrief,
} from './work-session-options.ts';

export const briefCommand: Command = {
  name: 'brief',
  usage: 'brief [--session ID] [--budget TOKENS] [--pin FILE:FROM-TO] [--write-to FILE] | --remove-from FILE',
  summary: 'Summarise the current work: goal, done, open, decisions, uncommitted edits, next steps.',
  group: 'Handoff',
  options: {
    session: { type: 'string' },
    budget: { type: 'string' },
    pin: { type: 'string', multiple: true },
    'write-to': { type: 'string' },
    'remove-from': { type: 'string' },
  },
  async run(app, args) {
    const removeFrom = stringOf(args, 'remove-from');
    if (removeFrom !== undefined) {
      const removed = removeBrief(app.place().root, app.cwd, removeFrom);
      const text = removed ? `Removed the brief from ${removeFrom}.` : `There is no brief in ${removeFrom}.`;
      return { value: { removed }, text };
    }
    const { work, ledger } = await openWork(app);
    const session = sessionOption(args, work, ledger);
    const snapshot = await composeSnapshot(work, ledger, session, { pins: pinOptions(args) });
    const { brief } = await briefNow(work, snapshot, budgetOption(args));
    const written = writeBrief(args, work.place.root, app.cwd, brief.text);
    const value = { sessionId: session.id, goal: session.goal, brief: brief.text, tokens: brief.tokens };
    const size = app.style.dim(`about ${brief.tokens} tokens`);
    return { value, text: [brief.text, '', size, ...written].join('\n') };
  },
};
