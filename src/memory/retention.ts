import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from '../base/files.ts';
import type { ProjectPaths } from '../base/paths.ts';
import { removeEventFiles } from '../store/events/rewrite-events.ts';
import { createSnapshotFiles } from '../store/snapshots/snapshot-files.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Two runs this close must agree on the time before anything is deleted. */
const trustedGapMs = 2 * dayMs;

/**
 * Deletes whole months of events, and snapshots, that are older than the user asked to keep; off unless they asked. A clock
 * that jumped must not delete anything, so the run before this one has to have been shortly before.
 * Returns the files removed; the index then no longer fits the log and is made anew.
 */
export function applyRetention(paths: ProjectPaths, keepDays: number, now: number): string[] {
  if (keepDays <= 0) return [];
  const marker = join(paths.folder, 'retention.json');
  const last = readJson<{ at: number }>(marker)?.at ?? 0;
  if (now - last > dayMs || now < last) writeJson(marker, { at: now });
  if (now < last || now - last > trustedGapMs) return [];
  const expired = readdirSync(paths.events).filter((name) => monthEnd(name) < now - keepDays * dayMs);
  removeEventFiles(paths.events, expired);
  // What a snapshot holds is drawn from events.
  createSnapshotFiles(paths.snapshots).removeOlder(now - keepDays * dayMs);
  return expired;
}

/** The first moment after the month an event file is for; never, for another file. */
function monthEnd(name: string): number {
  const match = /^(\d{4})-(\d{2})\.jsonl$/.exec(name);
  return match === null ? Number.POSITIVE_INFINITY : Date.UTC(Number(match[1]), Number(match[2]), 1);
}
