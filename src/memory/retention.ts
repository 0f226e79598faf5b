import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from '../base/files.ts';
import type { ProjectPaths } from '../base/paths.ts';
import { removeEventFiles } from '../store/events/rewrite-events.ts';
import { createSnapshotFiles } from '../store/snapshots/snapshot-files.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** If the previous run was longer ago than this, a run deletes nothing, because the clock may have jumped ahead. */
const maxRunGapMs = 2 * dayMs;

/**
 * Deletes log files and snapshots that are older than the configured retention; off by default. Log files are deleted
 * by whole months. A wrong clock must not delete anything, so the run is skipped if the previous one was long ago.
 * Returns the deleted log files; the index then no longer matches the log and is rebuilt.
 */
export function applyRetention(paths: ProjectPaths, keepDays: number, now: number): string[] {
  if (keepDays <= 0) return [];
  const marker = join(paths.folder, 'retention.json');
  const last = readJson<{ at: number }>(marker)?.at ?? 0;
  if (now - last > dayMs || now < last) writeJson(marker, { at: now });
  if (now < last || now - last > maxRunGapMs) return [];
  const expired = readdirSync(paths.events).filter((name) => monthEnd(name) < now - keepDays * dayMs);
  removeEventFiles(paths.events, expired);
  // Snapshots are deleted too, because they contain text of events.
  createSnapshotFiles(paths.snapshots).removeOlder(now - keepDays * dayMs);
  return expired;
}

/** End of the month of an event file; infinity for other files. */
function monthEnd(name: string): number {
  const match = /^(\d{4})-(\d{2})\.jsonl$/.exec(name);
  return match === null ? Number.POSITIVE_INFINITY : Date.UTC(Number(match[1]), Number(match[2]), 1);
}
