import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import type { HomePaths } from '../base/paths.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { readSpend } from '../spend/report.ts';
import type { LogPosition } from '../store/events/event-log.ts';

/** What somebody who listens is told. What it is about can be asked for by the other routes. */
export interface ProjectChange {
  event:
    | 'memory:captured'
    | 'memory:indexed'
    | 'note:candidate'
    | 'note:changed'
    | 'drain:progress'
    | 'spend';
  detail: Record<string, unknown>;
}

/** A project as it stood at one look. */
interface Look {
  logBytes: number;
  indexedBytes: number;
  notes: Map<string, string>;
  isDraining: boolean;
  /** Grows with every call of a model, of whichever project. */
  ledgerBytes: number;
}

const bytesIn = (position: LogPosition): number =>
  Object.values(position).reduce((sum, offset) => sum + offset, 0);

const markerLivesMs = 15_000;

async function lookAt({ log, notes, access, paths, project, clock }: OpenProject): Promise<Look> {
  const reading = access.forReading();
  const indexedBytes = reading === undefined ? 0 : bytesIn(await reading.index.progress());
  await reading?.close();
  const marker = statSync(paths.project(project).drainMarker, { throwIfNoEntry: false });
  return {
    logBytes: bytesIn(log.end()),
    indexedBytes,
    notes: notes.stamps(),
    // A drain that was killed leaves its mark behind; one that works touches it every few seconds.
    isDraining: marker !== undefined && clock.now() - marker.mtimeMs < markerLivesMs,
    ledgerBytes: statSync(paths.ledger, { throwIfNoEntry: false })?.size ?? 0,
  };
}

const maxNoteChanges = 50;

async function changesBetween(before: Look, now: Look, parts: OpenProject): Promise<ProjectChange[]> {
  const { logBytes, indexedBytes, isDraining } = now;
  const changes: ProjectChange[] = [];
  if (logBytes !== before.logBytes) changes.push({ event: 'memory:captured', detail: { logBytes } });
  const hasMoved = indexedBytes !== before.indexedBytes;
  // A drain that came and went between two looks is told as well.
  if (isDraining !== before.isDraining || hasMoved)
    changes.push({ event: 'drain:progress', detail: { running: isDraining, indexedBytes, logBytes } });
  if (hasMoved)
    changes.push({
      event: 'memory:indexed',
      detail: { indexedBytes, logBytes, isComplete: indexedBytes >= logBytes },
    });
  if (now.ledgerBytes !== before.ledgerBytes) {
    const { today, month } = readSpend(parts.paths, parts.clock);
    changes.push({ event: 'spend', detail: { today, month } });
  }
  const changed = [...now.notes].filter(([name, stamp]) => before.notes.get(name) !== stamp);
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
  const untold = changed.length - maxNoteChanges;
  if (gone > 0 || untold > 0)
    changes.push({ event: 'note:changed', detail: { gone, ...(untold > 0 ? { more: untold } : {}) } });
  return changes;
}

export interface ProjectWatch {
  /** Once it has seen how things are: every change from then on is told. */
  ready: Promise<void>;
  close(): void;
}

const settlesMs = 150;
const looksAnywayMs = 3_000;

/**
 * Other processes do the work: hooks append, drains index, people edit notes. All of it shows in the project's
 * files, so those are watched, and compared with what they were; no process has to tell us anything. A system that
 * reports nothing, or forgets to, is made up for by a look every few seconds while somebody listens.
 *
 * `seen` is what an earlier watch saw last: what happened since nobody listened is told first.
 */
export function watchProject(
  parts: OpenProject,
  paths: HomePaths,
  tell: (change: ProjectChange) => void,
  seen: Map<string, Look>,
): ProjectWatch {
  const own = paths.project(parts.project);
  let isClosed = false;
  let isLooking = false;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  const watchers: FSWatcher[] = [own.folder, own.events, own.notes].filter(existsSync).flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, soon);
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
  const regular = setInterval(look, looksAnywayMs);
  const ready = look();

  function soon(): void {
    timer ??= setTimeout(look, settlesMs);
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isDue = true;
    if (isLooking || isClosed) return;
    isLooking = true;
    try {
      while (isDue && !isClosed) {
        isDue = false;
        const now = await lookAt(parts);
        const before = seen.get(parts.project);
        seen.set(parts.project, now);
        if (before !== undefined) for (const change of await changesBetween(before, now, parts)) tell(change);
      }
    } catch {
      // A file that went between listing and reading; the next look sees how it is.
    } finally {
      isLooking = false;
    }
  }

  return {
    ready,
    close() {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(regular);
      for (const watcher of watchers) watcher.close();
    },
  };
}

export type SeenProjects = Map<string, Look>;
