import type { StatementSync } from 'node:sqlite';
import { lineHash } from '../../base/hash.ts';
import type { Edit } from '../../domain/edit.ts';

/**
 * Stores edits, searchable by a line that they added or removed. A line hash has 53 bits and is stored as a
 * number, so that a row takes about twelve bytes.
 */
export const editTables = `
create table edit (row integer primary key, id text not null unique, path text not null, at integer not null,
  edit text not null);
create index edit_path on edit (path, at);
create table edited_line (hash integer not null, edit integer not null, primary key (hash, edit)) without rowid;
`;

const blankHash = lineHash('');
/**
 * Converts the hash of a line to a number. Undefined for blank lines, and for lock files, whose edits record only a
 * line count.
 */
const hashNumber = (hash: string): number | undefined =>
  hash === blankHash || !/^[0-9a-f]{14}$/.test(hash) ? undefined : Number.parseInt(hash, 16);

const linesOf = ({ hunks }: Edit): number[] => [
  ...new Set(
    hunks
      .flatMap(({ added, removed }) => [...added, ...removed])
      .map(hashNumber)
      .filter((line) => line !== undefined),
  ),
];

export function createEdits(sql: (text: string) => StatementSync) {
  const parseEdits = (rows: unknown[]): Edit[] =>
    (rows as { edit: string }[]).map(({ edit }) => JSON.parse(edit) as Edit);
  return {
    put(edit: Edit): void {
      const added = sql(
        'insert into edit (id, path, at, edit) values (?, ?, ?, ?) on conflict (id) do nothing',
      ).run(edit.id, edit.path, edit.at, JSON.stringify(edit));
      if (added.changes === 0) return;
      const line = sql('insert into edited_line values (?, ?)');
      for (const hash of linesOf(edit)) line.run(hash, added.lastInsertRowid);
    },

    remove(id: string): void {
      const found = sql('select row, edit from edit where id = ?').get(id) as
        | { row: number; edit: string }
        | undefined;
      if (found === undefined) return;
      const line = sql('delete from edited_line where hash = ? and edit = ?');
      for (const hash of linesOf(JSON.parse(found.edit) as Edit)) line.run(hash, found.row);
      sql('delete from edit where row = ?').run(found.row);
    },

    /**
     * Returns edits that added or removed one of these lines, newest first. For each line only the newest `limit` are
     * read, because very many edits share lines such as a closing brace.
     */
    withLines(hashes: string[], limit: number): Edit[] {
      const lookUp = sql('select edit from edited_line where hash = ? order by edit desc limit ?');
      const rows = new Set<number>();
      for (const hash of new Set(hashes)) {
        const line = hashNumber(hash);
        if (line === undefined) continue;
        for (const { edit } of lookUp.all(line, limit) as { edit: number }[]) rows.add(edit);
      }
      const open = sql(
        'select edit from edit where row in (select value from json_each(?)) order by at desc, id',
      );
      return parseEdits(open.all(JSON.stringify([...rows])));
    },

    ofFile(path: string, limit: number): Edit[] {
      return parseEdits(
        sql('select edit from edit where path = ? order by at desc, id limit ?').all(path, limit),
      );
    },

    hasAny: (): boolean => sql('select 1 from edit limit 1').get() !== undefined,
  };
}
