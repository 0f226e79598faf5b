import { existsSync } from 'node:fs';
import type { Observation } from '../agents/agent.ts';
import { readJson } from '../base/files.ts';
import { hashId } from '../base/hash.ts';
import type { Project } from '../domain/project.ts';
import { type Commit, type HistoryRange, readHistory } from '../git/history.ts';
import { commitsMadeHere } from '../git/made-here.ts';
import { gitUserEmail, headOf } from '../git/repository.ts';
import { catchUp } from '../recall/catch-up.ts';
import type { LogIndex } from '../store/store.ts';
import type { DrainParts } from './drain.ts';
import { createEventWriter, type IngestParts } from './event-writer.ts';
import { resolvePlace } from './projects.ts';

/** Commits as events: why a change was made, in the words of whoever made it. */
const maxFiles = 200;
const maxMessage = 8_000;

/** Told by the marker of a checkout: up to which commit its history has been read. */
const markerOf = (checkout: string): string => `git:${checkout}`;

interface CommitSource {
  root: string;
  checkout: string;
  branch: string;
}

/** At the first look only the newest; the rest is for `import`. */
const firstLook = 500;
const batchBytes = 4 * 1024 * 1024;
const maxCheckouts = 5;

/** Reads what was committed in the project's checkouts since the last look. */
export async function ingestCommits(parts: IngestParts, range: Partial<HistoryRange> = {}): Promise<number> {
  const project = readJson<Project>(parts.paths.project(parts.project).identity);
  let events = 0;
  for (const root of (project?.paths ?? []).slice(-maxCheckouts)) {
    if (!existsSync(root)) continue;
    const { place } = resolvePlace(parts.paths, root, parts.clock);
    if (place.head === '' || place.project !== parts.project) continue;
    const writer = createEventWriter(parts, 'backstory');
    for await (const observation of newCommits(place, parts.index, range)) {
      await writer.add(observation);
      if (writer.bytes() > batchBytes) events += writer.flush();
    }
    events += writer.flush();
  }
  return events;
}

/** Every commit, for `backstory import git`; those that are known already are passed over by their ids. */
export async function importHistory(parts: DrainParts, range: { since?: string }): Promise<number> {
  const writing = parts.access.forWriting();
  if (writing === undefined) return 0;
  try {
    const limits = { maxBytes: Number.MAX_SAFE_INTEGER };
    await catchUp(parts, writing.index, limits);
    const events = await ingestCommits({ ...parts, index: writing.index }, { ...range, known: [] });
    await catchUp(parts, writing.index, limits);
    return events;
  } finally {
    await writing.close();
  }
}

async function* newCommits(
  source: CommitSource,
  index: LogIndex,
  range: Partial<HistoryRange>,
): AsyncGenerator<Observation> {
  const head = headOf(source.root);
  const last = (await index.transcriptStamps()).get(markerOf(source.checkout));
  if (head === undefined || (head === last && range.known === undefined)) return;
  const own = { email: gitUserEmail(source.root), made: await commitsMadeHere(source.root) };
  const known = range.known ?? (last === undefined ? [] : [last]);
  const bounds = last === undefined && range.known === undefined ? { maxCount: firstLook } : {};
  for await (const commit of readHistory(source.root, { ...bounds, ...range, known })) {
    yield observe(commit, source, own);
  }
  await index.markTranscript(markerOf(source.checkout), head);
}

interface Own {
  email: string;
  /** Made here: whoever pushes a commit may have written any address into it. */
  made: Set<string>;
}

function observe(commit: Commit, { branch }: CommitSource, { email, made }: Own): Observation {
  const isOwn =
    email !== '' && commit.authorEmail.toLowerCase() === email.toLowerCase() && made.has(commit.hash);
  return {
    kind: 'commit',
    id: hashId('git', commit.hash),
    // A teammate's message is somebody else's text: it can be recalled, and is told to no session unasked.
    origin: isOwn ? 'user' : 'teammate',
    trust: isOwn ? 2 : 0,
    at: commit.at,
    branch,
    body: {
      hash: commit.hash,
      author: commit.authorName,
      message: commit.message.slice(0, maxMessage).toWellFormed(),
      files: commit.files.slice(0, maxFiles),
    },
  };
}
