import { startAgent } from '../agents/start-agent.ts';
import { AppError } from '../base/errors.ts';
import { briefNow } from '../handoff/resume.ts';
import { takeSnapshot } from '../handoff/snapshot.ts';
import { startPrompt } from '../handoff/start-prompt.ts';
import type { App, Command } from './command.ts';
import { isSet } from './command.ts';
import { isOnPath } from './find-program.ts';
import { theAgent } from './install.ts';
import {
  checkWriteTo,
  openWork,
  snapshotFields,
  theBudget,
  thePins,
  theSession,
  writeBrief,
} from './work-session-options.ts';

export const handoffCommand: Command = {
  name: 'handoff',
  usage:
    'handoff claude|codex|opencode|pi|cursor [--start] [--session ID] [--budget TOKENS] [--pin FILE:FROM-TO] [--write-to FILE] [-- ARGUMENTS OF THE AGENT]',
  summary: 'Stop here and go on in another agent: a snapshot, a brief, and with --start the agent itself.',
  group: 'Continue',
  options: {
    start: { type: 'boolean' },
    session: { type: 'string' },
    budget: { type: 'string' },
    pin: { type: 'string', multiple: true },
    'write-to': { type: 'string' },
  },
  async run(app, given) {
    const agent = theAgent(given, 'handoff');
    const isStarted = isSet(given, 'start');
    const { program } = startAgent(agent, '', []);
    if (isStarted) checkStart(app, program);
    const budget = theBudget(given);
    const { work, ledger } = await openWork(app);
    app.ensureActive();
    checkWriteTo(given, work.place.root, app.cwd);
    const session = theSession(given, work, ledger);
    const { snapshot, folder } = await takeSnapshot(work, session, { target: agent, pins: thePins(given) });
    const { brief } = await briefNow(work, snapshot, budget);
    const written = writeBrief(given, work.place.root, app.cwd, brief.text);
    const { snapshot_id } = snapshot.manifest;
    const value = {
      ...snapshotFields(snapshot),
      snapshot_dir: folder,
      target: agent,
      brief: brief.text,
      tokens: brief.tokens,
    };
    if (!isStarted) {
      const next = [
        `Kept as ${app.style.bold(snapshot_id)}, about ${brief.tokens} tokens.`,
        `In ${program}, say: call session_resume with snapshot_id ${snapshot_id}`,
        `Or let it begin with this: backstory handoff ${given.positionals[0]} --start`,
      ];
      return { value, text: [brief.text, '', ...next, ...written].join('\n') };
    }
    const started = startAgent(agent, startPrompt(snapshot, brief), given.positionals.slice(1));
    const exitCode = await app.start(started.program, started.args);
    return { value: { ...value, exit: exitCode }, text: '', exitCode: exitCode === 0 ? 0 : 1 };
  },
};

function checkStart(app: App, program: string): void {
  if (!isOnPath(program, app.searchPath)) {
    throw new AppError('CLIENT_NOT_INSTALLED', `${program} is not on PATH`, {
      hint: 'Install it, or leave --start away and start it yourself',
    });
  }
}
