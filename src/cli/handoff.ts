import { startAgent } from '../agents/settings.ts';
import type { InstallableAgent } from '../agents/setup.ts';
import { AppError } from '../base/errors.ts';
import type { WorkSession } from '../domain/work-session.ts';
import { briefBudget } from '../handoff/brief.ts';
import type { Ledger } from '../handoff/ledger.ts';
import { briefNow, findSnapshot, startPrompt } from '../handoff/resume.ts';
import { latestHere } from '../handoff/sessions.ts';
import { composeSnapshot, takeSnapshot } from '../handoff/snapshot.ts';
import { ledgerOf, type WorkParts } from '../handoff/work-parts.ts';
import { drain } from '../memory/drain.ts';
import type { App, Command, Outcome, ParsedArgs } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { isOnPath } from './find-program.ts';
import { agentNamed } from './install.ts';

export const handoffCommand: Command = {
  name: 'handoff',
  usage:
    'handoff [AGENT] [--start] [-- ARGUMENTS OF THE AGENT] | --brief | resume [SNAPSHOT]; [--budget TOKENS]',
  summary: 'Hand the work over to another agent with a snapshot and a brief, or resume it.',
  group: 'Handoff',
  options: {
    start: { about: 'Start the agent with the brief.' },
    brief: { about: 'Only print the brief of the current work; save no snapshot.' },
    budget: { about: 'Maximum number of tokens.', value: 'TOKENS' },
  },
  async run(app, args) {
    const [what] = args.positionals;
    if (what === 'resume') return resume(app, args);
    if (isSet(args, 'brief')) return brief(app, args);
    return handOver(app, args, what === undefined ? undefined : agentNamed(what, 'handoff'));
  },
};

async function handOver(app: App, args: ParsedArgs, agent: InstallableAgent | undefined): Promise<Outcome> {
  const isStarted = isSet(args, 'start');
  const program = agent === undefined ? 'the next agent' : startAgent(agent, '', []).program;
  if (isStarted) checkStart(app, agent, program);
  const budget = budgetOption(args);
  const work = await openWork(app);
  app.ensureActive();
  const request = { target: agent ?? ('any' as const) };
  const { snapshot, folder } = await takeSnapshot(work, currentSession(work, ledgerOf(work)), request);
  const shown = await briefNow(work, snapshot, budget);
  const { snapshot_id } = snapshot.manifest;
  const value = { ...snapshotFields(shown), snapshotDir: folder, target: agent ?? 'any' };
  if (agent === undefined || !isStarted) {
    const next = [
      `Saved snapshot ${app.style.bold(snapshot_id)}, about ${shown.brief.tokens} tokens.`,
      `In ${program}, say: call session_resume with snapshot_id ${snapshot_id}`,
      `Or start it with the brief: backstory handoff ${args.positionals[0] ?? 'AGENT'} --start`,
    ];
    return { value, text: [shown.brief.text, '', ...next].join('\n') };
  }
  const started = startAgent(agent, startPrompt(snapshot, shown.brief), args.positionals.slice(1));
  const exitCode = await app.start(started.program, started.args);
  return { value: { ...value, exit: exitCode }, text: '', exitCode: exitCode === 0 ? 0 : 1 };
}

async function brief(app: App, args: ParsedArgs): Promise<Outcome> {
  const work = await openWork(app);
  const ledger = ledgerOf(work);
  const snapshot = await composeSnapshot(work, ledger, currentSession(work, ledger), {});
  const shown = await briefNow(work, snapshot, budgetOption(args));
  const { snapshotId: _, ...value } = snapshotFields(shown);
  return { value, text: briefText(app, shown.brief) };
}

/** The newest snapshot here, if none is named. The work still waits for the agent that it was handed to. */
async function resume(app: App, args: ParsedArgs): Promise<Outcome> {
  const work = await openWork(app);
  const found = findSnapshot(work, args.positionals[1]);
  const shown = await briefNow(work, found, budgetOption(args));
  const value = { ...snapshotFields(shown), staleFiles: shown.staleFiles };
  return { value, text: briefText(app, shown.brief) };
}

type Shown = Awaited<ReturnType<typeof briefNow>>;

const briefText = ({ style }: App, { text, tokens }: Shown['brief']): string =>
  [text, '', style.dim(`about ${tokens} tokens`)].join('\n');

const snapshotFields = ({ snapshot: { manifest }, brief: { text, tokens } }: Shown) => ({
  snapshotId: manifest.snapshot_id,
  sessionId: manifest.session_id,
  goal: manifest.goal,
  brief: text,
  tokens,
});

function checkStart(app: App, agent: InstallableAgent | undefined, program: string): void {
  if (agent === undefined)
    throw new AppError('INVALID_ARGUMENT', '--start needs an agent', {
      hint: 'backstory handoff codex --start',
    });
  if (!isOnPath(program, app.searchPath)) {
    throw new AppError('CLIENT_NOT_INSTALLED', `${program} is not on PATH`, {
      hint: 'Install it, or run the command without --start and start the agent yourself',
    });
  }
}

async function openWork(app: App): Promise<WorkParts> {
  const place = app.place();
  const project = app.open(place.project);
  const mayWrite = app.activation().on;
  // Index the agents' transcripts first: the last turns may be only there.
  if (mayWrite) await drain(project);
  const context = app.context(place, mayWrite);
  return { project, place, context, isUser: true, mayWrite };
}

function currentSession(work: WorkParts, ledger: Ledger): WorkSession {
  const latest = latestHere(work, ledger);
  if (latest !== undefined) return latest;
  throw new AppError('NOT_FOUND', 'there is no captured agent session here', {
    hint: 'backstory install claude-code',
  });
}

function budgetOption(args: ParsedArgs): number {
  const text = stringOf(args, 'budget') ?? String(briefBudget.usual);
  const budget = Number(text);
  if (Number.isInteger(budget) && budget >= briefBudget.least) return Math.min(budget, briefBudget.most);
  throw new AppError('INVALID_ARGUMENT', `--budget must be a number of tokens, not ${text}`, {
    hint: `--budget N, from ${briefBudget.least} to ${briefBudget.most}`,
  });
}
