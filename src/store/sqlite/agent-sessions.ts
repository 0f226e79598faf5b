import type { StatementSync } from 'node:sqlite';
import {
  type AgentSessionFilter,
  type CountedSessions,
  isOwnSessionSql,
  type SessionSlice,
} from '../../domain/agent-session.ts';
import { planConcept } from '../../domain/chunk.ts';
import type { SessionName } from '../../domain/event.ts';
import { sumUsage, type TurnUsage } from '../../domain/usage.ts';
import type { SessionEvidence } from '../../text/session-title.ts';
import type { SessionDigest } from '../../wire/answers/sessions.ts';

export type SessionWork = Pick<SessionEvidence, 'prompts' | 'failedCommands' | 'files'>;
type Row = Omit<
  SessionEvidence,
  'branch' | 'failedCommands' | 'files' | 'usage' | 'beginning' | 'lastCommands' | 'publishing' | 'names'
>;

/** An id of any kind may be given by its first characters, from so many on. */
export const minIdPrefix = 8;
const maxFiles = 50;
const maxBeginning = 60;
const maxCommands = 40;

const isWork = "kind in ('prompt', 'answer', 'edit', 'command')";
/** A path outside the checkout is absolute, also one of Windows. */
const isOutsideSql = "(f.path glob '/*' or f.path glob '[A-Za-z]:*')";
/** A pause that ends a period of work. It is shorter than a day, so that a period has work on each day it covers. */
const pauseMs = 4 * 60 * 60_000;

/**
 * Reads agent sessions from the events, newest first; nothing else is stored about them. The queries name
 * their index, because SQLite would otherwise scan all chunks of a kind instead of those of one session.
 */
export function createAgentSessions(sql: (text: string) => StatementSync) {
  const one = <T>(text: string, ...given: (string | number)[]): T | undefined =>
    sql(text).get(...given) as unknown as T | undefined;

  const slices = (agentSession: string, where: string, limit: number): SessionSlice[] =>
    (
      sql(
        `select source_id as event, kind, origin, trust, at, concepts like '%"${planConcept}"%' as isPlan, text
         from chunk indexed by chunk_session where agent_session = ? and ${where} limit ${limit}`,
      ).all(agentSession) as unknown as (Omit<SessionSlice, 'isPlan'> & { isPlan: number })[]
    ).map((row) => ({ ...row, isPlan: row.isPlan === 1 }));

  const failedAndChanged = (
    id: string,
    { since = 0, until = Number.MAX_SAFE_INTEGER }: Pick<AgentSessionFilter, 'since' | 'until'>,
  ): Pick<SessionEvidence, 'failedCommands' | 'files'> => {
    const failed = one<{ n: number }>(
      `select count(distinct source_id) as n from chunk indexed by chunk_session
       where agent_session = ? and kind = 'command' and text like 'failed%' and at >= ? and at <= ?`,
      ...[id, since, until],
    );
    const files = sql(
      `select distinct f.path as path from chunk c indexed by chunk_session join chunk_file f on f.chunk = c.row
       where c.agent_session = ? and c.kind = 'edit' and c.at >= ? and c.at <= ? order by ${isOutsideSql}, f.path limit ${maxFiles}`,
    ).all(id, since, until) as { path: string }[];
    return { failedCommands: failed?.n ?? 0, files: files.map(({ path }) => path) };
  };

  const complete = (row: Row): SessionEvidence => {
    const last = one<{ branch: string }>(
      `select branch from chunk indexed by chunk_session where agent_session = ? and branch <> '' order by at desc limit 1`,
      row.id,
    );
    const steps = sql(
      `select kind, step from memo_step where agent_session = ? and kind in ('usage', 'title') order by at, seq, id`,
    ).all(row.id) as { kind: string; step: string }[];
    const stepsOf = <T>(wanted: string): T[] =>
      steps.flatMap(({ kind, step }) => (kind === wanted ? [JSON.parse(step) as T] : []));
    const usage = sumUsage(stepsOf<TurnUsage>('usage'));
    return {
      ...row,
      ...(usage === undefined ? {} : { usage }),
      branch: last?.branch ?? '',
      ...failedAndChanged(row.id, {}),
      beginning: slices(row.id, "source = 'event' order by at, row", maxBeginning),
      lastCommands: slices(row.id, "kind = 'command' order by at desc, row desc", maxCommands).reverse(),
      publishing: slices(
        row.id,
        "kind = 'command' and (text like '%git%commit%' or text like '%pr create%' or text like '%mr create%') order by at, row",
        maxCommands,
      ),
      names: stepsOf<SessionName>('title').map(({ title, by, url }) => ({
        title,
        by,
        ...(url === undefined ? {} : { url }),
      })),
    };
  };

  /** For each session that goes on with others, the first of them: they have the same name or pull request. */
  const threads = (): Map<string, string> => {
    const rows = sql(
      `select agent_session as id, coalesce(json_extract(step, '$.url'), json_extract(step, '$.title')) as mark
       from memo_step indexed by memo_step_title where kind = 'title' order by at, seq, id`,
    ).all() as { id: string; mark: string }[];
    const starts = new Map<string, string>();
    const startOf = (id: string): string => {
      const start = starts.get(id) ?? id;
      return start === id ? id : startOf(start);
    };
    const firstWith = new Map<string, string>();
    for (const { id, mark } of rows) {
      const first = startOf(firstWith.get(mark) ?? id);
      firstWith.set(mark, first);
      if (startOf(id) !== first) starts.set(startOf(id), first);
    }
    for (const start of [...starts.values()]) starts.set(start, startOf(start));
    return new Map([...starts.keys()].map((id) => [id, startOf(id)]));
  };

  return {
    /** Newest first, then by id. */
    list({ ids, agent, since, until, after }: AgentSessionFilter, limit: number): SessionEvidence[] {
      const rows = sql(
        `select agent_session as id, max(agent) as agent, min(at) filter (where ${isWork}) as firstAt,
           max(at) filter (where ${isWork}) as lastAt, sum(kind = 'prompt') as prompts, sum(kind = 'answer') as answers,
           sum(kind = 'edit') as edits, sum(kind = 'command') as commands, max(at * (kind = 'prompt')) as lastPromptAt,
           max(at * (kind = 'answer')) as lastAnswerAt, max(at * (kind not in ('prompt', 'answer'))) as lastToolAt
         from event where state = 'live' and agent_session <> ''
           and kind in ('prompt', 'answer', 'edit', 'command', 'read', 'tool') and (? = '' or agent = ?) and iif(? = '', ${isOwnSessionSql}, agent_session in (select value from json_each(?)))
         group by agent_session
         having max(at) filter (where ${isWork} and at <= ?) >= ? and (lastAt, agent_session) < (?, ?)
         order by lastAt desc, id desc limit ?`,
      ).all(
        agent ?? '',
        agent ?? '',
        ids === undefined ? '' : 'ids',
        JSON.stringify(ids ?? []),
        until ?? Number.MAX_SAFE_INTEGER,
        since ?? 0,
        after?.lastAt ?? Number.MAX_SAFE_INTEGER,
        after?.id ?? '',
        limit,
      ) as unknown as Row[];
      const known = threads();
      return rows.map((row) => {
        const thread = known.get(row.id);
        return { ...complete({ ...row }), ...(thread === undefined ? {} : { thread }) };
      });
    },
    /** The commands of all sessions in this time that name a commit, in slices, oldest first. */
    commitCommands: (from: number, to: number) =>
      sql(
        `select agent_session as agentSession, source_id as event, text, at,
           (select min(s.at) from chunk s where s.agent_session = chunk.agent_session) as firstAt
         from chunk where source_id in (select source_id from chunk indexed by chunk_recent
           where kind = 'command' and at >= ? and at <= ? and text like '%git%commit%') order by at, row`,
      ).all(from, to) as unknown as (Record<'agentSession' | 'event' | 'text', string> &
        Record<'at' | 'firstAt', number>)[],
    /** The full id of the session with this id or a prefix of it; the newest if several match. */
    find(name: string): string | undefined {
      const found = one<{ id: string }>(
        `select agent_session as id from event where state = 'live' and agent_session <> ''
           and (agent_session = ? or (length(?) >= ? and agent_session >= ? and agent_session < ?))
         order by agent_session = ? desc, at desc limit 1`,
        name,
        name,
        minIdPrefix,
        name,
        `${name}\uffff`,
        name,
      );
      return found?.id;
    },
    /** What a session did in a time. */
    workIn(id: string, { since = 0, until = Number.MAX_SAFE_INTEGER }: AgentSessionFilter): SessionWork {
      const asked = one<{ n: number }>(
        `select count(*) as n from event where agent_session = ? and state = 'live' and kind = 'prompt' and at >= ? and at <= ?`,
        ...[id, since, until],
      );
      return { prompts: asked?.n ?? 0, ...failedAndChanged(id, { since, until }) };
    },
    count({ agent, since, until }: CountedSessions = {}): number {
      return (
        one<{ n: number }>(
          `select count(distinct agent_session) as n from event where state = 'live' and agent_session <> ''
           and ${isOwnSessionSql} and ${isWork} and (? = '' or agent = ?) and at >= ? and at <= ?`,
          agent ?? '',
          agent ?? '',
          since ?? 0,
          until ?? Number.MAX_SAFE_INTEGER,
        )?.n ?? 0
      );
    },
    /** When these sessions worked, or all of them; oldest first. */
    periods(ids?: string[]): Map<string, SessionDigest['periods']> {
      const rows = sql(
        `select agent_session as id, min(at) as "from", max(at) as "to", count(*) as events from (
           select agent_session, at, sum(isNew) over (partition by agent_session order by at) as period from (
             select agent_session, at,
               at - lag(at, 1, at) over (partition by agent_session order by at) >= ${pauseMs} as isNew
             from event where state = 'live' and agent_session <> '' and ${isWork}
               and iif(? = '', ${isOwnSessionSql}, agent_session in (select value from json_each(?)))
           )
         ) group by agent_session, period order by "from"`,
      ).all(ids === undefined ? '' : 'ids', JSON.stringify(ids ?? [])) as unknown as ({
        id: string;
      } & SessionDigest['periods'][number])[];
      return new Map(
        [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => [
          id,
          own.map(({ from, to, events }) => ({ from, to, events })),
        ]),
      );
    },
    eventIds(agentSession: string, limit: number): string[] {
      const rows = sql(
        `select id from event where agent_session = ? and state = 'live' order by at, source_offset, id limit ?`,
      ).all(agentSession, limit) as { id: string }[];
      return rows.map(({ id }) => id);
    },
  };
}
