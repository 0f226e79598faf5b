import type { AgentSession } from '../../domain/agent-session.ts';
import type { Chunk } from '../../domain/chunk.ts';
import type { Note } from '../../domain/note.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import type { LogIndex } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import type { SessionDigest } from '../../wire/answers/sessions.ts';
import { inboxOf } from '../notes/review.ts';
import { listAgentSessions } from './agent-sessions.ts';
import { readRows } from './session-turns.ts';

/** The results of an agent session: notes extracted from it, commits made during it, and commands that still fail. */
export type SessionOutcome = Pick<SessionDigest, 'decisions' | 'commits' | 'failing'>;

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
  given: RecallParts,
  sessions: AgentSession[],
): Promise<Map<string, SessionOutcome>> {
  const parts = withoutMeaning(given);
  const all = await parts.notes.list();
  const notes = all.filter(({ kind }) => outcomeKinds.includes(kind));
  const waiting = new Set(inboxOf(all).candidates.map(({ id }) => id));
  return withIndex(parts, quickLimits, async (index) => {
    const extracted = await notesBySession(notes, index);
    const commits = await commitsDuring(sessions, index);
    const failing = await failingIn(parts, sessions, index);
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
          commits: commits.filter((commit) => isOf(commit, session)).map(toCommit),
          failing: failing.get(session.id) ?? [],
        },
      ]),
    );
  });
}

const maxLineLength = 160;

/** A line about a note: its title or, if the title was truncated, more of its text. Titles are short for file names. */
const lineOf = ({ title, text }: Note): string =>
  title.endsWith('…') ? harmlessLine(text.trimStart().split('\n', 1)[0] as string, maxLineLength) : title;

async function notesBySession(notes: Note[], index: LogIndex | undefined): Promise<Map<string, Note[]>> {
  const events = await index?.events([...new Set(notes.flatMap(({ derivedFrom }) => derivedFrom))]);
  const found = new Map<string, Note[]>();
  for (const note of notes) {
    const own = new Set(note.derivedFrom.map((id) => events?.get(id)?.agentSession ?? ''));
    for (const session of own) found.set(session, [...(found.get(session) ?? []), note]);
  }
  return found;
}

async function commitsDuring(sessions: AgentSession[], index: LogIndex | undefined): Promise<Chunk[]> {
  if (index === undefined || sessions.length === 0) return [];
  const since = Math.min(...sessions.map(({ firstAt }) => firstAt)) - beforeMs;
  const until = Math.max(...sessions.map(({ lastAt }) => lastAt)) + afterMs;
  const chunks = await index.list({ kinds: ['commit'], since, until }, maxCommits);
  return [...new Map(chunks.reverse().map((chunk) => [chunk.sourceId, chunk])).values()];
}

/** Whether the commit was made during the session and contains a file that it changed. The time alone is not enough. */
const isOf = ({ at, paths }: Chunk, { firstAt, lastAt, files }: AgentSession): boolean =>
  at > firstAt - beforeMs && at <= lastAt + afterMs && paths.some((path) => files.includes(path));

/** Parses the text that `recall/chunks.ts` writes: `commit 1a2b3c4d5e6f: message`. */
function toCommit({ text, sourceId }: Chunk): SessionOutcome['commits'][number] {
  const [, hash = '', subject = ''] = /^commit ([0-9a-f]+): (.*)/.exec(text) ?? [];
  return { id: sourceId, hash, subject };
}

const maxCommands = 500;
const maxLaterRuns = 5_000;
const maxCommandLength = 200;

/**
 * The commands that still fail: their last run in any session failed. Each belongs to the session of that run, so that
 * the lists of several sessions add up.
 */
async function failingIn(
  parts: RecallParts,
  sessions: AgentSession[],
  index: LogIndex | undefined,
): Promise<Map<string, SessionOutcome['failing']>> {
  const found = new Map<string, SessionOutcome['failing']>();
  const suspects = sessions.filter(({ failedCommands }) => failedCommands > 0);
  if (index === undefined || suspects.length === 0) return found;
  const since = Math.min(...suspects.map(({ firstAt }) => firstAt));
  const runs = await index.list({ kinds: ['command'], since }, maxLaterRuns);
  for (const { id: agentSession } of suspects) {
    const chunks = await index.list({ kinds: ['command'], agentSession }, maxCommands);
    const rows = await index.events([...new Set(chunks.map(({ sourceId }) => sourceId))]);
    const own = [...readRows(parts.log, [...rows.values()]).values()]
      .filter((event) => event.kind === 'command')
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const last = new Map(own.map((event) => [plainCommand(event.body.command), event]));
    const failing = [...last].filter(
      ([command, { body, at }]) => !body.ok && !runs.some((run) => isLaterRun(run, command, Date.parse(at))),
    );
    found.set(
      agentSession,
      failing.map(([, { id, at, body }]) => ({
        id,
        at: Date.parse(at),
        command: harmlessLine(body.command, maxCommandLength),
      })),
    );
  }
  return found;
}

/** Where its output goes does not make it another command. */
const plainCommand = (command: string): string => command.replace(/\s*2>&1\s*$/, '').trim();

/** A chunk of a command begins with its line, below a line that says whether it failed. */
function isLaterRun({ at, text }: Chunk, command: string, after: number): boolean {
  const line = `$ ${command}`;
  const from = text.startsWith('failed') ? text.indexOf('\n') + 1 : 0;
  return (
    at > after &&
    text.startsWith(line, from) &&
    /^\s*(?:2>&1\s*)?(?:\n|$)/.test(text.slice(from + line.length))
  );
}

/** How long a command that still fails counts as open. */
export const openForMs = 7 * 24 * 60 * 60_000;
const maxRecent = 100;

/** The commands that failed in the sessions of the last week and were not run since, newest first. */
export async function failingLately(parts: RecallParts, now: number) {
  const { sessions } = await listAgentSessions(parts, { since: now - openForMs }, maxRecent);
  const outcomes = await outcomesOf(parts, sessions);
  return sessions
    .flatMap(({ id, agent }) =>
      (outcomes.get(id)?.failing ?? []).map((one) => ({ ...one, agent, agentSession: id })),
    )
    .sort((a, b) => b.at - a.at);
}
