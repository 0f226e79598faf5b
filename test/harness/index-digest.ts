import { createHash } from 'node:crypto';
import { openDatabase } from '../../src/base/sqlite.ts';
import { createVectors } from '../../src/store/sqlite/vectors.ts';

/** Digest of the index in a file. Equal for two indexes if and only if they have the same rows, however they were built. */
export function indexDigest(path: string): string {
  const database = openDatabase(path, { readOnly: true });
  try {
    const hash = createHash('sha256');
    const feed = (sql: string) => {
      for (const row of database.prepare(sql).iterate())
        hash.update(`${JSON.stringify(Object.values(row))}\n`);
    };
    feed(`select id, source, source_id, kind, origin, trust, agent, agent_session, turn, branch, at, paths, concepts,
      pinned, topic, terms, text from chunk order by id`);
    feed('select id, kind, state, at, agent, agent_session, turn from event order by id');
    feed('select id, kind, at, agent_session from memo_step order by id');
    feed('select id, path, at, edit from edit order by id');
    feed('select l.hash, e.id from edited_line l join edit e on e.row = l.edit order by l.hash, e.id');
    feed('select term, chunks from team_term order by term');
    feed('select file, note, ties from note order by file');
    // Compare postings by chunk id, because row numbers may differ between two equal indexes.
    database.exec(
      `create virtual table if not exists temp.chunk_posting using fts5vocab (main, chunk_terms, 'instance')`,
    );
    feed(`select p.term, c.id, p.col, p.offset from temp.chunk_posting p join chunk c on c.row = p.doc
      order by p.term, c.id, p.col, p.offset`);
    const idOf = database.prepare('select id from chunk where row = ?');
    const vectors = createVectors(database)
      .all()
      .map(({ row, scale, numbers }) => {
        const { id } = idOf.get(row) as { id: string };
        return `${id} ${scale} ${Buffer.from(numbers).toString('base64')}\n`;
      });
    for (const line of vectors.sort()) hash.update(line);
    return hash.digest('hex');
  } finally {
    database.close();
  }
}
