import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from '../../../src/base/json.ts';
import { jsonLines, type Place, type Recording, recordedText } from './recording.ts';

const folder = 'opencode-1.18.33';
const decision = 'We decided to keep the cache in memory because the disk cache served stale pages.';

/** The columns of OpenCode's tables that the adapter reads. */
const tables: Record<string, string[]> = {
  session: ['id', 'parent_id', 'directory', 'version', 'agent', 'time_created', 'time_updated', 'title'],
  message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_created', 'time_updated', 'data'],
};

type Row = Record<string, unknown>;

export const openCodeRows = (place: Place): Row[] =>
  jsonLines(recordedText(join(folder, 'rows.jsonl'), place));

export function writeDatabase({ home }: Place, rows: Row[]): string {
  const file = join(home, '.local/share/opencode/opencode.db');
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  for (const [table, columns] of Object.entries(tables)) {
    database.exec(`create table if not exists ${table} (${columns.join(', ')}, primary key (id))`);
    const insert = database.prepare(
      `insert or replace into ${table} values (${columns.map(() => '?').join(', ')})`,
    );
    database.exec('begin');
    for (const row of rows.filter((each) => each.table === table)) {
      insert.run(...columns.map((column) => (row[column] ?? null) as string | number | null));
    }
    database.exec('commit');
  }
  database.close();
  return file;
}

export const openCodeRecordings: Recording[] = [
  {
    agent: 'opencode',
    title: 'tools, a subagent, resume, fork and a compaction',
    play: (place) => {
      const rows = openCodeRows(place);
      const file = writeDatabase(place, rows);
      const sessions = rows.filter(({ table }) => table === 'session').map(({ id }) => `${file}#${text(id)}`);
      return { calls: jsonLines(recordedText(join(folder, 'calls.jsonl'), place)), transcripts: sessions };
    },
    prompts: [`${decision} Please change it.`, 'second question', 'third question', 'fourth question'],
    answers: [
      'Moved the cache.',
      'Second answer.',
      'Third answer.',
      'Compacted answer.',
      'Went on after it.',
    ],
    edits: ['cache.ts', 'docs/cache.md'],
    commands: [
      { command: 'echo broken; exit 3', ok: false, exit: 3 },
      { command: 'echo fine', ok: true, exit: 0 },
    ],
    compactions: 1,
    subagents: [{ type: 'general', kinds: ['answer', 'prompt', 'usage'] }],
  },
];
