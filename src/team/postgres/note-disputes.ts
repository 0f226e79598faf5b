import type { Member } from '../../domain/memory.ts';
import type { StatedDispute } from '../../remote/sync-request.ts';
import type { NoteDispute } from '../store/team-store.ts';
import type { Query } from './connect.ts';
import { here } from './org-transaction.ts';

/** SQL condition: this person ($1) or one of their devices wrote the note first. */
export const isOwnNote = `exists (select from backstory.principal p where p.org = c.org and p.id = c.first_author
  and coalesce(p.person, p.id) = $1)`;

/**
 * How many notes one person can keep from teammates' sessions while nobody else disputes them. Without a limit, one member
 * could silence the whole memory of a team.
 */
const maxSilenced = 5;

/**
 * Stores that the caller calls notes of others wrong. A dispute is about the text that the caller has seen, so one of
 * another revision is ignored. Returns those that are stored, and whether each silences its note.
 */
export async function recordDisputes(
  query: Query,
  { person }: Pick<Member, 'person'>,
  disputes: StatedDispute[],
): Promise<{ id: string; silences: boolean }[]> {
  const references = disputes.map(({ id }) => id);
  const notes = await lockNotes(query, references);
  // Two requests of one person must not both count the same free places.
  await query(`select 1 from backstory.note_feed f where ${here('f')} for update`);
  const own = new Set(await ownNotes(query, person, references));
  const stored: { id: string; silences: boolean }[] = [];
  const changed: string[] = [];
  for (const { id: reference, revision, correction = null } of disputes) {
    const note = notes.find(
      ({ source_ref, generation }) => source_ref === reference && generation === revision,
    );
    if (note === undefined || own.has(reference)) continue;
    const agreed = await query(
      `update backstory.note_dispute d set silences = true where ${here('d')} and d.memory = $1 and d.person <> $2
       returning d.memory`,
      [note.id, person],
    );
    const silences = agreed.length > 0 || (await silencedAlone(query, person, note.id)) < maxSilenced;
    const rows = await query(
      `insert into backstory.note_dispute as d (org, project, memory, person, correction, silences)
       values (backstory.current_org(), backstory.current_project(), $1, $2, $3, $4)
       on conflict (org, project, memory, person) do update set correction = excluded.correction,
           silences = excluded.silences
         where d.correction is distinct from excluded.correction or d.silences <> excluded.silences
       returning d.memory`,
      [note.id, person, correction, silences],
    );
    stored.push({ id: reference, silences });
    if (rows.length > 0) changed.push(reference);
  }
  await announceToLaptops(query, changed);
  return stored;
}

/** How many other notes this person silences that nobody else disputes. */
async function silencedAlone(query: Query, person: string, memory: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from backstory.note_dispute d where ${here('d')} and d.person = $1
       and d.memory <> $2 and d.silences and d.kept is null and not exists (select from backstory.note_dispute o
         where o.org = d.org and o.project = d.project and o.memory = d.memory and o.person <> d.person)`,
    [person, memory],
  );
  return row?.count ?? 0;
}

/**
 * Settles disputes: takes back those that the caller has stated, and answers those about the caller's own notes, which
 * hold nevertheless.
 */
export async function settleDisputes(
  query: Query,
  { person }: Pick<Member, 'person'>,
  references: string[],
): Promise<void> {
  const notes = await lockNotes(query, references);
  const own = new Set(await ownNotes(query, person, references));
  const idsOf = (isOwn: boolean): string[] =>
    notes.filter(({ source_ref }) => own.has(source_ref) === isOwn).map(({ id }) => id);
  const settled = [
    ...(await query<{ memory: string }>(
      `delete from backstory.note_dispute d where ${here('d')} and d.memory = any($1) and d.person = $2
       returning d.memory`,
      [idsOf(false), person],
    )),
    ...(await query<{ memory: string }>(
      `update backstory.note_dispute d set kept = now() where ${here('d')} and d.memory = any($1) and d.kept is null
       returning d.memory`,
      [idsOf(true)],
    )),
  ].map(({ memory }) => memory);
  await announceToLaptops(
    query,
    notes.filter(({ id }) => settled.includes(id)).map(({ source_ref }) => source_ref),
  );
}

/** Removes all disputes that a person has stated in the project. */
export async function dropDisputesOf(query: Query, person: string): Promise<void> {
  const removed = await query<{ memory: string }>(
    `delete from backstory.note_dispute d where ${here('d')} and d.person = $1 returning d.memory`,
    [person],
  );
  if (removed.length === 0) return;
  const notes = await query<{ source_ref: string }>(
    `select m.source_ref from backstory.memory m where ${here('m')} and m.id = any($1)`,
    [removed.map(({ memory }) => memory)],
  );
  await announceToLaptops(
    query,
    notes.map(({ source_ref }) => source_ref),
  );
}

interface DisputeRow {
  source_ref: string;
  name: string;
  at: string;
  kept: string | null;
  correction: string | null;
  is_yours: boolean;
  silences: boolean;
}

/** Disputes about the team's notes with these references, oldest first. */
export async function disputesOf(
  query: Query,
  { person }: Pick<Member, 'person'>,
  references: string[],
): Promise<Map<string, NoteDispute[]>> {
  const rows =
    references.length === 0
      ? []
      : await query<DisputeRow>(
          `select m.source_ref, p.name, d.at, d.kept, d.correction, d.person = $2 as is_yours, d.silences
           from backstory.note_dispute d
           join backstory.memory m on m.org = d.org and m.project = d.project and m.id = d.memory
           join backstory.principal p on p.org = d.org and p.id = d.person
           where ${here('d')} and ${here('m')} and m.source = 'note' and m.source_ref = any($1) and m.reader is null
           order by d.at, d.person`,
          [references, person],
        );
  const found = new Map<string, NoteDispute[]>();
  for (const { source_ref, name, at, kept, correction, is_yours, silences } of rows)
    found.set(source_ref, [
      ...(found.get(source_ref) ?? []),
      {
        by: name,
        at,
        isYours: is_yours,
        ...(silences ? {} : { isOverLimit: true as const }),
        ...(correction === null ? {} : { correction }),
        ...(kept === null ? {} : { keptAt: kept }),
      },
    ]);
  return found;
}

/** The lock keeps the texts as they are until the transaction ends. */
const lockNotes = (query: Query, references: string[]) =>
  query<{ id: string; source_ref: string; generation: number }>(
    `select m.id, m.source_ref, m.generation from backstory.memory m where ${here('m')} and m.source = 'note'
       and m.source_ref = any($1) and m.reader is null order by m.id for update`,
    [references],
  );

const ownNotes = async (query: Query, person: string, references: string[]): Promise<string[]> =>
  (
    await query<{ source_ref: string }>(
      `select c.source_ref from backstory.note_change c where ${here('c')} and c.source_ref = any($2)
         and c.reader is null and ${isOwnNote}`,
      [person, references],
    )
  ).map(({ source_ref }) => source_ref);

/** Counts the disputes as a change of their notes, so that every laptop gets them with its next sync. */
async function announceToLaptops(query: Query, references: string[]): Promise<void> {
  if (references.length === 0) return;
  const [feed] = await query<{ version: string }>(
    `update backstory.note_feed f set version = f.version + 1 where ${here('f')} returning f.version`,
  );
  await query(
    `update backstory.note_change c set version = $2 where ${here('c')} and c.source_ref = any($1) and c.reader is null`,
    [references, feed?.version],
  );
}
