import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import { createEventLog } from '../../store/events/event-log.ts';
import type { AgentTurn } from '../../store/store.ts';
import { listProjects } from '../projects/projects.ts';

interface Here {
  paths: HomePaths;
  project: string;
  clock: Clock;
}

/** Of each project; enough for the turns of the last hours, which is when new commits are looked at. */
const tailBytes = 512 * 1024;

/**
 * Turns of agents in other projects that ran a command naming a folder of this one, as `git -C ../shop commit` does.
 * Agents that work elsewhere at the same time do not count: people work beside them.
 */
export function turnsElsewhere({ paths, project, clock }: Here): AgentTurn[] {
  const projects = listProjects(paths);
  const folders = projects.flatMap(({ id, paths: own }) =>
    id === project ? own.map((path) => basename(path)) : [],
  );
  return projects
    .filter(({ id }) => id !== project)
    .flatMap(({ id }) => {
      const log = createEventLog(paths.project(id).events, clock);
      const [file, end] = Object.entries(log.end()).at(-1) ?? ['', 0];
      const turns = new Map<string, AgentTurn & { isConcerned: boolean }>();
      for (const { entry } of log.read({ ...log.end(), [file]: Math.max(0, end - tailBytes) }))
        if (entry.kind === 'event') addTo(turns, entry.event, folders);
      return [...turns.values()].filter(({ isConcerned }) => isConcerned);
    });
}

function addTo(
  turns: Map<string, AgentTurn & { isConcerned: boolean }>,
  { agentSession, at, kind, body }: EventEnvelope,
  folders: string[],
): void {
  if (agentSession === '' || !('turn' in body)) return;
  const key = `${agentSession} ${body.turn}`;
  const time = Date.parse(at);
  const known = turns.get(key);
  const isConcerned =
    kind === 'command' && folders.some((folder) => (body as { command: string }).command.includes(folder));
  turns.set(key, {
    agentSession,
    first: Math.min(known?.first ?? time, time),
    last: Math.max(known?.last ?? time, time),
    isEnded: known?.isEnded === true || kind === 'answer',
    sessionBoundary: 0,
    isConcerned: known?.isConcerned === true || isConcerned,
  });
}
