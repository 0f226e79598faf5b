import { existsSync } from 'node:fs';
import type { Observation } from '../../agents/agent.ts';
import { isoTime } from '../../base/clock.ts';
import { readJson } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import type { Place, Project } from '../../domain/project.ts';
import { type Commit, readHistory } from '../../git/history.ts';
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

/** Of a checkout, at least these newest commits are read at first; `backstory import git` reads all. */
export const maxFirstCommits = 500;
/** And at most these, if they were made since the first session. */
const maxSessionCommits = 5_000;
const batchBytes = 4 * 1024 * 1024;
const maxCheckouts = 5;

interface CommitRange {
  since?: string;
  /** Read from the newest commit on, because the sessions that were just imported may be older than the last reading. */
  isAgain?: boolean;
  /** All of the history. */
  isWhole?: boolean;
}

/** Records the commits that are new in the checkouts of the project. Returns how many. */
export async function recordCommits(parts: IngestParts, range: CommitRange = {}): Promise<number> {
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
  importEvents(parts, (index) => recordCommits({ ...parts, index }, { ...range, isWhole: true }));

async function* newCommits(
  { root, checkout, branch }: Place,
  { index }: IngestParts,
  { isAgain = false, isWhole = false, since }: CommitRange,
): AsyncGenerator<Observation> {
  const head = headOf(root);
  const mark = (await index.progressMarks()).get(markerOf(checkout));
  const last = isAgain || isWhole ? undefined : mark;
  if (head === undefined || head === last) return;
  const made = await reflogCommits(root);
  const began = last === undefined ? [...index.sessions.periods().values()].flat() : [];
  const firstAt = began.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY);
  const isEnough = (count: number, { committedAt }: Commit): boolean =>
    count >= maxSessionCommits || (count >= maxFirstCommits && Date.parse(committedAt) < firstAt);
  let count = 0;
  const range = { known: last === undefined ? [] : [last], ...(since !== undefined && { since }) };
  for await (const commit of readHistory(root, range)) {
    if (!isWhole && last === undefined && isEnough(count, commit)) break;
    count += 1;
    yield commitEvent(commit, branch, made.has(commit.hash));
  }
  await index.setProgressMark(markerOf(checkout), head);
}

/** A commit that was made elsewhere is nobody's word: anybody may have pushed it. */
export const commitEvent = (commit: Commit, branch: string, isMadeHere: boolean): Observation => ({
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
