import type { AgentSession } from '../../domain/agent-session.ts';
import type { Chunk } from '../../domain/chunk.ts';
import type { Note } from '../../domain/note.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import type { LogIndex } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import type { SessionDigest } from '../../wire/answers/sessions.ts';
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
  const notes = (await parts.notes.list()).filter(({ kind }) => outcomeKinds.includes(kind));
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
            .map((note) => ({ id: note.id, kind: note.kind, state: note.state, title: lineOf(note) })),
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
const maxCommandLength = 200;

/** Reads the commands of the sessions in which one failed, and returns those whose last run failed. */
async function failingIn(
  parts: RecallParts,
  sessions: AgentSession[],
  index: LogIndex | undefined,
): Promise<Map<string, SessionOutcome['failing']>> {
  const found = new Map<string, SessionOutcome['failing']>();
  if (index === undefined) return found;
  for (const { id: agentSession } of sessions.filter(({ failedCommands }) => failedCommands > 0)) {
    const chunks = await index.list({ kinds: ['command'], agentSession }, maxCommands);
    const rows = await index.events([...new Set(chunks.map(({ sourceId }) => sourceId))]);
    const runs = [...readRows(parts.log, [...rows.values()]).values()]
      .filter((event) => event.kind === 'command')
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const last = new Map(runs.map((event) => [event.body.command, event]));
    const failing = [...last.values()].filter(({ body }) => !body.ok);
    found.set(
      agentSession,
      failing.map(({ id, body }) => ({ id, command: harmlessLine(body.command, maxCommandLength) })),
    );
  }
  return found;
}
