import { existsSync, utimesSync } from 'node:fs';
import { entryAt } from '../base/checkout-file.ts';
import { type Config, readOverrides, resolveConfig } from '../base/config.ts';
import { readJson, removeIfThere, removeStaleTemporaries, replaceFile } from '../base/files.ts';
import { isFromRepository } from '../domain/note.ts';
import type { Project } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { type CatchUpLimits, catchUp } from '../recall/catch-up.ts';
import { discardIfOfAnotherLog } from '../recall/with-index.ts';
import { bytesAfter } from '../store/events/event-log.ts';
import { extendManifest } from '../store/events/extend-manifest.ts';
import { isIndexDamage } from '../store/index-fault.ts';
import type { LogIndex } from '../store/store.ts';
import { recordCommits, revisedForMs } from './capture/commits.ts';
import { type IngestLimits, readTranscripts } from './capture/read-transcripts.ts';
import { recordGap } from './capture/record-gap.ts';
import { ageNotes } from './notes/age-notes.ts';
import { consolidateWhenDue } from './notes/consolidate-when-due.ts';
import { distilSessions } from './notes/distil-sessions.ts';
import { composePrelude } from './prelude/prelude.ts';
import { writePrelude } from './prelude/prelude-file.ts';
import { type Activation, activationOf } from './projects/activation.ts';
import type { OpenProject } from './projects/open-project.ts';
import { projectRoot } from './projects/project-root.ts';
import { learnRootCommit } from './projects/projects.ts';
import { applyRetention } from './retention.ts';

export interface DrainLimits {
  maxMs: number;
  maxBytes: number;
  onProgress?(done: number, total: number): void;
}

export const drainLimits: DrainLimits = { maxMs: 60_000, maxBytes: 200 * 1024 * 1024 };

export interface DrainReport {
  /** False when another process holds the lock and does the same work. */
  ran: boolean;
  indexed: number;
  ingested: number;
  isComplete: boolean;
}

const abandonedAfterMs = 14 * 24 * 60 * 60 * 1000;
const staleAfterMs = 10 * 60 * 1000;
const markerEveryMs = 4_000;

/**
 * Does the background work of one project: indexes the log, reads transcripts into it, distils notes and renders the
 * prelude. It is bounded in time, runs in one process at a time, and may be killed at any point.
 */
export async function drain(parts: OpenProject, limits: DrainLimits = drainLimits): Promise<DrainReport> {
  const report: DrainReport = { ran: false, indexed: 0, ingested: 0, isComplete: true };
  // An MCP server starts a drain wherever an agent works; where nothing was ever captured there is nothing to do.
  if (!existsSync(parts.paths.project(parts.project).identity)) return report;
  applyRetention(parts.paths.project(parts.project), parts.retentionDays, parts.clock.now());
  await discardIfOfAnotherLog(parts);
  for (;;) {
    const round = await drainOnce(parts, limits).catch((error) => {
      if (!isIndexDamage(error)) throw error;
      // Derived data that cannot be read is made anew; a second failure is a real one.
      parts.access.discard();
      return drainOnce(parts, limits);
    });
    report.ran ||= round.ran;
    report.indexed += round.indexed;
    report.ingested += round.ingested;
    report.isComplete = round.isComplete;
    // A hook that saw our marker started no drain of its own; its event may have come after our last look.
    // A torn last line stays unread, so a round that read nothing ends it.
    const hasMore = round.indexed > 0 && round.isComplete && bytesAfter(round.end, parts.log.end()) > 0;
    if (!hasMore) return report;
  }
}

async function drainOnce(parts: OpenProject, limits: DrainLimits) {
  const started = parts.clock.now();
  const idle = { ran: false, indexed: 0, ingested: 0, isComplete: true, end: {} };
  const writing = parts.access.forWriting();
  if (writing === undefined) return idle;
  const marker = createMarker(parts);
  const isOver = () => {
    marker.touch();
    return parts.clock.now() - started > limits.maxMs;
  };
  const { onProgress } = limits;
  const bounds = { maxBytes: limits.maxBytes, isOver, ...(onProgress === undefined ? {} : { onProgress }) };
  try {
    marker.set();
    recordGap(parts);
    const { index } = writing;
    const done = await bringIn(parts, index, bounds);
    const followed = done.isComplete && isCaptured(parts) ? await followHere(parts, index) : 0;
    if (followed > 0) await catchUp(parts, index, bounds);
    if (done.isComplete && mayDistil(parts)) {
      const written = await distilSessions(parts, index, bounds);
      const tended = await ageNotes(parts, index);
      const themes = await consolidateWhenDue(parts, index, settingsHere(parts).consolidateEvery);
      if (written + tended + themes > 0) await catchUp(parts, index, bounds);
    }
    await renderPrelude(parts, index);
    extendManifest(parts.paths.project(parts.project).events, parts.clock);
    parts.access.removeAbandoned(abandonedAfterMs);
    const own = parts.paths.project(parts.project);
    for (const folder of [own.folder, own.notes]) removeStaleTemporaries(folder, started - staleAfterMs);
    const root = rootHere(parts);
    if (root !== undefined) learnRootCommit(parts.paths, parts.project, root);
    return {
      ran: true,
      ...done,
      end: await index.progress(),
    };
  } finally {
    await writing.close();
    marker.remove();
  }
}

/** Everything there is, into the log and the index. */
export async function bringIn(parts: OpenProject, index: LogIndex, bounds: CatchUpLimits & IngestLimits) {
  const before = await catchUp(parts, index, bounds);
  const isOn = isCaptured(parts);
  const mayRead = isOn && before.isComplete;
  const read = mayRead ? await readTranscripts({ ...parts, index }, bounds) : undefined;
  // Whose a commit is depends on what agents did at the time, so the index must know that first.
  if ((read?.events ?? 0) > 0) await catchUp(parts, index, bounds);
  const commits =
    read?.isComplete === true
      ? await recordCommits({ ...parts, index }, parts.clock.now() - revisedForMs)
      : 0;
  const after = await catchUp(parts, index, bounds);
  return {
    indexed: before.records + after.records,
    ingested: (read?.events ?? 0) + commits,
    isComplete: before.isComplete && after.isComplete && (!isOn || read?.isComplete === true),
  };
}

/** Switched off, paused or excluded meanwhile: what is there is indexed, and nothing more is brought in. */
export const isCaptured = (parts: OpenProject): boolean => activationHere(parts).on;

export function mayDistil(parts: OpenProject): boolean {
  const activation = activationHere(parts);
  return activation.on && activation.config.distil === 'on';
}

const settingsHere = ({ paths, project }: OpenProject): Config =>
  resolveConfig(readOverrides(paths.config), readOverrides(paths.project(project).config));

const rootHere = (parts: Parameters<typeof renderPrelude>[0]): string | undefined =>
  parts.askedIn ?? projectRoot(parts, parts.project);

/** Most repositories have nothing of ours, and then not even the code for it is loaded. */
async function followHere(parts: OpenProject, index: LogIndex): Promise<number> {
  const root = rootHere(parts);
  // A checkout that is gone has not taken back what it said.
  if (root === undefined) return 0;
  const isThere = ['.backstory', '.forge'].some((name) => entryAt(root, name) !== 'none');
  if (!isThere && !(await parts.notes.list()).some(isFromRepository)) return 0;
  const { followRepository } = await import('./capture/follow-repository.ts');
  return followRepository(parts, index, root);
}

function activationHere(parts: OpenProject): Activation {
  const { paths, project, userHome, clock } = parts;
  const root = rootHere(parts) ?? readJson<Project>(paths.project(project).identity)?.paths.at(-1) ?? '';
  return activationOf(paths, { project, root, cwd: root, userHome }, clock);
}

export async function renderPrelude(
  parts: Pick<OpenProject, 'paths' | 'project' | 'notes' | 'log' | 'clock' | 'device' | 'askedIn'>,
  index: LogIndex,
): Promise<void> {
  const position = await index.progress();
  const root = rootHere(parts);
  // By lines alone, because a drain loads no parser.
  const code: CheckedCode | undefined = root === undefined ? undefined : { root, key: parts.device.key };
  const lines = await composePrelude(index, parts.notes, { code, now: parts.clock.now() });
  const comparedWith = root === undefined ? {} : { comparedWith: root };
  writePrelude(parts.paths.project(parts.project).prelude, { v: 1, position, ...comparedWith, lines });
}

function createMarker({ paths, project, clock }: OpenProject) {
  const path = paths.project(project).drainMarker;
  let touched = 0;
  return {
    set: () => replaceFile(path, ''),
    touch: () => {
      const now = clock.now();
      if (now - touched < markerEveryMs) return;
      touched = now;
      utimesSync(path, now / 1000, now / 1000);
    },
    remove: () => removeIfThere(path),
  };
}
