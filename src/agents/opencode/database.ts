import { existsSync } from 'node:fs';
import { type Json, parseObject, record, text, whole } from '../../base/json.ts';
import { openDatabase } from '../../base/sqlite.ts';

export type OpenCodeSession = ReturnType<typeof sessionOf>;
export type OpenCodeRow = ReturnType<typeof rowOf>;

const busyTimeoutMs = 2_000;

export type OpenCodeDatabase = NonNullable<ReturnType<typeof openOpenCode>>;

/** OpenCode's SQLite database. It is opened read-only, and only while one session is read. */
export function openOpenCode(file: string) {
  if (!existsSync(file)) return undefined;
  const database = openDatabase(file, { readOnly: true, timeout: busyTimeoutMs });
  const all = (sql: string, ...values: string[]): Json[] =>
    database
      .prepare(sql)
      .all(...values)
      .map(record);
  return {
    sessions: () => all('select * from session order by time_created').map(sessionOf),
    session: (id: string) => all('select * from session where id = ?', id).map(sessionOf)[0],
    children: (id: string) =>
      all('select id from session where parent_id = ? order by id', id).map((row) => text(row.id)),
    /** Messages since a time, in order. */
    *messages(session: string, from: number) {
      const sql =
        'select * from message where session_id = ? and time_created >= ? order by time_created, id';
      for (const row of database.prepare(sql).iterate(session, from)) yield rowOf(record(row));
    },
    parts: (message: string) =>
      all('select * from part where message_id = ? order by id', message).map(rowOf),
    /** A value that changes when the session changes; undefined if the session is empty. */
    stamp(session: string) {
      const sql = 'select count(*) as count, max(time_updated) as newest from part where session_id = ?';
      const message = 'select max(time_updated) as newest from message where session_id = ?';
      const [parts] = all(sql, session);
      return parts?.count === 0
        ? undefined
        : `${parts?.count}:${parts?.newest}:${all(message, session)[0]?.newest}`;
    },
    close: () => database.close(),
  };
}

/** Columns that another version does not have are treated as empty. */
const sessionOf = (row: Json) => ({
  id: text(row.id),
  parent: text(row.parent_id),
  directory: text(row.directory),
  version: text(row.version),
  agent: text(row.agent),
  title: text(row.title),
  created: whole(row.time_created),
  updated: whole(row.time_updated),
});

/** A message or a part of one. `value` is OpenCode's JSON. */
const rowOf = (row: Json) => ({
  id: text(row.id),
  created: whole(row.time_created),
  value: parseObject(text(row.data)) ?? {},
});
