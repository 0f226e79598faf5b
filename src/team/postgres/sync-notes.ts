import type { Member } from '../../domain/memory.ts';
import type { NoteChange, NoteChanges, NoteState } from '../store/team-store.ts';
import type { Query } from './connect.ts';
import { disputesOf, isOwnNote } from './note-disputes.ts';
import { uuidLiteral } from './org-transaction.ts';
import { type AnnouncedRow, announce } from './outbox.ts';

interface StateRow {
  source_ref: string;
  generation: number | null;
  removed: boolean;
  text: string | null;
  metadata: Record<string, unknown> | null;
}

const stateOf = ({ source_ref, generation, removed, text, metadata }: StateRow): NoteState => ({
  sourceRef: source_ref,
  revision: generation ?? 0,
  isRemoved: removed,
  text: text ?? '',
  metadata: metadata ?? {},
});

export async function noteStates(
  query: Query,
  { person }: Pick<Member, 'person'>,
  sourceRefs: string[],
  isPrivate: boolean,
): Promise<NoteState[]> {
  const reader = isPrivate ? person : null;
  await query(
    `select 1 from backstory.memory where org = backstory.current_org() and project = backstory.current_project()
       and source = 'note' and source_ref = any($1) and reader is not distinct from $2::uuid
     order by id for update`,
    [sourceRefs, reader],
  );
  const rows = await query<StateRow>(
    `select c.source_ref, m.generation, c.removed is not null as removed, m.text, m.metadata
     from backstory.note_change c left join backstory.memory m on m.org = c.org and m.project = c.project
       and m.source = 'note' and m.source_ref = c.source_ref and m.reader is not distinct from c.reader
     where c.org = backstory.current_org() and c.project = backstory.current_project()
       and c.source_ref = any($1) and c.reader is not distinct from $2::uuid`,
    [sourceRefs, reader],
  );
  return rows.map(stateOf);
}

export async function withdrawNotes(
  query: Query,
  { person }: Pick<Member, 'person'>,
  sourceRefs: string[],
): Promise<string[]> {
  // The trigger that records changes reads this setting, so that the person's other devices delete the note too.
  await query(`set local backstory.person = ${uuidLiteral(person)}`);
  const removed = await query<AnnouncedRow>(
    `delete from backstory.memory m using backstory.note_change c
     where m.org = backstory.current_org() and m.project = backstory.current_project() and m.source = 'note'
       and m.source_ref = any($2) and (m.reader is null or m.reader = $1)
       and c.org = m.org and c.project = m.project and c.source_ref = m.source_ref
       and c.reader is not distinct from m.reader and ${isOwnNote}
     returning m.id, m.source, m.source_ref, m.reader`,
    [person, sourceRefs],
  );
  await announce(query, 'memory:removed', removed);
  if (removed.length > 0) await query('select backstory.drop_derived($1)', [removed.map(({ id }) => id)]);
  return removed.map(({ source_ref }) => source_ref);
}

interface ChangeRow extends StateRow {
  version: string;
  is_private: boolean;
  is_yours: boolean;
  is_removed_by_you: boolean;
}

export async function noteChanges(
  query: Query,
  { person }: Pick<Member, 'person'>,
  after: number,
  limit: number,
): Promise<NoteChanges> {
  const [feed] = await query<{ version: string; epoch: string }>(
    `select version, epoch from backstory.note_feed where org = backstory.current_org()
       and project = backstory.current_project()`,
  );
  const newest = Number(feed?.version ?? 0);
  // Several notes can change in one version. `with ties` adds the rest of the last version to the page, because the
  // next request continues after that version.
  const rows = await query<ChangeRow>(
    `select c.source_ref, m.generation, c.removed is not null as removed, m.text, m.metadata, c.version,
       c.reader is not null as is_private, ${isOwnNote} as is_yours,
       coalesce(c.removed_by = $1, false) as is_removed_by_you
     from (select * from backstory.note_change c where c.org = backstory.current_org()
         and c.project = backstory.current_project() and c.version > $2 and (c.reader is null or c.reader = $1)
       order by c.version, c.source_ref fetch first $3 rows with ties) c
     left join backstory.memory m on m.org = backstory.current_org() and m.project = backstory.current_project()
       and m.source = 'note' and m.source_ref = c.source_ref and m.reader is not distinct from c.reader
     order by c.version, c.source_ref`,
    [person, after, limit],
  );
  const isComplete = rows.length < limit;
  const disputes = await disputesOf(
    query,
    { person },
    rows.filter(({ is_private }) => !is_private).map(({ source_ref }) => source_ref),
  );
  const changes = rows.map(
    (row): NoteChange => ({
      ...stateOf(row),
      version: Number(row.version),
      isPrivate: row.is_private,
      isYours: row.is_yours,
      isRemovedByYou: row.is_removed_by_you,
      disputes: (row.is_private ? undefined : disputes.get(row.source_ref)) ?? [],
    }),
  );
  return {
    changes,
    isComplete,
    version: isComplete ? newest : (changes.at(-1)?.version ?? newest),
    epoch: feed?.epoch,
  };
}
