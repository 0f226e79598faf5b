import type { MemoryFilter } from '../../domain/team-memory-view.ts';
import { here } from './org-transaction.ts';
import { plainText } from './plain-text.ts';

/** Takes a value and returns its placeholder in the statement: `$1`, `$2` and so on. */
export type Bind = (value: unknown) => string;

/** SQL for the kind of a memory: the `kind` in its metadata, or else its source. */
export const kindOf = `coalesce(m.metadata->>'kind', m.source)`;

/** Returns SQL conditions on `memory m` for a filter, with all values bound. `person` is the caller. */
export function memoryFilterSql(filter: MemoryFilter, person: string, bind: Bind): string[] {
  const conditions: string[] = [];
  if (filter.sources !== undefined) conditions.push(`m.source = any(${bind(filter.sources)})`);
  if (filter.kinds !== undefined) conditions.push(`${kindOf} = any(${bind(filter.kinds.map(plainText))})`);
  if (filter.since !== undefined)
    conditions.push(`m.updated >= to_timestamp(${bind(filter.since)}::float8 / 1000)`);
  if (filter.until !== undefined)
    conditions.push(`m.updated <= to_timestamp(${bind(filter.until)}::float8 / 1000)`);
  if (filter.disputed === true)
    conditions.push(
      `m.id in (select d.memory from backstory.note_dispute d where ${here('d')} and d.kept is null)`,
    );
  if (filter.concept !== undefined)
    conditions.push(mentions('concept', `e.target = ${bind(plainText(filter.concept))}`));
  if (filter.file !== undefined) {
    const file = plainPath(filter.file);
    const [path, suffix] = [bind(file), bind(`/${file}`)];
    conditions.push(
      mentions('file', `(e.target = ${path} or right(e.target, length(${suffix}::text)) = ${suffix})`),
    );
  }
  if (filter.folder !== undefined) {
    const folder = `${plainPath(filter.folder).replace(/\/+$/, '')}/`;
    conditions.push(mentions('file', `starts_with(e.target, ${bind(folder)})`));
  }
  if (filter.author !== undefined) {
    const name = bind(filter.author === 'me' ? person : plainText(filter.author));
    conditions.push(`m.author in (select p.id from backstory.principal p
      join backstory.principal h on h.org = p.org and h.id = coalesce(p.person, p.id)
      where p.org = backstory.current_org() and (h.name = ${name} or h.id::text = ${name}))`);
  }
  return conditions;
}

const mentions = (relation: string, condition: string): string =>
  `m.id in (select e.memory from backstory.edge e where ${here('e')} and e.relation = '${relation}' and ${condition})`;

const plainPath = (path: string): string =>
  plainText(path)
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '');
