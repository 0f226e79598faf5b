import type { ChunkFilter } from '../../domain/chunk.ts';

/** Translates a filter to SQL conditions on `chunk c`, with all values bound. */
export function filterSql(filter: ChunkFilter): { conditions: string[]; values: (string | number)[] } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...bound: (string | number)[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (filter.kinds !== undefined)
    add(`c.kind in (${filter.kinds.map(() => '?').join(', ')})`, ...filter.kinds);
  if (filter.source !== undefined) add('c.source = ?', filter.source);
  if (filter.agent !== undefined) add('c.agent = ?', filter.agent);
  if (filter.agentSession !== undefined) add('c.agent_session = ?', filter.agentSession);
  // SQLite uses the partial index on turns only if the query repeats its condition.
  if (filter.turn !== undefined)
    add(`c.turn = ?${filter.turn === '' ? '' : " and c.turn <> ''"}`, filter.turn);
  if (filter.branch !== undefined) add('c.branch = ?', filter.branch);
  if (filter.since !== undefined) add('c.at >= ?', filter.since);
  if (filter.until !== undefined) add('c.at <= ?', filter.until);
  if (filter.minTrust !== undefined) add('c.trust >= ?', filter.minTrust);
  if (filter.pinned !== undefined) add('c.pinned = ?', filter.pinned ? 1 : 0);
  if (filter.concept !== undefined) {
    add('exists (select 1 from json_each(c.concepts) where value = ?)', filter.concept);
  }
  if (filter.file !== undefined) {
    const file = filter.file.replaceAll('\\', '/').replace(/^\.?\/+/, '');
    const name = file.slice(file.lastIndexOf('/') + 1);
    add(
      `exists (select 1 from chunk_file f where f.chunk = c.row and f.name = ? and (f.path = ? or substr(f.path, -length(?)) = ?))`,
      name,
      file,
      `/${file}`,
      `/${file}`,
    );
  }
  if (filter.folder !== undefined) {
    const folder = `${filter.folder.replaceAll('\\', '/').replace(/^\.?\/+|\/+$/g, '')}/`;
    add(
      'exists (select 1 from chunk_file f where f.chunk = c.row and substr(f.path, 1, length(?)) = ?)',
      folder,
      folder,
    );
  }
  return { conditions, values };
}
