import type { AgentFolders } from '../agents/setup.ts';
import { findTranscripts, transcriptAgents } from '../agents/transcripts.ts';
import type { Clock } from '../base/clock.ts';
import type { HomePaths } from '../base/paths.ts';
import { plural } from '../text/plural.ts';
import type { NextSteps } from '../wire/answers/project.ts';
import { withTilde } from './capture/capture.ts';
import { readPast } from './capture/past-transcripts.ts';
import { readRuns } from './notes/learning-runs.ts';
import { inboxOf, waitingIn } from './notes/review.ts';
import { activationOf } from './projects/activation.ts';
import { readInstalls } from './projects/install-records.ts';
import type { OpenProject } from './projects/open-project.ts';
import { projectRoot } from './projects/project-root.ts';
import { listProjects, resolvePlace } from './projects/projects.ts';

/** A command that the user should run next, and what it is for. */
type NextStep = NextSteps['items'][number];

export interface SetupState {
  isInstalled: boolean;
  /** Sessions from before the installation that agents have on this machine and that no import has read. */
  unimported: number;
  /** Prompts of which a person can still say whether they are theirs. */
  unconfirmed: number;
  waiting: number;
  /** Sessions of the project that no model may read without a `learn`. */
  past: number;
  isLearned: boolean;
  /** A folder of the project, if the user is elsewhere. */
  folder?: string | undefined;
}

/** Fewer sessions have little to learn from. */
const minToLearn = 3;

/** What to do next on the way from the installation to sessions that know the past, most useful first. */
export function nextSteps(state: SetupState): NextStep[] {
  const { isInstalled, unimported, unconfirmed, waiting, past, isLearned, folder } = state;
  if (!isInstalled) return [{ command: 'backstory install all', reason: 'connects your agents' }];
  if (unimported > 0)
    return [
      { command: 'backstory import', reason: `reads ${plural(unimported, 'past session')} of your agents` },
    ];
  return [
    ...(unconfirmed > 0
      ? [
          {
            command: 'backstory import',
            reason: `asks whether ${plural(unconfirmed, 'prompt')} that no hook saw ${unconfirmed === 1 ? 'is' : 'are'} yours`,
          },
        ]
      : []),
    ...(waiting > 0
      ? [
          {
            command: commandIn(folder, 'backstory review'),
            reason: `${plural(waiting, 'statement')} to keep or reject, one key each`,
          },
        ]
      : []),
    ...(past >= minToLearn && !isLearned
      ? [
          {
            command: commandIn(folder, 'backstory learn'),
            reason: `a model of your choice reads ${plural(past, 'past session')}; it shows the cost and asks first`,
          },
        ]
      : []),
  ];
}

const commandIn = (folder: string | undefined, command: string): string =>
  folder === undefined
    ? command
    : `cd ${/^[\w./\\:~-]+$/.test(folder) ? folder : `"${folder}"`} && ${command}`;

/** One line for each step: "Next: backstory import (reads 12 past sessions of your agents)". */
export const nextStepLines = (steps: NextStep[]): string[] =>
  steps.map(({ command, reason }, at) => `${at === 0 ? 'Next' : 'Then'}: ${command} (${reason})`);

export interface Machine {
  paths: HomePaths;
  clock: Clock;
  userHome: string;
  agentFolders: AgentFolders;
  open(project: string): OpenProject;
}

/** `folder` is where the project is, if the user is elsewhere. */
export async function findNextSteps(
  machine: Machine,
  project?: OpenProject,
  folder?: string,
): Promise<NextStep[]> {
  const { paths } = machine;
  const isInstalled = readInstalls(paths.installs).length > 0;
  const unimported = isInstalled ? await countUnimported(machine) : 0;
  const own =
    project === undefined
      ? { unconfirmed: 0, waiting: 0, past: 0, isLearned: false }
      : await stateOf(project);
  const steps = nextSteps({ isInstalled, unimported, ...own, folder });
  if (steps.length > 0 || own.past > 0) return steps;
  const [most] = await waitingElsewhere(machine, project?.project);
  return most === undefined
    ? []
    : [{ command: most.command, reason: `${plural(most.waiting, 'statement')} of ${most.name} to review` }];
}

/** The projects other than this one in which statements wait, most first. */
export async function waitingElsewhere(
  { paths, open }: Pick<Machine, 'paths' | 'open'>,
  own: string | undefined,
): Promise<{ name: string; waiting: number; command: string }[]> {
  const found = [];
  for (const { id, name, linkedTo } of listProjects(paths)) {
    if (id === own || linkedTo !== undefined) continue;
    const project = open(id);
    const waiting = waitingIn(inboxOf(await project.notes.list()));
    const folder = waiting === 0 ? undefined : projectRoot(project, id);
    if (folder !== undefined) found.push({ name, waiting, command: commandIn(folder, 'backstory review') });
  }
  return found.sort((a, b) => b.waiting - a.waiting || (a.name < b.name ? -1 : 1));
}

async function stateOf({ paths, project, notes, access, clock, modelCalls }: OpenProject) {
  const until = modelCalls?.since ?? clock.now();
  const reading = access.forReading();
  const sessions = (await reading?.index.sessionStates()) ?? [];
  const unconfirmed = (await reading?.index.prompts())?.waiting ?? 0;
  await reading?.close();
  return {
    unconfirmed,
    waiting: waitingIn(inboxOf(await notes.list())),
    past: sessions.filter(({ last }) => last < until).length,
    isLearned: readRuns(paths.project(project)).some(({ undoneAt }) => undoneAt === undefined),
  };
}

/** An index knows which transcripts were read into it. Sessions after the installation are read by themselves. */
async function countUnimported(machine: Machine): Promise<number> {
  const { paths, clock, userHome, agentFolders, open } = machine;
  const installedAt = readPast(paths.pastTranscripts)?.at ?? clock.now();
  const read = new Set<string>();
  for (const { id } of listProjects(paths)) {
    const reading = open(id).access.forReading();
    for (const mark of (await reading?.index.progressMarks())?.keys() ?? []) read.add(mark);
    await reading?.close();
  }
  const unread = findTranscripts(agentFolders, transcriptAgents).filter(
    ({ file, changed }) => changed <= installedAt && !read.has(withTilde(file, userHome)),
  );
  return [...Map.groupBy(unread, ({ cwd }) => cwd)].reduce((sum, [cwd, own]) => {
    const { place } = resolvePlace(paths, cwd, clock);
    return sum + (activationOf(paths, { ...place, cwd, userHome }, clock).on ? own.length : 0);
  }, 0);
}
