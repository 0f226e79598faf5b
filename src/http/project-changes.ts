import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import type { HomePaths } from '../base/paths.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { isTeamMemoryFile } from '../memory/team-cache.ts';
import { readSpend } from '../spend/read-spend.ts';
import type { LogPosition } from '../store/events/event-log.ts';
import type { LiveEvent } from '../wire/answers/project.ts';

/** A change of a project. Clients fetch the changed data with other routes. */
export interface ProjectChange extends Pick<LiveEvent, 'event'> {
  detail: Partial<LiveEvent['data']>;
}

interface ProjectState {
  logBytes: number;
  indexedBytes: number;
  notes: Map<string, string>;
  isDraining: boolean;
  /** Size of the ledger file, which grows with every model call of any project. */
  ledgerBytes: number;
}

const bytesIn = (position: LogPosition): number =>
  Object.values(position).reduce((sum, offset) => sum + offset, 0);

const drainMarkerMaxAgeMs = 15_000;

async function readState({ log, notes, access, paths, project, clock }: OpenProject): Promise<ProjectState> {
  const reading = access.forReading();
  const indexedBytes = reading === undefined ? 0 : bytesIn(await reading.index.progress());
  await reading?.close();
  const marker = statSync(paths.project(project).drainMarker, { throwIfNoEntry: false });
  return {
    logBytes: bytesIn(log.end()),
    indexedBytes,
    notes: notes.stamps(),
    // A running drain (background indexing) touches its marker file every few seconds. A killed one leaves an old
    // marker behind.
    isDraining: marker !== undefined && clock.now() - marker.mtimeMs < drainMarkerMaxAgeMs,
    ledgerBytes: statSync(paths.ledger, { throwIfNoEntry: false })?.size ?? 0,
  };
}

const maxNoteChanges = 50;

async function changesBetween(
  before: ProjectState,
  now: ProjectState,
  parts: OpenProject,
): Promise<ProjectChange[]> {
  const { logBytes, indexedBytes, isDraining } = now;
  const changes: ProjectChange[] = [];
  if (logBytes !== before.logBytes) changes.push({ event: 'memory:captured', detail: { logBytes } });
  const isIndexChanged = indexedBytes !== before.indexedBytes;
  // If the index has changed, a drain (background indexing) has started and ended between two checks. Report it too.
  if (isDraining !== before.isDraining || isIndexChanged)
    changes.push({ event: 'drain:progress', detail: { running: isDraining, indexedBytes, logBytes } });
  if (isIndexChanged)
    changes.push({
      event: 'memory:indexed',
      detail: { indexedBytes, logBytes, isComplete: indexedBytes >= logBytes },
    });
  if (now.ledgerBytes !== before.ledgerBytes) {
    const { today, month } = readSpend(parts.paths, parts.clock);
    changes.push({ event: 'spend', detail: { today, month } });
  }
  const changed = [...now.notes].filter(
    ([name, stamp]) => !isTeamMemoryFile(name) && before.notes.get(name) !== stamp,
  );
  for (const [name] of changed.slice(0, maxNoteChanges)) {
    const note = await parts.notes.readFile(name);
    if (note === undefined) continue;
    const isNew = note.state === 'candidate' && !before.notes.has(name);
    const { id, kind, title, state, rev } = note;
    changes.push({
      event: isNew ? 'note:candidate' : 'note:changed',
      detail: { id, kind, title, state, rev },
    });
  }
  const gone = [...before.notes.keys()].filter((name) => !now.notes.has(name)).length;
  const omitted = changed.length - maxNoteChanges;
  if (gone > 0 || omitted > 0)
    changes.push({ event: 'note:changed', detail: { gone, ...(omitted > 0 ? { more: omitted } : {}) } });
  return changes;
}

export type ProjectWatch = ReturnType<typeof watchProject>;

const debounceMs = 150;
const pollMs = 3_000;

/**
 * Publishes changes that other processes make to a project: hooks append events, drains (background runs) index them,
 * people edit notes. It watches the project's files and compares their state, so no process has to notify the server.
 * Because file watching can be unavailable or miss changes, the state is also polled every few seconds. `lastStates`
 * has the state that an earlier watch saw last; changes since then are published first.
 */
export function watchProject(
  parts: OpenProject,
  paths: HomePaths,
  publish: (change: ProjectChange) => void,
  lastStates: Map<string, ProjectState>,
) {
  const own = paths.project(parts.project);
  let isClosed = false;
  let isChecking = false;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  const watchers: FSWatcher[] = [own.folder, own.events, own.notes].filter(existsSync).flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, scheduleCheck);
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
  const pollTimer = setInterval(check, pollMs);
  const ready = check();

  function scheduleCheck(): void {
    timer ??= setTimeout(check, debounceMs);
  }

  async function check(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isDue = true;
    if (isChecking || isClosed) return;
    isChecking = true;
    try {
      while (isDue && !isClosed) {
        isDue = false;
        const now = await readState(parts);
        const before = lastStates.get(parts.project);
        lastStates.set(parts.project, now);
        if (before !== undefined)
          for (const change of await changesBetween(before, now, parts)) publish(change);
      }
    } catch {
      // A file disappeared between listing and reading. The next check sees the new state.
    } finally {
      isChecking = false;
    }
  }

  return {
    /** Resolves after the first check. Every later change is published. */
    ready,
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(pollTimer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

export type LastStates = Map<string, ProjectState>;
