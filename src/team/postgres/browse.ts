import type { Member, MemorySource } from '../../domain/memory.ts';
import type { MemoryFilter, ShownMemory } from '../../domain/shown-memory.ts';
import type { MemoryCounts, TeamBrowse } from '../store/team-browse.ts';
import { kindOf, memoryFilterSql } from './browse-filter.ts';
import type { Rows } from './connect.ts';
import { type MemoryRow, memoryOf } from './memories.ts';
import { plainText } from './plain-text.ts';
import type { Bind } from './query-parameters.ts';

interface ShownRow extends MemoryRow {
  kind: string;
  revision: number;
  created: Date;
  updated: Date;
  is_private: boolean;
  author_id: string | null;
  author_name: string | null;
  links: string[];
}

const maxLinks = 100;

/** What the asker may look at in the project that the transaction has entered. */
export function createBrowse(query: Rows, member: Member, project: string): TeamBrowse {
  const shown = async (
    filter: MemoryFilter,
    { order, limit, offset = 0, longestText, more = [] }: Selection,
  ): Promise<ShownMemory[]> => {
    const values: unknown[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const conditions = [
      'm.org = backstory.current_org()',
      'm.project = backstory.current_project()',
      `(m.reader is null or m.reader = ${bind(member.person)})`,
      ...memoryFilterSql(filter, member.person, bind),
      ...more.map((write) => write(bind)),
    ];
    const text = longestText === undefined ? 'm.text' : `left(m.text, ${bind(longestText)}) as text`;
    const rows = await query<ShownRow>(
      `select m.id, m.source, m.source_ref, ${text}, m.metadata, m.embedded_at, ${kindOf} as kind,
         m.generation as revision, m.created, m.updated, m.reader is not null as is_private,
         h.id as author_id, h.name as author_name, array(select e.relation || ':' || e.target
           from backstory.edge e where e.org = m.org and e.project = m.project and e.memory = m.id
           order by 1 limit ${maxLinks}) as links
       from (select m.* from backstory.memory m where ${conditions.join(' and ')}
         order by m.updated ${order}, m.id ${order} limit ${bind(limit)} offset ${bind(offset)}) m
       left join backstory.principal p on p.org = m.org and p.id = m.author
       left join backstory.principal h on h.org = p.org and h.id = coalesce(p.person, p.id)
       order by m.updated ${order}, m.id ${order}`,
      values,
    );
    return rows.map((row) => shownOf(row, project));
  };

  return {
    async list(filter, { limit, offset, longestText }) {
      const memories = await shown(filter, { order: 'desc', limit: limit + 1, offset, longestText });
      return { memories: memories.slice(0, limit), hasMore: memories.length > limit };
    },
    among: (ids, filter) =>
      ids.length === 0
        ? Promise.resolve([])
        : shown(filter, {
            order: 'desc',
            limit: ids.length,
            more: [(bind) => `m.id = any(${bind(ids.map(plainText))})`],
          }),
    beginningWith: (id) =>
      shown(
        {},
        {
          order: 'desc',
          limit: 2,
          // Ids compare by their bytes, and no character of one comes after this.
          more: [(bind) => `m.id >= ${bind(plainText(id))} and m.id < ${bind(`${plainText(id)}~`)}`],
        },
      ),
    async around(middle, filter, { before, after }) {
      const isMoment = typeof middle === 'number';
      // In milliseconds a moment lies before some of what happened in it; a memory is its own measure.
      const place = (bind: Bind): string =>
        isMoment
          ? `(to_timestamp(${bind(middle)}::float8 / 1000), '')`
          : `((select updated from backstory.memory where org = m.org and id = ${bind(middle.documentId)}), ${bind(middle.documentId)})`;
      const side = (order: 'asc' | 'desc', limit: number): Promise<ShownMemory[]> =>
        limit === 0
          ? Promise.resolve([])
          : shown(filter, {
              order,
              limit,
              more: [(bind) => `(m.updated, m.id) ${order === 'desc' ? '<' : '>'} ${place(bind)}`],
            });
      const earlier = await side('desc', before);
      return [...earlier.reverse(), ...(isMoment ? [] : [middle]), ...(await side('asc', after))];
    },
    async related(documentId, limit) {
      const rows = await query<{ memory: string; shared: string }>(
        `select s.memory, count(*) as shared from backstory.edge e
         -- What very many speak of ties nothing together; some of them are enough to look at.
         cross join lateral (select o.memory from backstory.edge o where o.org = e.org and o.project = e.project
           and o.target = e.target and o.relation = e.relation and o.memory <> e.memory limit 50) s
         join backstory.memory m on m.org = e.org and m.project = e.project and m.id = s.memory
         where e.org = backstory.current_org() and e.project = backstory.current_project() and e.memory = $1
           and (m.reader is null or m.reader = $2)
         group by s.memory order by count(*) desc, max(m.updated) desc, s.memory limit $3`,
        [plainText(documentId), member.person, limit],
      );
      const shared = new Map(rows.map((row) => [row.memory, Number(row.shared)]));
      const memories = await shown(
        {},
        { order: 'desc', limit, more: [(bind) => `m.id = any(${bind([...shared.keys()])})`] },
      );
      return memories
        .map((memory) => ({ memory, shared: shared.get(memory.documentId) ?? 0 }))
        .sort((a, b) => b.shared - a.shared);
    },
    links: (ids, limit) =>
      query(
        `select e.memory, e.relation, e.target from backstory.edge e where e.org = backstory.current_org()
           and e.project = backstory.current_project() and e.memory = any($1)
         order by e.memory, e.relation, e.target limit $2`,
        [ids.map(plainText), limit],
      ),
    counts: (sinceDays) => countMemories(query, member.person, sinceDays),
    async project() {
      const [row] = await query<{ name: string }>(
        'select name from backstory.project where org = backstory.current_org() and id = backstory.current_project()',
      );
      return { id: project, name: row?.name ?? '' };
    },
  };
}

interface Selection {
  order: 'asc' | 'desc';
  limit: number;
  offset?: number;
  longestText?: number | undefined;
  more?: ((bind: Bind) => string)[];
}

function shownOf(row: ShownRow, project: string): ShownMemory {
  const named = (relation: string): string[] =>
    row.links
      .filter((link) => link.startsWith(`${relation}:`))
      .map((link) => link.slice(relation.length + 1));
  return {
    ...memoryOf(row, project),
    kind: row.kind,
    author: row.author_id === null ? null : { id: row.author_id, name: row.author_name ?? '' },
    visibility: row.is_private ? 'private' : 'team',
    revision: row.revision,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
    files: named('file'),
    issues: named('issue'),
    concepts: named('concept'),
  };
}

interface CountRow {
  source: MemorySource | null;
  kind: string | null;
  author: string | null;
  name: string | null;
  day: string | null;
  /** Which of the columns this row is about, as Postgres numbers them. */
  about: number;
  count: string;
  private: string;
  waiting: string;
  last: Date | null;
}

const aboutAll = 15;
const aboutSource = 7;
const aboutKind = 11;
const aboutAuthor = 13;
const aboutDay = 14;
/** Each has to be looked at, and somebody waits for the numbers. */
const maxCounted = 200_000;
const maxKinds = 50;
const maxAuthors = 200;

async function countMemories(query: Rows, person: string, sinceDays: number): Promise<MemoryCounts> {
  // One look at each memory for all of the numbers.
  const rows = await query<CountRow>(
    `select c.*, h.name from (
       select m.source, m.kind, m.author, m.day, grouping(m.source, m.kind, m.author, m.day) as about,
         count(*) as count, count(*) filter (where m.reader is not null) as private,
         count(*) filter (where m.embedded_at is null) as waiting, max(m.updated) as last
       from (select m.source, left(${kindOf}, 100) as kind, m.reader, m.embedded_at, m.updated,
           coalesce(p.person, p.id) as author,
           case when m.updated > now() - make_interval(days => $2)
             then to_char(m.updated at time zone 'UTC', 'YYYY-MM-DD') end as day
         from (select * from backstory.memory m where m.org = backstory.current_org()
             and m.project = backstory.current_project() and (m.reader is null or m.reader = $1)
           order by m.updated desc limit $3) m
         left join backstory.principal p on p.org = m.org and p.id = m.author) m
       group by grouping sets ((), (m.source), (m.kind), (m.author), (m.day))) c
     left join backstory.principal h on h.org = backstory.current_org() and h.id = c.author
     order by c.count desc, c.source, c.kind, h.name, c.day`,
    [person, sinceDays, maxCounted],
  );
  const [model] = await query<{ name: string; dims: number }>(
    `select m.name, m.dims from backstory.project p join backstory.model m on m.org = p.org and m.id = p.model
     where p.org = backstory.current_org() and p.id = backstory.current_project()`,
  );
  const about = (number: number): CountRow[] => rows.filter((row) => row.about === number);
  const [all] = about(aboutAll);
  return {
    total: Number(all?.count ?? 0),
    truncated: Number(all?.count ?? 0) === maxCounted,
    private: Number(all?.private ?? 0),
    waiting: Number(all?.waiting ?? 0),
    lastAt: all?.last?.toISOString() ?? null,
    bySource: about(aboutSource).flatMap(({ source, count }) =>
      source === null ? [] : [{ source, count: Number(count) }],
    ),
    byKind: about(aboutKind)
      .slice(0, maxKinds)
      .map(({ kind, count }) => ({ kind: kind ?? '', count: Number(count) })),
    byAuthor: about(aboutAuthor)
      .slice(0, maxAuthors)
      .map(({ author, name, count }) => ({ id: author, name, count: Number(count) })),
    byDay: about(aboutDay)
      .flatMap(({ day, count }) => (day === null ? [] : [{ day, count: Number(count) }]))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    model: model ?? null,
  };
}
