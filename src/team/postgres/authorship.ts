import { AppError } from '../../base/errors.ts';
import type { Member, MemorySource } from '../../domain/memory.ts';
import {
  type Author,
  isForeign,
  mayReplace,
  notYours,
  withoutSignature,
  writesForAll,
} from '../people/authorship.ts';
import type { ModelName, PreparedMemory, SavedMemory } from '../store/team-store.ts';
import type { Query } from './connect.ts';
import { removeMemories, saveMemories } from './memories.ts';
import { here, uuidLiteral } from './org-transaction.ts';

/** The person and their devices. */
const principalsOf = async (query: Query, { person }: Member): Promise<string[]> =>
  (
    await query<{ id: string }>(
      `select p.id from backstory.principal p where p.org = backstory.current_org() and $1 in (p.id, p.person)`,
      [person],
    )
  ).map(({ id }) => id);

interface AuthoredRow {
  id: string;
  author: Author;
}

const foreignIn = (rows: AuthoredRow[], own: string[]): AuthoredRow[] =>
  rows.filter(({ author }) => isForeign(author, own));

/**
 * Saves memories of the caller. Throws FORBIDDEN if one would replace the text of somebody else. Every write with a token
 * goes through here.
 */
export async function saveAs(
  query: Query,
  member: Member,
  memories: PreparedMemory[],
  model: ModelName | undefined,
): Promise<SavedMemory[]> {
  if (member.kind === 'webhook') return saveMemories(query, member, memories, model);
  const unsigned = memories.map((memory) => ({ ...memory, metadata: withoutSignature(memory.metadata) }));
  const own = await principalsOf(query, member);
  const known = await query<AuthoredRow>(
    `select m.id, m.author from backstory.memory m where ${here('m')} and m.id = any($1) order by m.id for update`,
    [memories.map(({ documentId }) => documentId)],
  );
  const saved = await saveMemories(query, member, unsigned, model);
  const changed = new Set(saved.filter(({ isChanged }) => isChanged).map(({ documentId }) => documentId));
  // These errors roll the transaction back.
  const replaced = foreignIn(known, own).filter(({ id }) => changed.has(id));
  await refuseOthers(query, member, own, replaced);
  const ids = new Set(known.map(({ id }) => id));
  if (saved.some(({ documentId, isReplaced }) => isReplaced && !ids.has(documentId))) throw savedAtOnce();
  const claimed = await claimNotes(
    query,
    member,
    own,
    unsigned.filter(({ documentId }) => changed.has(documentId)),
  );
  for (const { id, author } of new Map([...claimed, ...replaced].map((one) => [one.id, one])).values())
    await writeMemberAudit(query, member, 'memory.replace', id, { author });
  return saved.map(({ isReplaced: _, ...memory }) => memory);
}

/**
 * A note belongs to whoever wrote it first, also after it was removed, so that nobody brings it back under another name.
 * Returns those that an operator takes over here.
 */
async function claimNotes(
  query: Query,
  member: Member,
  own: string[],
  notes: PreparedMemory[],
): Promise<AuthoredRow[]> {
  const ids = new Map(
    notes
      .filter(({ source, reader }) => source === 'note' && reader === undefined)
      .map(({ sourceRef, documentId }) => [sourceRef, documentId]),
  );
  if (ids.size === 0) return [];
  const known = await query<{ source_ref: string; author: string | null }>(
    `select m.source_ref, m.first_author as author from backstory.note_change m
     where ${here('m')} and m.source_ref = any($1) and m.reader is null`,
    [[...ids.keys()]],
  );
  const foreign = foreignIn(
    known.map(({ source_ref, author }) => ({ id: source_ref, author })),
    own,
  );
  if (foreign.length === 0) return [];
  await refuseOthers(query, member, own, foreign);
  await query(
    `update backstory.note_change m set first_author = $2 where ${here('m')} and m.source_ref = any($1) and m.reader is null`,
    [foreign.map(({ id }) => id), member.principal],
  );
  return foreign.map(({ id, author }) => ({ id: ids.get(id) ?? id, author }));
}

/**
 * Removes a memory, and records who did. Returns its author; undefined if there is no such memory. Throws FORBIDDEN if
 * it is of somebody else.
 */
export async function removeAs(
  query: Query,
  member: Member,
  which: { documentId: string } | { source: MemorySource; sourceRef: string },
): Promise<{ author: string | null } | undefined> {
  const named = 'documentId' in which ? 'm.id = $2' : 'm.source = $2 and m.source_ref = $3';
  const condition = `(m.reader is null or m.reader = $1) and ${named}`;
  const values = [member.person, ...Object.values(which)];
  if (member.kind === 'webhook')
    return (await removeMemories(query, condition, values)).length > 0
      ? { author: member.principal }
      : undefined;
  const rows = await query<AuthoredRow>(
    `select m.id, m.author from backstory.memory m where ${here('m')} and ${condition} order by m.id for update`,
    values,
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const own = await principalsOf(query, member);
  const [foreign] = foreignIn(rows, own);
  await refuseOthers(query, member, own, rows);
  await rememberRemover(query, member);
  await removeMemories(query, condition, values);
  return { author: (foreign ?? first).author };
}

/** The trigger that records changes of notes reads this setting. */
export const rememberRemover = (query: Query, { person }: Pick<Member, 'person'>) =>
  query(`set local backstory.person = ${uuidLiteral(person)}`);

/** Of these sources, the references of those that the caller may replace and remove. */
export async function writableSources(
  query: Query,
  member: Member,
  source: MemorySource,
  sourceRefs: string[],
): Promise<string[]> {
  if (writesForAll(member) || sourceRefs.length === 0) return sourceRefs;
  const rows = await query<AuthoredRow>(
    `select m.source_ref as id, m.author from backstory.memory m where ${here('m')} and m.source = $1
       and m.source_ref = any($2) and m.reader is null`,
    [source, sourceRefs],
  );
  const foreign = new Set(foreignIn(rows, await principalsOf(query, member)).map(({ id }) => id));
  return sourceRefs.filter((ref) => !foreign.has(ref));
}

/** Somebody else saved the memory after this transaction looked who may replace it. */
const savedAtOnce = (): AppError =>
  new AppError('BACKEND_FAILURE', 'this memory was saved by two requests at once', {
    hint: 'Try again',
    retryable: true,
  });

/** Throws FORBIDDEN if the caller may not replace or remove one of these. */
async function refuseOthers(query: Query, member: Member, own: string[], rows: AuthoredRow[]): Promise<void> {
  const refused = rows.find(({ author }) => !mayReplace(member, own, author));
  if (refused === undefined) return;
  const [by] = await query<{ name: string }>(
    `select h.name from backstory.principal p
     join backstory.principal h on h.org = p.org and h.id = coalesce(p.person, p.id)
     where p.org = backstory.current_org() and p.id = $1`,
    [refused.author],
  );
  throw notYours(member, by?.name);
}

export const writeMemberAudit = (
  query: Query,
  { principal }: Pick<Member, 'principal'>,
  action: string,
  subject: string,
  detail: Record<string, unknown> = {},
) =>
  query(
    `insert into backstory.audit (org, principal, action, project, subject, detail)
     values (backstory.current_org(), $1, $2, backstory.current_project(), $3, $4)`,
    [principal, action, subject, JSON.stringify(detail)],
  );
