import type { Member } from '../../domain/memory.ts';
import type { NoteChange, NoteState } from '../store/team-store.ts';
import { rememberRemover } from './authorship.ts';
import type { Query } from './connect.ts';
import { removeMemories } from './memories.ts';
import { disputesOf, isOwnNote } from './note-disputes.ts';
import { here } from './org-transaction.ts';

/** SQL for the columns of `NoteState`, of `note_change c` and `memory m`. */
const stateColumns = `c.source_ref as "sourceRef", coalesce(m.generation, 0) as revision, c.removed is not null as "isRemoved",
  coalesce(m.text, '') as text, coalesce(m.metadata, '{}') as metadata, ${isOwnNote} as "isYours"`;

export async function noteStates(
  query: Query,
  { person }: Pick<Member, 'person'>,
  sourceRefs: string[],
): Promise<NoteState[]> {
  await query(
    `select 1 from backstory.memory where ${here()}
       and source = 'note' and source_ref = any($1) and reader is null
     order by id for update`,
    [sourceRefs],
  );
  return query<NoteState>(
    `select ${stateColumns}
     from backstory.note_change c left join backstory.memory m on m.org = c.org and m.project = c.project
       and m.source = 'note' and m.source_ref = c.source_ref and m.reader is null
     where ${here('c')}
       and c.source_ref = any($2) and c.reader is null`,
    [person, sourceRefs],
  );
}

export async function withdrawNotes(
  query: Query,
  { person }: Pick<Member, 'person'>,
  sourceRefs: string[],
): Promise<string[]> {
  await rememberRemover(query, { person });
  const removed = await removeMemories(
    query,
    `m.source = 'note' and m.source_ref = any($2) and (m.reader is null or m.reader = $1)
       and exists (select from backstory.note_change c where ${here('c')} and c.source_ref = m.source_ref
         and c.reader is not distinct from m.reader and ${isOwnNote})`,
    [person, sourceRefs],
  );
  return removed.map(({ source_ref }) => source_ref);
}

export async function noteChanges(
  query: Query,
  { person }: Pick<Member, 'person'>,
  after: number,
  limit: number,
) {
  const [feed] = await query<{ version: string; epoch: string }>(
    `select version, epoch from backstory.note_feed where ${here()}`,
  );
  const newest = Number(feed?.version ?? 0);
  // Several notes can change in one version. `with ties` adds the rest of the last version to the page, because the
  // next request continues after that version.
  const rows = await query<Omit<NoteChange, 'disputes' | 'by'> & { isPrivate: boolean; by: string | null }>(
    `select ${stateColumns}, c.version::float8 as version, c.reader is not null as "isPrivate",
       coalesce(c.removed_by = $1, false) as "isRemovedByYou", h.name as by
     from (select * from backstory.note_change c where ${here('c')} and c.version > $2 and (c.reader is null or c.reader = $1)
       order by c.version, c.source_ref fetch first $3 rows with ties) c
     left join backstory.memory m on ${here('m')}
       and m.source = 'note' and m.source_ref = c.source_ref and m.reader is not distinct from c.reader
     left join backstory.principal p on p.org = c.org
       and p.id = case when c.removed is null then m.author else c.removed_by end
     left join backstory.principal h on h.org = p.org and h.id = coalesce(p.person, p.id)
     order by c.version, c.source_ref`,
    [person, after, limit],
  );
  const isComplete = rows.length < limit;
  const disputes = await disputesOf(
    query,
    { person },
    rows.filter(({ isPrivate }) => !isPrivate).map(({ sourceRef }) => sourceRef),
  );
  const changes = rows.map(
    ({ isPrivate, by, ...change }): NoteChange => ({
      ...change,
      by: by ?? undefined,
      disputes: (isPrivate ? undefined : disputes.get(change.sourceRef)) ?? [],
    }),
  );
  return {
    changes,
    isComplete,
    /** Pass it to get the next page. */
    version: isComplete ? newest : (changes.at(-1)?.version ?? newest),
    epoch: feed?.epoch,
  };
}
