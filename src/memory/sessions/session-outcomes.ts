import type { Chunk } from '../../domain/chunk.ts';
import type { Note } from '../../domain/note.ts';
import { describeSessions } from '../../recall/describe-sessions.ts';
import { commandLine, isCheck } from '../../recall/observed-commands.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import type { LogIndex } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import { commitsMade } from '../../text/session-end.ts';
import { runsOf } from '../../text/session-title.ts';
import type { AgentSession } from '../../wire/answers/memory.ts';
import type { SessionDigest } from '../../wire/answers/sessions.ts';
import { inboxOf } from '../notes/review.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectCommands } from '../projects/project-commands.ts';
import { listAgentSessions } from './agent-sessions.ts';

type OutcomeParts = RecallParts & Pick<OpenProject, 'paths' | 'clock'>;

/**
 * When an agent session worked, and its results: notes extracted from it, commits made during it, and checks that still
 * fail.
 */
export type SessionOutcome = Pick<SessionDigest, 'decisions' | 'commits' | 'failing' | 'periods'>;

/** Kinds of notes to show for a session, in this order. Summaries are left out, because they repeat the other notes. */
const outcomeKinds: Note['kind'][] = ['decision', 'rule', 'fix', 'failed', 'knowledge'];
const maxCommits = 500;
/**
 * How long after the last event of a session a commit still counts as made during it. Users often commit after the
 * agent's last answer.
 */
const afterMs = 5 * 60_000;
/** Git's commit times are in whole seconds, so a commit in the first second of a session seems to be older. */
const beforeMs = 1_000;

export async function outcomesOf(
  given: OutcomeParts,
  sessions: AgentSession[],
): Promise<Map<string, SessionOutcome>> {
  const parts = withoutMeaning(given);
  const all = await parts.notes.list();
  const notes = all.filter(({ kind, state }) => outcomeKinds.includes(kind) && state !== 'archived');
  const waiting = new Set(inboxOf(all).candidates.map(({ id }) => id));
  return withIndex(parts, quickLimits, async (index) => {
    const extracted = await notesBySession(notes, index);
    const commitsOf = await commitsOfSessions(sessions, index);
    const failing = await failingIn(given, index);
    const periods = index?.sessions.periods(sessions.map(({ id }) => id));
    return new Map(
      sessions.map((session) => [
        session.id,
        {
          decisions: (extracted.get(session.id) ?? [])
            .sort(
              (a, b) => outcomeKinds.indexOf(a.kind) - outcomeKinds.indexOf(b.kind) || (a.id < b.id ? -1 : 1),
            )
            .map((note) => ({
              id: note.id,
              kind: note.kind,
              state: note.state,
              title: lineOf(note),
              ...(waiting.has(note.id) ? { waits: true as const } : {}),
            })),
          commits: commitsOf(session),
          failing: failing.get(session.id) ?? [],
          periods: periods?.get(session.id) ?? [],
        },
      ]),
    );
  });
}

const maxLineLength = 160;

/** A line about a note: its title or, if the title was truncated, more of its text. Titles are short for file names. */
const lineOf = ({ title, text }: Note): string =>
  title.endsWith('…') ? harmlessLine(text.trimStart().split('\n', 1)[0] as string, maxLineLength) : title;

export async function notesBySession(
  notes: Note[],
  index: LogIndex | undefined,
): Promise<Map<string, Note[]>> {
  const events = await index?.events([...new Set(notes.flatMap(({ derivedFrom }) => derivedFrom))]);
  const found = new Map<string, Note[]>();
  for (const note of notes) {
    const own = new Set(note.derivedFrom.map((id) => events?.get(id)?.agentSession ?? ''));
    for (const session of own) found.set(session, [...(found.get(session) ?? []), note]);
  }
  return found;
}

/**
 * The commits that each session made, according to what git printed there; and those that no session made, during a
 * session that changed one of their files.
 */
async function commitsOfSessions(
  sessions: Work[],
  index: LogIndex | undefined,
): Promise<(session: Work) => SessionOutcome['commits']> {
  if (index === undefined || sessions.length === 0) return () => [];
  const since = Math.min(...sessions.map(({ firstAt }) => firstAt)) - beforeMs;
  const until = Math.max(...sessions.map(({ lastAt }) => lastAt)) + afterMs;
  const chunks = (await index.list({ kinds: ['commit'], since, until }, maxCommits)).reverse();
  // Of a long message, only the first chunk has the hash.
  const left = new Map(
    chunks.filter((chunk) => toCommit(chunk).hash !== '').map((chunk) => [chunk.sourceId, chunk]),
  );
  const known = [...left.values()].map(toCommit);
  const made = new Map<string, Map<string, ReturnType<typeof toCommit>>>();
  const commands = index.sessions.commitCommands(since, until);
  for (const [session, own] of Map.groupBy(commands, ({ agentSession }) => agentSession))
    for (const { at, ...run } of runsOf(own))
      for (const { hash, subject } of commitsMade(run)) {
        // A commit that was rebased or amended since has another hash, but the time at which it was written.
        const isSame = (one: ReturnType<typeof toCommit>): boolean =>
          one.subject === subject && one.at <= at && one.at > (own[0]?.firstAt ?? 0) - beforeMs;
        const commit = known.find((one) => one.hash.startsWith(hash.slice(0, one.hash.length))) ??
          known.findLast(isSame) ?? { id: run.event, at, hash, subject };
        made.set(session, (made.get(session) ?? new Map()).set(commit.hash, commit));
        left.delete(commit.id);
      }
  return (session) =>
    [
      ...(made.get(session.id)?.values() ?? []),
      ...[...left.values()]
        .filter((commit) => isOf(commit, session))
        .map((commit) => ({ ...toCommit(commit), isByTime: true as const })),
    ].sort((a, b) => a.at - b.at);
}

type Work = Pick<AgentSession, 'id' | 'firstAt' | 'lastAt' | 'files'>;

/** Whether the commit was made during the session and contains a file that it changed. The time alone is not enough. */
const isOf = ({ at, paths }: Chunk, { firstAt, lastAt, files }: Work): boolean =>
  at > firstAt - beforeMs && at <= lastAt + afterMs && paths.some((path) => files.includes(path));

/** The sessions among whose commits this one is, newest first. */
export const sessionsOfCommit = (given: RecallParts, commit: Chunk) =>
  withIndex(withoutMeaning(given), quickLimits, async (index) => {
    const later = index?.sessions.list({ since: commit.at - afterMs }, index.sessions.count()) ?? [];
    const during = later.filter(({ firstAt }) => commit.at > firstAt - beforeMs);
    const commitsOf = await commitsOfSessions(during, index);
    const ownOf = (session: Work) => commitsOf(session).find(({ id }) => id === commit.sourceId);
    const found = await describeSessions(index, during.filter(ownOf));
    return found.map((session) => ({ ...session, isByTime: ownOf(session)?.isByTime }));
  });

/** Parses the text that `recall/chunks.ts` writes: `commit 1a2b3c4d5e6f: message`. */
function toCommit({ at, text, sourceId }: Chunk): SessionOutcome['commits'][number] {
  const [, hash = '', subject = ''] = /^commit ([0-9a-f]+): (.*)/.exec(text) ?? [];
  return { id: sourceId, at, hash, subject };
}

const maxCommandLength = 200;

/**
 * The project's checks whose last run in any session failed. Each belongs to the session of that run, so that the lists
 * of several sessions add up. A command that was run only once is no check: nothing says that it should pass.
 */
async function failingIn(
  parts: OutcomeParts,
  index: LogIndex | undefined,
): Promise<Map<string, SessionOutcome['failing']>> {
  const commands = index === undefined ? [] : await projectCommands(parts, index);
  const failing = commands.filter((command) => isCheck(command) && command.last.isFailed);
  const bySession = Map.groupBy(failing, ({ last }) => last.agentSession);
  return new Map(
    [...bySession].map(([session, own]) => [
      session,
      own.map((one) => ({
        id: one.last.event,
        at: one.last.at,
        command: harmlessLine(commandLine(one), maxCommandLength),
      })),
    ]),
  );
}

/** How long a command that still fails counts as open. */
const openForMs = 7 * 24 * 60 * 60_000;
const maxRecent = 100;

/** The checks whose last run failed, in the sessions of the last week of work, newest first. */
export async function failingLately(parts: OutcomeParts) {
  const recent = await listAgentSessions(parts, {}, maxRecent);
  const since = (recent.sessions[0]?.lastAt ?? 0) - openForMs;
  const sessions = recent.sessions.filter(({ lastAt }) => lastAt >= since);
  const outcomes = await outcomesOf(parts, sessions);
  return sessions
    .flatMap(({ id, agent }) =>
      (outcomes.get(id)?.failing ?? []).map((one) => ({ ...one, agent, agentSession: id })),
    )
    .sort((a, b) => b.at - a.at);
}
