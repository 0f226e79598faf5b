import { randomHex, sha256 } from '../../src/base/ids.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { vectorOf } from '../../src/store/postgres/terms.ts';
import { vectorText } from '../../src/store/postgres/vectors.ts';
import { prepare } from '../../src/team/prepare.ts';
import { termsOf } from '../../src/text/words.ts';
import type { Random } from '../random.ts';
import type { TeamDatabase } from '../team/database.ts';
import type { FilledTeam } from './fill.ts';
import { postRequest } from './http-load.ts';
import { memoryText } from './texts.ts';

const batch = 500;
const lanes = 2;

export interface Ingested {
  bare: number;
  ours: number;
}

/** The same memories, once through the server and once by nothing but inserts into tables with the same indexes. */
export async function measureIngest(
  team: TeamDatabase,
  embedder: Embedder,
  filled: FilledTeam,
  urls: string[],
  memories: number,
  random: Random,
): Promise<Ingested> {
  await makeCopies(team);
  const rounds = 2;
  const figures: Ingested[] = [];
  for (let round = 0; round < rounds; round++) {
    const project = await team.operation.createProject(filled.org, `ingest ${round}`);
    await team.operation.setRole(filled.org, project, filled.person.id, 'member');
    const given = Array.from({ length: memories }, (_, at) => ({
      source: 'comment' as const,
      sourceRef: `${at}`,
      text: memoryText(round, random),
      at,
    }));
    const batches = Array.from({ length: Math.ceil(memories / batch) }, (_, at) =>
      given.slice(at * batch, (at + 1) * batch),
    );
    const rows = [];
    for (const part of batches) rows.push(await bareRows(filled.org, project, part, embedder));
    const bare = await timed(rows, (row) => insertBare(team, row));
    const ours = await timed(batches, async (part, at) => {
      const request = postRequest(`/api/projects/${project}/memory/batch`, filled.person.token, {
        memories: part.map(({ at: _, ...memory }) => memory),
      });
      const text = request.toString('utf8');
      const response = await fetch(`${urls[at % urls.length]}/api/projects/${project}/memory/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${filled.person.token}`, 'content-type': 'application/json' },
        body: text.slice(text.indexOf('\r\n\r\n') + 4),
      });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    });
    figures.push({ bare: memories / bare, ours: memories / ours });
  }
  const mean = (pick: (one: Ingested) => number) =>
    figures.reduce((sum, one) => sum + pick(one), 0) / figures.length;
  return { bare: mean(({ bare }) => bare), ours: mean(({ ours }) => ours) };
}

async function timed<T>(items: T[], work: (item: T, at: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (performance.now() - began) / 1_000;
}

const tables = ['memory', 'chunk', 'vector', 'edge', 'outbox'];

async function makeCopies({ owner }: TeamDatabase): Promise<void> {
  await owner.query('create schema if not exists bare');
  for (const table of tables) {
    await owner.query(`create table bare.${table} (like backstory.${table} including all)`);
    // As many rows as the real one: an index grows slower to write to as it grows.
    if (table !== 'outbox')
      await owner.query(`insert into bare.${table} overriding system value select * from backstory.${table}`);
  }
  await owner.query('vacuum (analyze)');
}

async function bareRows(
  org: string,
  project: string,
  given: Parameters<typeof prepare>[1],
  embedder: Embedder,
) {
  const prepared = await prepare(project, given, embedder);
  const slices = prepared.flatMap((memory) =>
    memory.slices.map((slice) => {
      const terms = termsOf(slice.text);
      return {
        org,
        project,
        id: slice.id,
        source: memory.source,
        source_id: memory.documentId,
        at: memory.at,
        length: terms.words.length + terms.idents.length,
        terms: vectorOf(terms),
        text: slice.text,
        seq: Number.parseInt(randomHex(6), 16),
        vec: vectorText(slice.vector as Float32Array),
      };
    }),
  );
  return {
    memories: JSON.stringify(
      prepared.map(({ documentId, source, sourceRef, text }) => ({
        org,
        project,
        id: documentId,
        source,
        source_ref: sourceRef,
        text,
        hash: sha256(text),
      })),
    ),
    slices: JSON.stringify(slices),
    edges: JSON.stringify(
      prepared.flatMap(({ documentId, links }) =>
        links.map((link) => ({ org, project, memory: documentId, ...link })),
      ),
    ),
  };
}

async function insertBare({ owner }: TeamDatabase, row: Awaited<ReturnType<typeof bareRows>>): Promise<void> {
  await owner.transaction(async (query) => {
    await query(
      `insert into bare.memory (org, project, id, source, source_ref, text, hash, embedded_at)
       select org, project, id, source, source_ref, text, decode(hash, 'hex'), now() from json_to_recordset($1)
       as r (org uuid, project uuid, id text, source text, source_ref text, text text, hash text)`,
      [row.memories],
    );
    await query(
      `insert into bare.chunk (org, project, id, seq, source, source_id, kind, origin, trust, agent, agent_session, turn,
         branch, at, paths, concepts, pinned, length, terms, text) overriding system value
       select org, project, id, seq, source, source_id, 'knowledge', 'teammate', 1, '', '', '', '', at, '{}', '{}',
         false, length, terms, text from json_to_recordset($1) as r (org uuid, project uuid, id text, seq bigint,
         source text, source_id text, at bigint, length int, terms tsvector, text text)`,
      [row.slices],
    );
    await query(
      `insert into bare.vector (org, project, model, chunk, dims, vec)
       select org, project, 1, seq, 256, vec from json_to_recordset($1)
       as r (org uuid, project uuid, seq bigint, vec halfvec)`,
      [row.slices],
    );
    await query(
      `insert into bare.edge select org, project, memory, relation, target from json_to_recordset($1)
       as r (org uuid, project uuid, memory text, relation text, target text) on conflict do nothing`,
      [row.edges],
    );
    await query(
      `insert into bare.outbox (org, project, kind, ref) select org, project, 'memory:indexed', id
       from json_to_recordset($1) as r (org uuid, project uuid, id text)`,
      [row.memories],
    );
  });
}
