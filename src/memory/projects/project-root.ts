import type { Clock } from '../../base/clock.ts';
import { isFolder, readJson } from '../../base/files.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Project } from '../../domain/project.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import { checkoutId, resolvePlace } from './projects.ts';

export interface ProjectRootParts {
  paths: HomePaths;
  log: Pick<EventLog, 'read' | 'end'>;
  clock: Clock;
}

/**
 * The working tree of a project that is meant where nobody names one: where something was captured last, among those
 * that are still there and still belong to it. Undefined where none is left; a tree that is gone says nothing.
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
/** In the first moments of a month there is nothing in its file yet. */
const newestFiles = 2;

/** When something last happened in each checkout, as far as the end of the log tells. */
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
  // The first line may be cut in two, and then it is no event.
  for (const { entry } of log.read(from)) {
    // Worktrees share their commits, so one says nothing about where somebody worked.
    if (entry.kind !== 'event' || entry.event.kind === 'commit') continue;
    const { checkout, at } = entry.event;
    used.set(checkout, Math.max(used.get(checkout) ?? 0, Date.parse(at)));
  }
  return used;
}
