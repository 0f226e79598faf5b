import { existsSync } from 'node:fs';
import type { Observation } from '../../agents/agent.ts';
import { isoTime } from '../../base/clock.ts';
import { readJson } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import type { Place, Project } from '../../domain/project.ts';
import { type Commit, type HistoryRange, readHistory } from '../../git/history.ts';
import { reflogCommits } from '../../git/reflog-commits.ts';
import { headOf } from '../../git/repository.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { resolvePlace } from '../projects/projects.ts';
import { importEvents } from '../wait-for-writer.ts';
import { createEventWriter, type IngestParts } from './event-writer.ts';

/**
 * Records commits as events, because their messages say why a change was made. Nothing proves that a person typed a
 * message: agents and editors write them too, under the user's name. So none counts as the user's words.
 */
const maxFiles = 200;
const maxMessageLength = 8_000;

/** The key under which the index stores the last commit that was read in a checkout. */
const markerOf = (checkout: string): string => `git:${checkout}`;

/** Commits read on the first visit of a checkout; `backstory import git` reads the rest. */
export const maxFirstCommits = 500;
const batchBytes = 4 * 1024 * 1024;
const maxCheckouts = 5;

/** Records the commits that are new in the checkouts of the project. Returns how many. */
export async function recordCommits(parts: IngestParts, range: Partial<HistoryRange> = {}): Promise<number> {
  let events = 0;
  for (const place of checkoutsOf(parts)) {
    const writer = createEventWriter(parts, 'backstory');
    for await (const observation of newCommits(place, parts, range)) {
      await writer.add(observation);
      if (writer.bytes() > batchBytes) events += writer.flush();
    }
    events += writer.flush();
  }
  return events;
}

/** The checkouts of the project that have commits. */
function checkoutsOf(parts: IngestParts): Place[] {
  const recorded = readJson<Project>(parts.paths.project(parts.project).identity)?.paths ?? [];
  return recorded
    .slice(-maxCheckouts)
    .filter((root) => existsSync(root))
    .map((root) => resolvePlace(parts.paths, root, parts.clock).place)
    .filter(({ head, project }) => head !== '' && project === parts.project);
}

/** Records every commit, for `backstory import git`. Known commits are skipped by their ids. */
export const importHistory = (parts: OpenProject, range: { since?: string }): Promise<number> =>
  importEvents(parts, (index) => recordCommits({ ...parts, index }, { ...range, known: [] }));

async function* newCommits(
  { root, checkout, branch }: Place,
  { index }: IngestParts,
  range: Partial<HistoryRange>,
): AsyncGenerator<Observation> {
  const head = headOf(root);
  const last = (await index.progressMarks()).get(markerOf(checkout));
  if (head === undefined || (head === last && range.known === undefined)) return;
  const made = await reflogCommits(root);
  const known = range.known ?? (last === undefined ? [] : [last]);
  const bounds = last === undefined && range.known === undefined ? { maxCount: maxFirstCommits } : {};
  for await (const commit of readHistory(root, { ...bounds, ...range, known })) {
    yield observe(commit, branch, made.has(commit.hash));
  }
  await index.setProgressMark(markerOf(checkout), head);
}

const observe = (commit: Commit, branch: string, isMadeHere: boolean): Observation => ({
  kind: 'commit',
  id: hashId('git', commit.hash),
  ...(isMadeHere
    ? ({ origin: 'assistant', trust: 1 } as const)
    : ({ origin: 'teammate', trust: 0 } as const)),
  at: commit.at,
  branch,
  body: {
    hash: commit.hash,
    author: commit.authorName,
    message: commit.message.slice(0, maxMessageLength).toWellFormed(),
    files: commit.files.slice(0, maxFiles),
    ...(Date.parse(commit.committedAt) === Date.parse(commit.at)
      ? {}
      : { committedAt: isoTime(Date.parse(commit.committedAt)) }),
  },
});
