import { localDay } from '../base/clock.ts';
import { readPast } from '../memory/capture/past-transcripts.ts';
import {
  answerUnconfirmed,
  readUnconfirmed,
  type UnconfirmedPrompt,
  whyUnconfirmed,
} from '../memory/capture/unconfirmed-prompts.ts';
import { hasDeadHook } from '../memory/installation-checks.ts';
import { readInstalls } from '../memory/projects/install-records.ts';
import { listProjects } from '../memory/projects/projects.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { type App, mayDecide } from './command.ts';

const lineLength = 100;
const maxShownPrompts = 3;
const maxShownProjects = 3;

interface ProjectPrompt {
  project: string;
  name: string;
  prompt: UnconfirmedPrompt;
}

/** Prompts of one agent that are unconfirmed for the same reason. */
interface Group {
  agent: string;
  why: string;
  prompts: ProjectPrompt[];
}

export interface ConfirmedPrompts {
  yours: number;
  /** How many nobody was asked about, or answered for. */
  waiting: number;
  /** The projects in which something was decided. */
  projects: string[];
}

/** Asks a person once whether the prompts that no hook saw are theirs, of one project or of all. */
export async function confirmPrompts(app: App, only?: string): Promise<ConfirmedPrompts> {
  const groups = await readGroups(app, only);
  const all = groups.flatMap(({ prompts }) => prompts);
  const result: ConfirmedPrompts = { yours: 0, waiting: all.length, projects: [] };
  if (all.length === 0 || !mayDecide(app)) return result;
  const sessions = new Set(all.map(({ prompt }) => prompt.agentSession)).size;
  app.printError(
    [
      `\n${plural(all.length, 'prompt')} in ${plural(sessions, 'session')} ${all.length === 1 ? 'is' : 'are'} not confirmed as yours. Sessions are told none of them.`,
      ...groups.map((group) => describe(app, group)),
    ].join('\n\n'),
  );
  const each = groups.length > 1 ? ' [e]ach group' : '';
  const answer = await app.key(`\nAre these yours? [y]es [n]o${each} [l]ater `, `ynlq${each && 'e'}`);
  for (const group of groups) {
    const key =
      answer === 'e'
        ? await app.key(`\n${describe(app, group)}\n\nAre these yours? [y]es [n]o [l]ater `, 'ynlq')
        : answer;
    if (key === 'q') break;
    if (key === 'y' || key === 'n') await save(app, group, key === 'y', result);
  }
  return result;
}

async function readGroups(app: App, only: string | undefined): Promise<Group[]> {
  const installs = readInstalls(app.paths.installs);
  const history = {
    past: readPast(app.paths.pastTranscripts),
    installs,
    deadHooks: installs.filter(hasDeadHook).map(({ agent }) => agent),
  };
  const groups = new Map<string, Group>();
  for (const { id, name, linkedTo } of listProjects(app.paths)) {
    if (linkedTo !== undefined || (only !== undefined && id !== only)) continue;
    for (const prompt of await readUnconfirmed(app.open(id))) {
      const why = whyUnconfirmed(prompt, history);
      const { agent } = prompt;
      const group = groups.get(`${agent} ${why}`) ?? { agent, why, prompts: [] };
      group.prompts.push({ project: id, name, prompt });
      groups.set(`${agent} ${why}`, group);
    }
  }
  return [...groups.values()];
}

function describe({ style }: App, { agent, why, prompts }: Group): string {
  const sorted = prompts.toSorted((a, b) => (a.prompt.at < b.prompt.at ? -1 : 1));
  const days = [sorted[0], sorted.at(-1)].map((one) => one && localDay(one.prompt.at));
  const sessions = new Set(prompts.map(({ prompt }) => prompt.agentSession)).size;
  const names = [...new Set(prompts.map(({ name }) => name))];
  const more = names.length > maxShownProjects ? ` and ${names.length - maxShownProjects} more` : '';
  return [
    `${style.bold(agent)}, ${[...new Set(days)].join(' to ')}: ${plural(prompts.length, 'prompt')}, ${plural(sessions, 'session')}, in ${names.slice(0, maxShownProjects).join(', ')}${more}`,
    `  ${why}`,
    ...sorted
      .slice(0, maxShownPrompts)
      .map(({ prompt }) => `  ${style.dim(`"${harmlessLine(prompt.body.text, lineLength)}"`)}`),
  ].join('\n');
}

async function save(app: App, { prompts }: Group, isYours: boolean, result: ConfirmedPrompts): Promise<void> {
  for (const [project, own] of Map.groupBy(prompts, (one) => one.project)) {
    const parts = app.open(project);
    const { terminal } = app.context({ ...app.place(), project });
    const isSaved = await answerUnconfirmed(
      parts,
      own.map(({ prompt }) => prompt),
      { isYours, terminal },
    );
    if (!isSaved) continue;
    result.waiting -= own.length;
    if (isYours) result.yours += own.length;
    if (!result.projects.includes(project)) result.projects.push(project);
  }
}

/** How many prompts wait, and the command that asks; nothing if none do. */
export const waitingPromptsText = (prompts: number): string[] =>
  prompts === 0
    ? []
    : [
        `${plural(prompts, 'prompt')} ${prompts === 1 ? 'is' : 'are'} not confirmed as yours. To answer, in a terminal: backstory import`,
      ];
