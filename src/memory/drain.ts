import { existsSync, utimesSync } from 'node:fs';
import { entryAt } from '../base/checkout-file.ts';
import { removeIfThere, removeStaleTemporaries, replaceFile } from '../base/files.ts';
import { isFromRepository } from '../domain/note.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { type CatchUpLimits, catchUp } from '../recall/catch-up.ts';
import { discardIfOfAnotherLog } from '../recall/with-index.ts';
import { bytesAfter } from '../store/events/event-log.ts';
import { extendManifest } from '../store/events/extend-manifest.ts';
import { isIndexDamage } from '../store/index-fault.ts';
import type { LogIndex } from '../store/store.ts';
import { recordCommandEdits } from './capture/command-edits.ts';
import { recordCommits } from './capture/commits.ts';
import { type IngestLimits, readTranscripts } from './capture/read-transcripts.ts';
import { recordGap } from './capture/record-gap.ts';
import { ageNotes } from './notes/age-notes.ts';
import { distilSessions } from './notes/distil-sessions.ts';
import { writeObserved } from './prelude/command-lines.ts';
import { writeEverywhere } from './prelude/everywhere-lines.ts';
import { composePrelude } from './prelude/prelude.ts';
import { writePrelude } from './prelude/prelude-file.ts';
import { recentWork } from './prelude/recap.ts';
import { recordTold } from './prelude/told-lines.ts';
import { activationOfProject } from './projects/activation.ts';
import type { OpenProject } from './projects/open-project.ts';
import { projectCommands } from './projects/project-commands.ts';
import { currentRoot } from './projects/project-root.ts';
import { learnRootCommit } from './projects/projects.ts';
import { writeTopics } from './prompt-context/topic-table.ts';
import { applyRetention } from './retention.ts';
import { writeProjectRules } from './rules/project-rules.ts';

export interface DrainLimits {
  maxMs: number;
  maxBytes: number;
  onProgress?(done: number, total: number): void;
}

export const drainLimits: DrainLimits = { maxMs: 60_000, maxBytes: 200 * 1024 * 1024 };

const abandonedAfterMs = 14 * 24 * 60 * 60 * 1000;
const staleAfterMs = 10 * 60 * 1000;
const markerIntervalMs = 4_000;

/**
 * Does the background work of one project: reads transcripts into the log, indexes it, extracts notes and renders the
 * prelude. It is bounded in time, runs in one process at a time, and may be killed at any point.
 */
export async function drain(parts: OpenProject, limits: DrainLimits = drainLimits) {
  // It has not run if another process holds the lock and does the same work.
  const report = { ran: false, indexed: 0, ingested: 0, isComplete: true };
  // An MCP server starts this in every folder, including those in which nothing was ever captured. Then there is
  // nothing to do.
  if (!existsSync(parts.paths.project(parts.project).identity)) return report;
  applyRetention(parts.paths.project(parts.project), parts.retentionDays, parts.clock.now());
  await discardIfOfAnotherLog(parts);
  for (;;) {
    const round = await drainOnce(parts, limits).catch((error) => {
      if (!isIndexDamage(error)) throw error;
      // A damaged index is rebuilt once. If the second attempt fails too, its error is thrown.
      parts.access.discard();
      return drainOnce(parts, limits);
    });
    report.ran ||= round.ran;
    report.indexed += round.indexed;
    report.ingested += round.ingested;
    report.isComplete = round.isComplete;
    // While this drain runs, hooks start no other one, so their events may have arrived after the log was read. Then
    // another round is needed. If a round indexed nothing and nothing was written since it began, the rest of the log is
    // an incomplete line, and the loop ends.
    const end = parts.log.end();
    const mayHaveMore = round.indexed > 0 || bytesAfter(round.start, end) > 0;
    if (!round.ran || !round.isComplete || !mayHaveMore || bytesAfter(round.end, end) === 0) return report;
  }
}

async function drainOnce(parts: OpenProject, limits: DrainLimits) {
  const started = parts.clock.now();
  const start = parts.log.end();
  const idle = { ran: false, indexed: 0, ingested: 0, isComplete: true, start, end: start };
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
    const done = await ingest(parts, index, bounds);
    const activation = activationOfProject(parts);
    if (done.isComplete && activation.on) {
      if ((await mirrorRepository(parts, index)) > 0) await catchUp(parts, index, bounds);
      if (activation.config.distil === 'on') {
        // Ageing looks up when a note was written, so the new notes must be indexed first.
        if ((await distilSessions(parts, index, bounds)) > 0) await catchUp(parts, index, bounds);
        if ((await ageNotes(parts, index)) > 0) await catchUp(parts, index, bounds);
      }
    }
    await renderPrelude(parts, index);
    extendManifest(parts.paths.project(parts.project).events, parts.clock);
    parts.access.removeAbandoned(abandonedAfterMs);
    const own = parts.paths.project(parts.project);
    for (const folder of [own.folder, own.notes, parts.paths.everywhere.notes])
      removeStaleTemporaries(folder, started - staleAfterMs);
    const root = currentRoot(parts);
    if (root !== undefined) learnRootCommit(parts.paths, parts.project, root);
    return {
      ran: true,
      ...done,
      start,
      end: await index.progress(),
    };
  } finally {
    // While it holds the lock. Later it would remove the marker of the next drain, which then fails.
    marker.remove();
    await writing.close();
  }
}

/**
 * Reads new transcripts and commits into the log, and indexes it. If capture is off, paused or excluded for this
 * folder, it only indexes the events that are already in the log.
 */
export async function ingest(parts: OpenProject, index: LogIndex, bounds: CatchUpLimits & IngestLimits) {
  const before = await catchUp(parts, index, bounds);
  const isOn = activationOfProject(parts).on;
  const mayRead = isOn && before.isComplete;
  const read = mayRead ? await readTranscripts({ ...parts, index }, bounds) : undefined;
  if ((read?.events ?? 0) > 0) await catchUp(parts, index, bounds);
  const edits = read?.isComplete === true ? await recordCommandEdits({ ...parts, index }) : 0;
  const commits = read?.isComplete === true ? await recordCommits({ ...parts, index }) : 0;
  const after = await catchUp(parts, index, bounds);
  return {
    indexed: before.records + after.records,
    ingested: (read?.events ?? 0) + edits + commits,
    isComplete: before.isComplete && after.isComplete && (!isOn || read?.isComplete === true),
  };
}

/**
 * Mirrors notes of the repository. Its code is loaded only if the repository contains Backstory files, which most do
 * not.
 */
async function mirrorRepository(parts: OpenProject, index: LogIndex): Promise<number> {
  const root = currentRoot(parts);
  // If the checkout was deleted, the notes from it stay.
  if (root === undefined) return 0;
  const isThere = entryAt(root, '.backstory') !== 'none';
  if (!isThere && !(await parts.notes.list()).some(isFromRepository)) return 0;
  const { followRepository } = await import('./capture/follow-repository.ts');
  return followRepository(parts, index, root);
}

export async function renderPrelude(
  parts: Pick<OpenProject, 'paths' | 'project' | 'notes' | 'log' | 'clock' | 'device' | 'callerRoot'>,
  index: LogIndex,
): Promise<void> {
  const position = await index.progress();
  const root = currentRoot(parts);
  // The prelude says whether the code of its notes has changed. Here code is compared by lines only, because this
  // process loads no parser.
  const code: CheckedCode | undefined = root === undefined ? undefined : { root, key: parts.device.key };
  const now = parts.clock.now();
  const own = parts.paths.project(parts.project);
  const commands = await projectCommands(parts, index);
  writeObserved(own, commands);
  const recaps = await recentWork(parts, index, { now, root });
  const { topics, ...told } = await composePrelude(index, parts.notes, {
    code,
    now,
    project: parts.project,
    commands,
    recaps,
  });
  const comparedWith = root === undefined ? {} : { comparedWith: root };
  // The user may have edited or deleted a file.
  const everywhere = await parts.notes.listEverywhere();
  if (everywhere.length > 0 || existsSync(parts.paths.everywhere.prelude))
    writeEverywhere(parts.paths, everywhere);
  writePrelude(own.prelude, { v: 1, position, ...comparedWith, ...told });
  recordTold(own, now, told.lines);
  await writeProjectRules(parts);
  writeTopics(own.topics, topics, await parts.notes.list());
}

function createMarker({ paths, project, clock }: OpenProject) {
  const path = paths.project(project).drainMarker;
  let touched = 0;
  return {
    set: () => replaceFile(path, ''),
    touch: () => {
      const now = clock.now();
      if (now - touched < markerIntervalMs) return;
      touched = now;
      utimesSync(path, now / 1000, now / 1000);
    },
    remove: () => removeIfThere(path),
  };
}
