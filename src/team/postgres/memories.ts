import { sha256 } from '../../base/ids.ts';
import type { Member, Memory, MemorySource } from '../../domain/memory.ts';
import { trustOfTags } from '../../domain/memory.ts';
import { harmless } from '../../text/fence.ts';
import { mapStrings } from '../../text/map-strings.ts';
import { termsOf } from '../../text/words.ts';
import type { MemoryPage, ModelName, PreparedMemory, SavedMemory } from '../store/team-store.ts';
import type { Rows } from './connect.ts';
import { plainText } from './plain-text.ts';
import { vectorOf } from './text-query.ts';
import { isPromoted, keepVectors } from './vectors.ts';

interface SavedRow {
  id: string;
  generation: number;
  embeddedAt: string | null;
}

/**
 * Keeps memories and everything made from them. In the order of their ids: two writers that save the same ones wait
 * for each other instead of deadlocking. Of two that are drawn from the same thing the last one counts.
 */
export async function saveMemories(
  query: Rows,
  member: Pick<Member, 'principal'>,
  memories: PreparedMemory[],
  embeddedBy: ModelName | undefined,
): Promise<SavedMemory[]> {
  const model = (await isLeftToJob(query, memories, embeddedBy)) ? undefined : embeddedBy;
  const last = new Map(memories.map((memory) => [memory.documentId, memory]));
  const inOrder = [...last.values()].sort((a, b) => (a.documentId < b.documentId ? -1 : 1));
  const changed = await query<SavedRow>(upsert, [
    member.principal,
    JSON.stringify(inOrder.map((memory) => rowOf(memory, model))),
  ]);
  const states = new Map(changed.map((row) => [row.id, row]));
  const fresh = inOrder.filter(({ documentId }) => states.has(documentId));
  if (fresh.length > 0) {
    const replaced = changed.filter(({ generation }) => generation > 1).map(({ id }) => id);
    if (replaced.length > 0) await dropDerived(query, replaced);
    await keepDerived(query, fresh, states, model);
  }
  const unchanged = memories.filter(({ documentId }) => !states.has(documentId));
  const embedded = new Map(changed.map(({ id, embeddedAt }) => [id, embeddedAt]));
  for (const { id, embeddedAt } of await statesOf(query, unchanged)) embedded.set(id, embeddedAt);
  return memories.map(({ documentId }) => ({
    documentId,
    isChanged: states.has(documentId),
    embeddedAt: embedded.get(documentId) ?? null,
  }));
}

/** What somebody writes by hand has its vectors at once, whatever they cost; somebody waits for the rest. */
const fewVectors = 16;

/** Many vectors at once into a big index take longer than anybody waits; the job has the time. */
async function isLeftToJob(
  query: Rows,
  memories: PreparedMemory[],
  model: ModelName | undefined,
): Promise<boolean> {
  const count = memories.reduce((sum, { slices }) => sum + slices.length, 0);
  return model !== undefined && count > fewVectors && (await isPromoted(query, model));
}

const statesOf = async (
  query: Rows,
  memories: PreparedMemory[],
): Promise<Pick<SavedRow, 'id' | 'embeddedAt'>[]> =>
  memories.length === 0
    ? []
    : query(
        `select id, ${isoTime('embedded_at')} as "embeddedAt" from backstory.memory where id = any($1)
           and org = backstory.current_org()`,
        [memories.map(({ documentId }) => documentId)],
      );

const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What has its vectors is told to those who listen at once; the rest when the vectors come. */
const upsert = `
  with put as (
    insert into backstory.memory as m (org, project, id, source, source_ref, text, metadata, hash, author, reader,
      embedded_at)
    select backstory.current_org(), backstory.current_project(), id, source, source_ref, text, metadata,
      decode(hash, 'hex'), $1::uuid, reader, case when embedded then now() end
    from json_to_recordset($2) as put (id text, source text, source_ref text, text text, metadata jsonb, hash text,
      reader uuid, embedded boolean)
    on conflict (org, project, source, source_ref, reader) do update set text = excluded.text,
      metadata = excluded.metadata, hash = excluded.hash, author = excluded.author, updated = now(),
      generation = m.generation + 1, embedded_at = excluded.embedded_at
    where m.hash <> excluded.hash
    returning m.org, m.project, m.id, m.source, m.source_ref, m.reader, m.generation, m.embedded_at),
  told as (
    insert into backstory.outbox (org, project, kind, ref, reader, payload)
    select org, project, 'memory:indexed', id, reader, jsonb_build_object('source', source, 'sourceRef', source_ref)
    from put where embedded_at is not null)
  select id, generation, ${isoTime('embedded_at')} as "embeddedAt" from put`;

const rowOf = (memory: PreparedMemory, model: ModelName | undefined) => {
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

/** Every slice of it has its vector; in the same statement, because a second one would write the row twice. */
const isEmbedded = ({ slices }: PreparedMemory, model: ModelName | undefined): boolean =>
  model !== undefined && slices.every(({ vector }) => vector !== undefined);

async function keepDerived(
  query: Rows,
  memories: PreparedMemory[],
  states: Map<string, SavedRow>,
  model: ModelName | undefined,
): Promise<void> {
  const slices = memories.flatMap((memory) => memory.slices.map((slice) => ({ memory, slice })));
  const sliceRow = ({ memory, slice }: (typeof slices)[number], terms: ReturnType<typeof termsOf>) => ({
    id: slice.id,
    source: memory.source,
    source_id: memory.documentId,
    generation: states.get(memory.documentId)?.generation,
    reader: memory.reader ?? null,
    at: memory.at,
    origin: trustOfTags(memory.metadata) === 0 ? 'import' : 'teammate',
    trust: trustOfTags(memory.metadata),
    paths: memory.links.filter(({ relation }) => relation === 'file').map(({ target }) => plainText(target)),
    length: terms.words.length + terms.idents.length,
    terms: vectorOf(terms),
    text: plainText(slice.text),
  });
  const put: { id: string; seq: string }[] = [];
  let termCount = 0;
  for (const some of inParts(slices)) {
    // Made part by part: Postgres waits only so long between two statements of a transaction.
    const rows = some.map((cut) => sliceRow(cut, termsOf(cut.slice.text)));
    termCount += rows.reduce((sum, { length }) => sum + length, 0);
    put.push(...(await query<{ id: string; seq: string }>(insertSlices, [JSON.stringify(rows)])));
  }
  const links = memories.flatMap(({ documentId, links: own }) =>
    own.map(({ relation, target }) => ({ memory: documentId, relation, target: plainText(target) })),
  );
  if (links.length > 0) await query(insertLinks, [JSON.stringify(links)]);
  await query(
    `update backstory.project set chunks = chunks + $1, terms = terms + $2
     where org = backstory.current_org() and id = backstory.current_project()`,
    [put.length, termCount],
  );
  const seqOf = new Map(put.map(({ id, seq }) => [id, seq]));
  const readerOf = new Map(slices.map(({ memory, slice }) => [slice.id, memory.reader ?? null]));
  if (model !== undefined) {
    const vectors = slices.flatMap(({ slice: { id, vector } }) => {
      const seq = seqOf.get(id);
      return vector === undefined || seq === undefined
        ? []
        : [{ chunk: seq, reader: readerOf.get(id) ?? null, vector }];
    });
    await keepVectors(query, model, vectors);
  }
}

const sliceBatchSize = 1_000;

/** So that no statement of a long batch takes longer than statements may. */
const inParts = <T>(all: T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / sliceBatchSize) }, (_, at) =>
    all.slice(at * sliceBatchSize, (at + 1) * sliceBatchSize),
  );

const insertSlices = `
  insert into backstory.chunk (org, project, id, source, source_id, generation, reader, kind, origin, trust, agent,
    agent_session, turn, branch, at, paths, concepts, pinned, length, terms, text)
  select backstory.current_org(), backstory.current_project(), id, source, source_id, generation, reader, 'knowledge',
    origin, trust, '', '', '', '', at, paths, '{}', false, length, terms, text
  from json_to_recordset($1) as put (id text, source text, source_id text, generation integer, reader uuid, at bigint,
    origin text, trust smallint, paths text[], length integer, terms tsvector, text text)
  on conflict do nothing returning id, seq`;

const insertLinks = `
  insert into backstory.edge (org, project, memory, relation, target)
  select distinct backstory.current_org(), backstory.current_project(), memory, relation, target
  from json_to_recordset($1) as put (memory text, relation text, target text) on conflict do nothing`;

/** What was made of these memories, and the counts that go with it. */
const dropDerived = (query: Rows, memories: string[]) =>
  query('select backstory.drop_derived($1)', [memories]);

/** True when one was there. What listens is told, so that copies go too. */
export async function removeMemories(
  query: Rows,
  member: Pick<Member, 'person'>,
  which: { documentId: string } | { source: MemorySource; sourceRef: string },
): Promise<boolean> {
  const [condition, ...values] =
    'documentId' in which
      ? ['id = $2', which.documentId]
      : ['source = $2 and source_ref = $3', which.source, which.sourceRef];
  const gone = await query<{ id: string }>(
    `with gone as (
       delete from backstory.memory where org = backstory.current_org() and project = backstory.current_project()
         and (reader is null or reader = $1) and ${condition} returning project, id, source, source_ref, reader),
     told as (
       insert into backstory.outbox (org, project, kind, ref, reader, payload)
       select backstory.current_org(), project, 'memory:removed', id, reader,
         jsonb_build_object('source', source, 'sourceRef', source_ref) from gone)
     select id from gone`,
    [member.person, ...values],
  );
  if (gone.length > 0)
    await dropDerived(
      query,
      gone.map(({ id }) => id),
    );
  return gone.length > 0;
}

export interface MemoryRow {
  id: string;
  source: MemorySource;
  source_ref: string;
  text: string;
  /** Null for none. */
  metadata: Record<string, unknown> | null;
  embedded_at: Date | null;
}

/** As every surface of a team shows it: the one place where its text is cleaned and its trust is settled. */
export function memoryOf(row: MemoryRow, project: string): Memory {
  const metadata = mapStrings(row.metadata ?? {}, harmless);
  const trust = trustOfTags(metadata);
  return {
    documentId: row.id,
    project,
    source: row.source,
    sourceRef: row.source_ref,
    text: harmless(row.text),
    // A tag that claims more trust than there is must not be read as the answer.
    metadata: 'trust' in metadata ? { ...metadata, trust } : metadata,
    trust,
    embeddedAt: row.embedded_at === null ? null : row.embedded_at.toISOString(),
  };
}

/** A page ends before its texts are longer than this together, however many were asked for; one always fits. */
const maxPageLength = 4_000_000;

export async function listMemories(
  query: Rows,
  { member, project }: { member: Pick<Member, 'person'>; project: string },
  after: MemoryPage['next'],
  limit: number,
  source?: MemorySource,
): Promise<MemoryPage> {
  const rows = await query<MemoryRow & { at: string; there: number }>(
    `select id, source, source_ref, text, metadata, embedded_at, updated::text as at, there from (
       select *, (count(*) over ())::int as there,
         sum(octet_length(text)) over (order by updated desc, id desc) - octet_length(text) as before
       from (select * from backstory.memory
         where org = backstory.current_org() and project = backstory.current_project()
           and (reader is null or reader = $1) and ($2::text is null or source = $2)
           and ($3::timestamptz is null or (updated, id) < ($3, $4)) order by updated desc, id desc limit $5) found
     ) counted where before < $6 order by updated desc, id desc`,
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
  const isMore = last !== undefined && last.there > page.length;
  return {
    memories: page.map((row) => memoryOf(row, project)),
    ...(isMore ? { next: { updated: last.at, documentId: last.id } } : {}),
  };
}
