import { unicodeForms } from '../../base/unicode-forms.ts';
import type { ChunkFilter } from '../../domain/chunk.ts';

/** The SQL condition for texts of a team that the user has not accepted, of which there is an index. */
export const unreviewedTeamSql = (prefix: 'c.' | ''): string =>
  `${prefix}origin = 'teammate' and ${prefix}source = 'note' and ${prefix}trust < 2`;

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
  if (filter.unreviewedTeamText !== undefined)
    add(filter.unreviewedTeamText ? unreviewedTeamSql('c.') : `not (${unreviewedTeamSql('c.')})`);
  if (filter.concept !== undefined) {
    add('exists (select 1 from json_each(c.concepts) where value = ?)', filter.concept);
  }
  if (filter.topic !== undefined) add('instr(lower(c.topic), lower(?)) > 0', filter.topic);
  if (filter.file !== undefined) {
    const forms = unicodeForms(filter.file.replaceAll('\\', '/').replace(/^\.?\/+/, ''));
    const isFile = '(f.name = ? and (f.path = ? or substr(f.path, -length(?)) = ?))';
    add(
      `exists (select 1 from chunk_file f where f.chunk = c.row and (${forms.map(() => isFile).join(' or ')}))`,
      ...forms.flatMap((file) => [file.slice(file.lastIndexOf('/') + 1), file, `/${file}`, `/${file}`]),
    );
  }
  if (filter.folder !== undefined) {
    const forms = unicodeForms(`${filter.folder.replaceAll('\\', '/').replace(/^\.?\/+|\/+$/g, '')}/`);
    const isInside = forms.map(() => 'substr(f.path, 1, length(?)) = ?').join(' or ');
    add(
      `exists (select 1 from chunk_file f where f.chunk = c.row and (${isInside}))`,
      ...forms.flatMap((folder) => [folder, folder]),
    );
  }
  return { conditions, values };
}
