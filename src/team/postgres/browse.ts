import type { Member, MemorySource } from '../../domain/memory.ts';
import type { MemoryFilter } from '../../domain/team-memory-view.ts';
import type { TeamMemory } from '../../wire/answers/team.ts';
import { type Bind, kindOf, memoryFilterSql } from './browse-filter.ts';
import type { Query } from './connect.ts';
import { type MemoryRow, memoryOf } from './memories.ts';
import { here } from './org-transaction.ts';
import { plainText } from './plain-text.ts';

interface ShownRow extends MemoryRow {
  kind: string;
  revision: number;
  created: string;
  updated: string;
  visibility: 'team' | 'private';
  author: { id: string; name: string } | null;
  links: string[];
  disputes: { by: string; at: string }[];
}

const maxLinks = 100;
const maxDisputes = 20;

/**
 * Lists and counts a project's memories, in a transaction that has entered it. Private memories of other people are never
 * included, not even in counts.
 */
export function createBrowse(query: Query, member: Member, project: string) {
  const select = async (
    filter: MemoryFilter,
    { order, limit, offset = 0, maxTextLength, conditions: extra = [] }: Selection,
  ): Promise<TeamMemory[]> => {
    const values: unknown[] = [];
    const bind: Bind = (value) => `$${values.push(value)}`;
    const conditions = [
      'm.org = backstory.current_org()',
      'm.project = backstory.current_project()',
      `(m.reader is null or m.reader = ${bind(member.person)})`,
      ...memoryFilterSql(filter, member.person, bind),
      ...extra.map((write) => write(bind)),
    ];
    const text = maxTextLength === undefined ? 'm.text' : `left(m.text, ${bind(maxTextLength)}) as text`;
    const rows = await query<ShownRow>(
      `select m.id as "documentId", m.source, m.source_ref as "sourceRef", ${text}, m.metadata,
         m.embedded_at as "embeddedAt", ${kindOf} as kind,
         m.generation as revision, m.created, m.updated, case when m.reader is null then 'team' else 'private' end as visibility,
         case when h.id is not null then json_build_object('id', h.id, 'name', h.name) end as author, array(select e.relation || ':' || e.target
           from backstory.edge e where ${here('e')}
             and e.memory = m.id
           order by 1 limit ${maxLinks}) as links,
         array(select json_build_object('by', w.name, 'at', d.at) from backstory.note_dispute d
           join backstory.principal w on w.org = d.org and w.id = d.person
           where ${here('d')} and d.memory = m.id
             and d.kept is null and d.silences
           order by d.at limit ${maxDisputes}) as disputes
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
    /** Last changed first. `maxTextLength` truncates each text. */
    async list(
      filter: MemoryFilter,
      { limit, offset, maxTextLength }: { limit: number; offset: number; maxTextLength?: number },
    ) {
      const memories = await select(filter, { order: 'desc', limit: limit + 1, offset, maxTextLength });
      return { memories: memories.slice(0, limit), hasMore: memories.length > limit };
    },
    /** Ids and revisions of the memories of these sources, last changed first. */
    newestRevisions: (sources: MemorySource[], limit: number) =>
      query<{ id: string; revision: number }>(
        `select m.id, m.generation as revision from backstory.memory m where ${here('m')}
           and m.source = any($1) and (m.reader is null or m.reader = $2)
         order by m.updated desc, m.id desc limit $3`,
        [sources, member.person, limit],
      ),
    /**
     * Which of these memories members wrote: their account in the tracker is linked to a member of the project, or to
     * an owner of the organisation.
     */
    writersOf: (ids: string[]) =>
      query<{ memory: string; person: string; name: string }>(
        `select m.id as memory, p.id as person, p.name from backstory.memory m
         join backstory.forge_account a on a.org = m.org and a.account = m.metadata ->> 'account'
         join backstory.principal p on p.org = a.org and p.id = a.principal and p.disabled is null
         left join backstory.membership s on s.org = m.org and s.project = m.project and s.principal = p.id
         where ${here('m')} and m.id = any($1)
           and m.reader is null and (s.role is not null or p.org_role = 'owner')`,
        [ids],
      ),
    /** Returns the memories with these ids that pass the filter, in no particular order. */
    filterIds: (ids: string[], filter: MemoryFilter) =>
      ids.length === 0
        ? Promise.resolve([])
        : select(filter, {
            order: 'desc',
            limit: ids.length,
            conditions: [(bind) => `m.id = any(${bind(ids.map(plainText))})`],
          }),
    /** Returns at most two memories whose id has this prefix, so that the caller can see whether it is unique. */
    findByIdPrefix: (id: string) =>
      select(
        {},
        {
          order: 'desc',
          limit: 2,
          // Ids compare bytewise, and `~` sorts after every character of an id, so this range has exactly the ids
          // with the prefix.
          conditions: [(bind) => `m.id >= ${bind(plainText(id))} and m.id < ${bind(`${plainText(id)}~`)}`],
        },
      ),
    /** Memories changed before and after a memory or a time, oldest first, including the memory itself. */
    async around(
      middle: TeamMemory | number,
      filter: MemoryFilter,
      { before, after }: { before: number; after: number },
    ) {
      const isTime = typeof middle === 'number';
      // For a memory, compare with its stored time: `updated` has microseconds, which the API's milliseconds lose.
      const position = (bind: Bind): string =>
        isTime
          ? `(to_timestamp(${bind(middle)}::float8 / 1000), '')`
          : `((select updated from backstory.memory where org = backstory.current_org() and id = ${bind(middle.documentId)}), ${bind(middle.documentId)})`;
      const side = (order: 'asc' | 'desc', limit: number): Promise<TeamMemory[]> =>
        limit === 0
          ? Promise.resolve([])
          : select(filter, {
              order,
              limit,
              conditions: [(bind) => `(m.updated, m.id) ${order === 'desc' ? '<' : '>'} ${position(bind)}`],
            });
      const earlier = await side('desc', before);
      return [...earlier.reverse(), ...(isTime ? [] : [middle]), ...(await side('asc', after))];
    },
    /** Memories that mention the same files, issues and concepts; those with most in common first. */
    async related(documentId: string, limit: number) {
      const rows = await query<{ memory: string; shared: string }>(
        `select s.memory, count(*) as shared from backstory.edge e
         -- A target that very many memories mention says little, so a sample of them is enough.
         cross join lateral (select o.memory from backstory.edge o where ${here('o')}
           and o.target = e.target and o.relation = e.relation and o.memory <> e.memory limit 50) s
         join backstory.memory m on m.org = e.org and m.project = e.project and m.id = s.memory
         where ${here('e')} and e.memory = $1
           and (m.reader is null or m.reader = $2)
         group by s.memory order by count(*) desc, max(m.updated) desc, s.memory limit $3`,
        [plainText(documentId), member.person, limit],
      );
      const shared = new Map(rows.map((row) => [row.memory, Number(row.shared)]));
      const memories = await select(
        {},
        { order: 'desc', limit, conditions: [(bind) => `m.id = any(${bind([...shared.keys()])})`] },
      );
      return memories
        .map((memory) => ({ memory, shared: shared.get(memory.documentId) ?? 0 }))
        .sort((a, b) => b.shared - a.shared);
    },
    counts: (sinceDays: number) => countMemories(query, member.person, sinceDays),
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
  maxTextLength?: number | undefined;
  conditions?: ((bind: Bind) => string)[];
}

function shownOf(row: ShownRow, project: string): TeamMemory {
  const { kind, author, visibility, revision, created, updated } = row;
  const targets = (relation: string): string[] =>
    row.links
      .filter((link) => link.startsWith(`${relation}:`))
      .map((link) => link.slice(relation.length + 1));
  return {
    ...memoryOf(row, project),
    kind,
    author,
    visibility,
    revision,
    created,
    updated,
    files: targets('file'),
    issues: targets('issue'),
    concepts: targets('concept'),
    ...(row.disputes.length === 0
      ? {}
      : { disputes: row.disputes.map(({ by, at }) => ({ by, at: new Date(at).toISOString() })) }),
  };
}

interface CountRow {
  source: MemorySource | null;
  kind: string | null;
  author: string | null;
  name: string | null;
  day: string | null;
  /** The bit mask of Postgres' `grouping()`: which column this row counts by. */
  grouping: number;
  count: string;
  private: string;
  waiting: string;
  last: string | null;
}

const groupedByNothing = 15;
const groupedBySource = 7;
const groupedByKind = 11;
const groupedByAuthor = 13;
const groupedByDay = 14;
/** Maximum number of memories that statistics count. Counting reads each of them, and a request waits for it. */
const maxCounted = 200_000;
const maxKinds = 50;
const maxAuthors = 200;

async function countMemories(query: Query, person: string, sinceDays: number) {
  // Grouping sets make Postgres read each memory once for all counts.
  const rows = await query<CountRow>(
    `select c.*, h.name from (
       select m.source, m.kind, m.author, m.day, grouping(m.source, m.kind, m.author, m.day) as "grouping",
         count(*) as count, count(*) filter (where m.reader is not null) as private,
         count(*) filter (where m.embedded_at is null) as waiting, max(m.updated) as last
       from (select m.source, left(${kindOf}, 100) as kind, m.reader, m.embedded_at, m.updated,
           coalesce(p.person, p.id) as author,
           case when m.updated > now() - make_interval(days => $2)
             then to_char(m.updated at time zone 'UTC', 'YYYY-MM-DD') end as day
         from (select * from backstory.memory m where ${here('m')} and (m.reader is null or m.reader = $1)
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
  const rowsOf = (grouping: number): CountRow[] => rows.filter((row) => row.grouping === grouping);
  const [all] = rowsOf(groupedByNothing);
  return {
    total: Number(all?.count ?? 0),
    /** There are too many memories to count them all. All numbers then cover only the newest. */
    truncated: Number(all?.count ?? 0) === maxCounted,
    /** Private memories of the caller. */
    private: Number(all?.private ?? 0),
    /** Memories that have no vectors yet and are found only by full-text search. */
    waiting: Number(all?.waiting ?? 0),
    lastAt: all?.last ?? null,
    bySource: rowsOf(groupedBySource).flatMap(({ source, count }) =>
      source === null ? [] : [{ source, count: Number(count) }],
    ),
    byKind: rowsOf(groupedByKind)
      .slice(0, maxKinds)
      .map(({ kind, count }) => ({ kind: kind ?? '', count: Number(count) })),
    byAuthor: rowsOf(groupedByAuthor)
      .slice(0, maxAuthors)
      .map(({ author, name, count }) => ({ id: author, name, count: Number(count) })),
    /** By the UTC day of the last change. Days without changes are omitted. */
    byDay: rowsOf(groupedByDay)
      .flatMap(({ day, count }) => (day === null ? [] : [{ day, count: Number(count) }]))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    model: model ?? null,
  };
}
