import { installableAgents, startAgent } from '../agents/settings.ts';
import { AppError } from '../base/errors.ts';
import { briefNow } from '../handoff/resume.ts';
import { takeSnapshot } from '../handoff/snapshot.ts';
import { startPrompt } from '../handoff/start-prompt.ts';
import type { App, Command } from './command.ts';
import { isSet } from './command.ts';
import { isOnPath } from './find-program.ts';
import { agentArgument } from './install.ts';
import {
  budgetOption,
  checkWriteTo,
  openWork,
  pinOptions,
  sessionOption,
  snapshotFields,
  writeBrief,
} from './work-session-options.ts';

export const handoffCommand: Command = {
  name: 'handoff',
  usage: `handoff ${installableAgents.join('|')} [--start] [--session ID] [--budget TOKENS] [--pin FILE:FROM-TO] [--write-to FILE] [-- ARGUMENTS OF THE AGENT]`,
  summary: 'Hand the work over to another agent with a snapshot and a brief; --start starts the agent.',
  group: 'Handoff',
  options: {
    start: { type: 'boolean' },
    session: { type: 'string' },
    budget: { type: 'string' },
    pin: { type: 'string', multiple: true },
    'write-to': { type: 'string' },
  },
  async run(app, args) {
    const agent = agentArgument(args, 'handoff');
    const isStarted = isSet(args, 'start');
    const { program } = startAgent(agent, '', []);
    if (isStarted) checkStart(app, program);
    const budget = budgetOption(args);
    const { work, ledger } = await openWork(app);
    app.ensureActive();
    checkWriteTo(args, work.place.root, app.cwd);
    const session = sessionOption(args, work, ledger);
    const { snapshot, folder } = await takeSnapshot(work, session, { target: agent, pins: pinOptions(args) });
    const { brief } = await briefNow(work, snapshot, budget);
    const written = writeBrief(args, work.place.root, app.cwd, brief.text);
    const { snapshot_id } = snapshot.manifest;
    const value = {
      ...snapshotFields(snapshot),
      snapshotDir: folder,
      target: agent,
      brief: brief.text,
      tokens: brief.tokens,
    };
    if (!isStarted) {
      const next = [
        `Saved snapshot ${app.style.bold(snapshot_id)}, about ${brief.tokens} tokens.`,
        `In ${program}, say: call session_resume with snapshot_id ${snapshot_id}`,
        `Or start it with the brief: backstory handoff ${args.positionals[0]} --start`,
      ];
      return { value, text: [brief.text, '', ...next, ...written].join('\n') };
    }
    const started = startAgent(agent, startPrompt(snapshot, brief), args.positionals.slice(1));
    const exitCode = await app.start(started.program, started.args);
    return { value: { ...value, exit: exitCode }, text: '', exitCode: exitCode === 0 ? 0 : 1 };
  },
};

function checkStart(app: App, program: string): void {
  if (!isOnPath(program, app.searchPath)) {
    throw new AppError('CLIENT_NOT_INSTALLED', `${program} is not on PATH`, {
      hint: 'Install it, or run the command without --start and start the agent yourself',
    });
  }
}
