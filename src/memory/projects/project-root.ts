import type { Clock } from '../../base/clock.ts';
import { isFolder, readJson } from '../../base/files.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Project } from '../../domain/project.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import type { OpenProject } from './open-project.ts';
import { checkoutId, resolvePlace } from './projects.ts';

export interface ProjectRootParts {
  paths: HomePaths;
  log: Pick<EventLog, 'read' | 'end'>;
  clock: Clock;
}

/** The working tree on which an open project operates: the caller's, or the one that was used last. */
export const currentRoot = (
  project: ProjectRootParts & Pick<OpenProject, 'project' | 'callerRoot'>,
): string | undefined => project.callerRoot ?? projectRoot(project, project.project);

/**
 * The working tree of a project in which something was captured last, among those that still exist and still belong to
 * it. Undefined if there is none.
 */
export function projectRoot({ paths, log, clock }: ProjectRootParts, id: string): string | undefined {
  const known = readJson<Project>(paths.project(id).identity)?.paths ?? [];
  const used = known.length > 1 ? lastUse(log) : new Map<string, number>();
  const usedAt = (root: string): number => used.get(checkoutId(root)) ?? 0;
  return known
    .toReversed()
    .sort((a, b) => usedAt(b) - usedAt(a))
    .find((root) => isFolder(root) && resolvePlace(paths, root, clock).place.project === id);
}

const tailBytes = 128 * 1024;
/** How many monthly log files are read: two, because the file of a month that has just begun may be nearly empty. */
const newestFiles = 2;

function lastUse(log: ProjectRootParts['log']): Map<string, number> {
  const end = log.end();
  const older = Object.keys(end).sort().slice(0, -newestFiles);
  const from = Object.fromEntries(
    Object.entries(end).map(([file, size]) => [
      file,
      older.includes(file) ? size : Math.max(0, size - tailBytes),
    ]),
  );
  const used = new Map<string, number>();
  // Reading may begin in the middle of a line. That part of a line is not an event and is skipped.
  for (const { entry } of log.read(from)) {
    // Worktrees share commits, so a commit does not show in which one the work was done.
    if (entry.kind !== 'event' || entry.event.kind === 'commit') continue;
    const { checkout, at } = entry.event;
    used.set(checkout, Math.max(used.get(checkout) ?? 0, Date.parse(at)));
  }
  return used;
}
