import { existsSync } from 'node:fs';
import type { Observation } from '../../agents/agent.ts';
import { isoTime } from '../../base/clock.ts';
import { readJson } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import type { Place, Project } from '../../domain/project.ts';
import { type Commit, type HistoryRange, readHistory } from '../../git/history.ts';
import { type ReflogCommit, reflogCommits } from '../../git/reflog-commits.ts';
import { gitUserEmail, headOf, looseObjectTime } from '../../git/repository.ts';
import { eventAt } from '../../store/events/event-log.ts';
import { plainWords } from '../../text/plain-words.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { resolvePlace } from '../projects/projects.ts';
import { importEvents } from '../wait-for-writer.ts';
import { workSpans } from './agent-work-spans.ts';
import { turnsElsewhere } from './agents-elsewhere.ts';
import { createEventWriter, type IngestParts } from './event-writer.ts';
import { type CommitEvidence, isUsersOwn, type OwnCommit } from './own-commit.ts';

/**
 * Records commits as events, because their messages say why a change was made. Whether the user, an agent or a teammate
 * wrote a commit is determined when it is recorded, after all events of hooks and transcripts are indexed. Every later
 * drain checks this again. A check can only lower the trust in a commit.
 */
const maxFiles = 200;
const maxMessageLength = 8_000;

/** The key under which the index stores the last commit that was read in a checkout. */
const markerOf = (checkout: string): string => `git:${checkout}`;

interface CommitSource {
  root: string;
  checkout: string;
  branch: string;
}

/** Commits read on the first visit of a checkout; `backstory import git` reads the rest. */
export const maxFirstCommits = 500;
const batchBytes = 4 * 1024 * 1024;
const maxCheckouts = 5;

async function ingestCommits(parts: IngestParts, range: Partial<HistoryRange> = {}): Promise<number> {
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

/**
 * Records new commits, then checks again who wrote the commits made since a time. By default it checks all of them, as
 * is needed after an import.
 */
export async function recordCommits(parts: IngestParts, since = 0): Promise<number> {
  return (await ingestCommits(parts)) + (await reviseCommits(parts, since));
}

/** Records every commit, for `backstory import git`. Known commits are skipped by their ids. */
export const importHistory = (parts: OpenProject, range: { since?: string }): Promise<number> =>
  importEvents(parts, (index) => ingestCommits({ ...parts, index }, { ...range, known: [] }));

async function* newCommits(
  source: CommitSource,
  parts: IngestParts,
  range: Partial<HistoryRange>,
): AsyncGenerator<Observation> {
  const { index } = parts;
  const head = headOf(source.root);
  const last = (await index.progressMarks()).get(markerOf(source.checkout));
  if (head === undefined || (head === last && range.known === undefined)) return;
  // On the first visit and for an import the whole history is read. Otherwise an earlier run has recorded the older
  // commits, so evidence of the last weeks is enough.
  const isWhole = last === undefined || range.known !== undefined;
  const evidence = await evidenceFor(parts, isWhole ? 0 : parts.clock.now() - revisedForMs);
  const own = {
    email: gitUserEmail(source.root),
    made: await reflogCommits(source.root),
    writtenAt: (hash: string) => looseObjectTime(source.root, hash),
    // An unpacked archive brings its own reflog, so nobody knows who made the commits that were here before Backstory.
    evidence: isWhole ? { ...evidence, watchedSince: Number.POSITIVE_INFINITY } : evidence,
  };
  const known = range.known ?? (last === undefined ? [] : [last]);
  const bounds = last === undefined && range.known === undefined ? { maxCount: maxFirstCommits } : {};
  for await (const commit of readHistory(source.root, { ...bounds, ...range, known })) {
    yield observe(commit, source, own);
  }
  await index.setProgressMark(markerOf(source.checkout), head);
}

interface Own {
  email: string;
  /**
   * Commits that were made in this checkout, according to git's reflog. The email address alone proves nothing,
   * because anyone can write any address.
   */
  made: Map<string, ReflogCommit>;
  writtenAt(hash: string): number | undefined;
  evidence: CommitEvidence;
}

function observe(
  commit: Commit,
  { branch }: CommitSource,
  { email, made, writtenAt, evidence }: Own,
): Observation {
  const here = made.get(commit.hash);
  const isOwn =
    here !== undefined && email !== '' && commit.authorEmail.toLowerCase() === email.toLowerCase();
  const [at, committed] = [Date.parse(commit.at), Date.parse(commit.committedAt)];
  const written = isOwn ? writtenAt(commit.hash) : undefined;
  const own: OwnCommit = {
    ...(written === undefined ? {} : { writtenAt: written }),
    message: commit.message,
    author: commit.authorName,
    times: [at, committed, ...(here?.times ?? [])],
    isBackdated: here?.isBackdated ?? true,
  };
  return {
    kind: 'commit',
    id: hashId('git', commit.hash),
    ...(isOwn ? (isUsersOwn(own, evidence) ? byUser : byAgent) : byTeammate),
    at: commit.at,
    branch,
    body: {
      hash: commit.hash,
      author: commit.authorName,
      message: commit.message.slice(0, maxMessageLength).toWellFormed(),
      files: commit.files.slice(0, maxFiles),
      ...(committed === at ? {} : { committedAt: isoTime(committed) }),
    },
  };
}

const byUser = { origin: 'user', trust: 2 } as const;
/**
 * Values for a commit that was made here but perhaps not by the user: recall finds it, but the context for new
 * sessions does not show it.
 */
const byAgent = { origin: 'assistant', trust: 1 } as const;
const byTeammate = { origin: 'teammate', trust: 0 } as const;

/**
 * Checks commits that were attributed to the user again, because more may be known about agents by now: a transcript
 * that was imported later, or the end of a turn. A commit that turns out to be an agent's gets a new event that
 * supersedes the first. The result is then stored and stays, even if the user later makes Backstory forget the
 * evidence.
 */
async function reviseCommits(parts: IngestParts, since: number): Promise<number> {
  const chunks = await parts.index.list(
    { kinds: ['commit'], source: 'event', minTrust: 2, since },
    maxRevised,
  );
  if (chunks.length === 0) return 0;
  const evidence = await evidenceFor(parts, since);
  const rows = await parts.index.events([...new Set(chunks.map(({ sourceId }) => sourceId))]);
  const writer = createEventWriter(parts, 'backstory');
  for (const row of rows.values()) {
    const event = eventAt(parts.log, row);
    if (event?.kind !== 'commit') continue;
    const { hash, message, author, committedAt = event.at } = event.body;
    const times = [Date.parse(event.at), Date.parse(committedAt)];
    if (isUsersOwn({ message, author, times, isBackdated: false }, evidence)) continue;
    await writer.add({
      kind: 'commit',
      id: hashId('git', hash, 'revised'),
      ...byAgent,
      isRedacted: true,
      at: event.at,
      branch: event.branch,
      body: { ...event.body, supersedes: [event.id] },
    });
  }
  return writer.flush();
}

/**
 * Commits up to this age are checked again by each background run. Evidence about older ones can only come from an
 * import, which checks all commits.
 */
export const revisedForMs = 30 * 24 * 60 * 60_000;
const maxRevised = 5_000;
/**
 * How many recorded commits by other authors are compared. The newest are enough, because only the newest decisions
 * are shown to new sessions.
 */
const maxOthers = 2_000;

/**
 * Collects what decides whether the user made a commit or an agent did: when agents worked since `since`, and which
 * commits are known to be by agents or teammates. Without evidence from before `since`, older commits are never
 * attributed to the user.
 */
async function evidenceFor(parts: IngestParts, since: number): Promise<CommitEvidence> {
  const project = readJson<Project>(parts.paths.project(parts.project).identity);
  const commits = await parts.index.list({ kinds: ['commit'], source: 'event' }, maxOthers);
  return {
    now: parts.clock.now(),
    watchedSince: Math.max(since, Date.parse(project?.created ?? '')),
    spans: workSpans([...(await parts.index.agentTurns(since)), ...turnsElsewhere(parts)]),
    others: commits.filter(({ trust }) => trust < 2).map(({ at, text }) => ({ at, words: plainWords(text) })),
  };
}
