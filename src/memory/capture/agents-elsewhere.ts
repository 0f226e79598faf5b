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

/**
 * Bytes read from the end of the event log of each other project. They cover the last hours, and the commits to be
 * checked are no older than that.
 */
const tailBytes = 512 * 1024;

/**
 * Turns of agents in other projects that ran a command which names a folder of this project, such as
 * `git -C ../shop commit`. Other turns do not count, because the user may commit here while an agent works elsewhere.
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
      const turns = new Map<string, AgentTurn & { namesFolder: boolean }>();
      for (const { entry } of log.read({ ...log.end(), [file]: Math.max(0, end - tailBytes) }))
        if (entry.kind === 'event') addTo(turns, entry.event, folders);
      return [...turns.values()].filter(({ namesFolder }) => namesFolder);
    });
}

function addTo(
  turns: Map<string, AgentTurn & { namesFolder: boolean }>,
  { agentSession, at, kind, body }: EventEnvelope,
  folders: string[],
): void {
  if (agentSession === '' || !('turn' in body)) return;
  const key = `${agentSession} ${body.turn}`;
  const time = Date.parse(at);
  const known = turns.get(key);
  const namesFolder =
    kind === 'command' && folders.some((folder) => (body as { command: string }).command.includes(folder));
  turns.set(key, {
    agentSession,
    first: Math.min(known?.first ?? time, time),
    last: Math.max(known?.last ?? time, time),
    isEnded: known?.isEnded === true || kind === 'answer',
    sessionBoundary: 0,
    namesFolder: known?.namesFolder === true || namesFolder,
  });
}
