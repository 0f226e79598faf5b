import { sha256 } from '../../base/ids.ts';
import type { Member, MemorySource } from '../../domain/memory.ts';
import { trustOfTags } from '../../domain/memory.ts';
import { harmless, mapStrings } from '../../text/fence.ts';
import { termsOf } from '../../text/words.ts';
import type { StoredMemory } from '../../wire/answers/team.ts';
import type { MemoryPage, ModelName, PreparedMemory, SavedMemory } from '../store/team-store.ts';
import type { Query } from './connect.ts';
import { enqueue } from './jobs.ts';
import { here } from './org-transaction.ts';
import { type AnnouncedRow, announce } from './outbox.ts';
import { plainText } from './plain-text.ts';
import { vectorOf } from './text-query.ts';
import { countVectors, insertVectors, type KnownModel, knownModel } from './vectors.ts';

interface SavedRow extends AnnouncedRow {
  generation: number;
  embeddedAt: string | null;
}

/**
 * Saves memories and their slices (the parts that a text is split into), links and vectors. Rows are written in order
 * of their ids, so that two writers of the same memories wait for each other instead of deadlocking. If two inputs
 * have the same source, the last one wins. Vectors that are missing are left to a job.
 */
export async function saveMemories(
  query: Query,
  member: Pick<Member, 'principal'>,
  memories: PreparedMemory[],
  embeddedBy: ModelName | undefined,
): Promise<(SavedMemory & { isReplaced: boolean })[]> {
  const known = embeddedBy === undefined ? undefined : await knownModel(query, embeddedBy);
  const model = known === undefined || (await leavesVectorsToJob(query, memories, known)) ? undefined : known;
  const last = new Map(memories.map((memory) => [memory.documentId, memory]));
  const inOrder = [...last.values()].sort((a, b) => (a.documentId < b.documentId ? -1 : 1));
  const rows = inOrder.map((memory) => rowOf(memory, model));
  const changed = await query<SavedRow>(upsert, [member.principal, JSON.stringify(rows)]);
  // For the others, the job that adds the vectors writes the event.
  await announce(
    query,
    'memory:indexed',
    changed.filter(({ embeddedAt }) => embeddedAt !== null),
  );
  const states = new Map(changed.map((row) => [row.id, row]));
  const written = inOrder.filter(({ documentId }) => states.has(documentId));
  if (written.length > 0) {
    const replaced = changed.filter(({ generation }) => generation > 1).map(({ id }) => id);
    if (replaced.length > 0) await dropDerived(query, replaced);
    await saveDerived(query, written, states, model);
  }
  const unchanged = await statesOf(
    query,
    memories.filter(({ documentId }) => !states.has(documentId)),
  );
  const stored = new Map(unchanged.map((row) => [row.id, row]));
  const saved = memories.map(({ documentId: id }) => ({
    documentId: id,
    isChanged: states.has(id),
    embeddedAt: (states.get(id) ?? stored.get(id))?.embeddedAt ?? null,
    isReplaced: (states.get(id)?.generation ?? 1) > 1,
  }));
  // Full-text search finds the memories at once.
  if (saved.some(({ embeddedAt }) => embeddedAt === null)) await enqueue(query, false);
  return saved;
}

/**
 * If there are at most this many vectors, as for a note written by hand, they are always saved at once and never left
 * to a job.
 */
const maxImmediateVectors = 16;

/** Inserting many vectors into a large index takes longer than a request may, so the job does it. */
async function leavesVectorsToJob(
  query: Query,
  memories: PreparedMemory[],
  { number }: KnownModel,
): Promise<boolean> {
  if (memories.reduce((sum, { slices }) => sum + slices.length, 0) <= maxImmediateVectors) return false;
  const [row] = await query<{ isIndexed: boolean }>(
    `select backstory.has_vector_index(backstory.current_org(), backstory.current_project(), $1) as "isIndexed"`,
    [number],
  );
  return row?.isIndexed === true;
}

const statesOf = async (
  query: Query,
  memories: PreparedMemory[],
): Promise<Pick<SavedRow, 'id' | 'embeddedAt'>[]> =>
  memories.length === 0
    ? []
    : query(
        `select id, embedded_at as "embeddedAt" from backstory.memory
         where id = any($1) and org = backstory.current_org()`,
        [memories.map(({ documentId }) => documentId)],
      );

const upsert = `
  insert into backstory.memory as m (org, project, id, source, source_ref, text, metadata, hash, author, reader,
    embedded_at)
  select backstory.current_org(), backstory.current_project(), id, source, source_ref, text, metadata,
    decode(hash, 'hex'), $1::uuid, reader, case when embedded then now() end
  from json_to_recordset($2) as put (id text, source text, source_ref text, text text, metadata jsonb, hash text,
    reader uuid, embedded boolean)
  on conflict (org, project, source, source_ref, reader) do update set text = excluded.text,
    metadata = excluded.metadata, hash = excluded.hash, author = excluded.author, updated = excluded.updated,
    generation = m.generation + 1, embedded_at = excluded.embedded_at
  where m.hash <> excluded.hash
  returning m.id, m.source, m.source_ref, m.reader, m.generation, m.embedded_at as "embeddedAt"`;

const rowOf = (memory: PreparedMemory, model: KnownModel | undefined) => {
  const text = plainText(memory.text);
  const metadata = plainText(JSON.stringify(memory.metadata));
  return {
    id: memory.documentId,
    source: memory.source,
    source_ref: plainText(memory.sourceRef),
    text,
    metadata: JSON.parse(metadata) as unknown,
    hash: sha256(`${metadata}\0${text}`),
    reader: memory.reader ?? null,
    embedded: isEmbedded(memory, model),
  };
};

/** Whether every slice has a vector. Set by the upsert, because a second statement would write the row twice. */
const isEmbedded = ({ slices }: PreparedMemory, model: KnownModel | undefined): boolean =>
  model !== undefined && slices.every(({ vector }) => vector !== undefined);

async function saveDerived(
  query: Query,
  memories: PreparedMemory[],
  states: Map<string, SavedRow>,
  model: KnownModel | undefined,
): Promise<void> {
  const slices = memories.flatMap((memory) => memory.slices.map((slice) => ({ memory, slice })));
  const sliceRow = ({ memory, slice }: (typeof slices)[number], terms: ReturnType<typeof termsOf>) => ({
    id: slice.id,
    source: memory.source,
    source_id: memory.documentId,
    generation: states.get(memory.documentId)?.generation,
    reader: memory.reader ?? null,
    at: memory.at,
    length: terms.words.length + terms.idents.length,
    terms: vectorOf(terms),
    text: plainText(slice.text),
  });
  const inserted: { id: string; seq: string }[] = [];
  let termCount = 0;
  for (const batch of inBatches(slices)) {
    // Split the texts into terms batch by batch, because Postgres ends a transaction that is idle for too long
    // between statements.
    const rows = batch.map((entry) => sliceRow(entry, termsOf(entry.slice.text)));
    termCount += rows.reduce((sum, { length }) => sum + length, 0);
    inserted.push(...(await query<{ id: string; seq: string }>(insertSlices, [JSON.stringify(rows)])));
  }
  const links = memories.flatMap(({ documentId, links: own }) =>
    own.map(({ relation, target }) => ({ memory: documentId, relation, target: plainText(target) })),
  );
  if (links.length > 0) await query(insertLinks, [JSON.stringify(links)]);
  const seqOf = new Map(inserted.map(({ id, seq }) => [id, seq]));
  const vectors = slices.flatMap(({ memory, slice: { id, vector } }) => {
    const seq = seqOf.get(id);
    return vector === undefined || seq === undefined
      ? []
      : [{ chunk: seq, reader: memory.reader ?? null, vector }];
  });
  const vectorCount = model === undefined ? 0 : await insertVectors(query, model, vectors);
  await query(
    `update backstory.project set chunks = chunks + $1, terms = terms + $2, model = coalesce(model, $3)
     where org = backstory.current_org() and id = backstory.current_project()`,
    [inserted.length, termCount, vectorCount === 0 ? null : model?.number],
  );
  if (model !== undefined && vectorCount > 0) await countVectors(query, model, vectorCount);
}

const sliceBatchSize = 1_000;

/** Keeps each statement below the statement timeout. */
const inBatches = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / sliceBatchSize) }, (_, at) =>
    all.slice(at * sliceBatchSize, (at + 1) * sliceBatchSize),
  );

const insertSlices = `
  insert into backstory.chunk (org, project, id, source, source_id, generation, reader, at, length, terms, text)
  select backstory.current_org(), backstory.current_project(), id, source, source_id, generation, reader, at, length,
    terms, text
  from json_to_recordset($1) as put (id text, source text, source_id text, generation integer, reader uuid, at bigint,
    length integer, terms tsvector, text text)
  on conflict do nothing returning id, seq`;

const insertLinks = `
  insert into backstory.edge (org, project, memory, relation, target)
  select distinct backstory.current_org(), backstory.current_project(), memory, relation, target
  from json_to_recordset($1) as put (memory text, relation text, target text) on conflict do nothing`;

/** Deletes slices, vectors and links of these memories and adjusts the counts. */
const dropDerived = (query: Query, memories: string[]) =>
  query('select backstory.drop_derived($1)', [memories]);

/**
 * Removes the memories `m` of the current project that meet the condition, with what was derived from them. Writes
 * events, so that listeners drop their copies.
 */
export async function removeMemories(
  query: Query,
  condition: string,
  values: unknown[],
): Promise<AnnouncedRow[]> {
  const removed = await query<AnnouncedRow>(
    `delete from backstory.memory m where ${here('m')}
       and ${condition} returning m.id, m.source, m.source_ref, m.reader`,
    values,
  );
  await announce(query, 'memory:removed', removed);
  if (removed.length > 0)
    await dropDerived(
      query,
      removed.map(({ id }) => id),
    );
  return removed;
}

export interface MemoryRow extends Omit<StoredMemory, 'project' | 'trust' | 'metadata'> {
  /** Null if the memory has no metadata. */
  metadata: Record<string, unknown> | null;
}

/** Converts a row to a memory. Every surface uses this: it is the one place that sanitizes the text and sets the trust. */
export function memoryOf(row: MemoryRow, project: string): StoredMemory {
  const { documentId, source, sourceRef, embeddedAt } = row;
  const metadata = mapStrings(row.metadata ?? {}, harmless);
  const trust = trustOfTags(metadata);
  return {
    documentId,
    project,
    source,
    sourceRef,
    text: harmless(row.text),
    // Metadata must not claim a higher trust than the memory has.
    metadata: 'trust' in metadata ? { ...metadata, trust } : metadata,
    trust,
    embeddedAt,
  };
}

/** Maximum total text length of a page. A page always has at least one memory. */
const maxPageLength = 4_000_000;

export async function listMemories(
  query: Query,
  { member, project }: { member: Pick<Member, 'person'>; project: string },
  after: MemoryPage['next'],
  limit: number,
  source?: MemorySource,
): Promise<MemoryPage> {
  const rows = await query<MemoryRow & { at: string; available: number; name: string | null }>(
    `select counted.id as "documentId", source, source_ref as "sourceRef", text, metadata,
       embedded_at as "embeddedAt", updated::text as at, available, h.name from (
       select *, (count(*) over ())::int as available,
         sum(octet_length(text)) over (order by updated desc, id desc) - octet_length(text) as before
       from (select * from backstory.memory
         where ${here()}
           and (reader is null or reader = $1) and ($2::text is null or source = $2)
           and ($3::timestamptz is null or (updated, id) < ($3, $4)) order by updated desc, id desc limit $5) found
     ) counted
     left join backstory.principal p on p.org = counted.org and p.id = counted.author
     left join backstory.principal h on h.org = p.org and h.id = coalesce(p.person, p.id)
     where before < $6 order by updated desc, counted.id desc`,
    [
      member.person,
      source ?? null,
      after?.updated ?? null,
      after?.documentId ?? '',
      limit + 1,
      maxPageLength,
    ],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = last !== undefined && last.available > page.length;
  return {
    memories: page.map(({ name, ...row }) =>
      memoryOf(name === null ? row : { ...row, metadata: { ...row.metadata, author: name } }, project),
    ),
    ...(hasMore ? { next: { updated: last.at, documentId: last.documentId } } : {}),
  };
}
