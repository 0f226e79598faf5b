import { randomHex, sha256 } from '../../src/base/ids.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { prepare } from '../../src/team/memories/prepare.ts';
import { vectorOf } from '../../src/team/postgres/text-query.ts';
import { termsOf } from '../../src/text/words.ts';
import { median } from '../../test/harness/evaluation.ts';
import type { Random } from '../../test/harness/random.ts';
import type { TeamDatabase } from '../../test/harness/team/database.ts';
import type { ServedTeam } from '../../test/harness/team/serve.ts';
import { watchCpu } from './cpu.ts';
import type { FilledTeam } from './fill.ts';
import { memoryText } from './texts.ts';

const batch = 500;
const lanes = 4;

/** Memories per second, and the cost of one. */
interface Pace {
  perSecond: number;
  postgresMs: number;
  serverMs: number;
}

export interface Ingested {
  bare: Pace;
  ours: Pace;
  /** The median of the rounds. */
  ratio: number;
}

const rounds = 3;

/** Saves the same memories through the server and with bare inserts into the same tables, in turn. */
export async function measureIngest(
  team: TeamDatabase,
  embedder: Embedder,
  filled: FilledTeam,
  server: ServedTeam,
  memories: number,
  random: Random,
): Promise<Ingested> {
  const projects: string[] = [];
  const round = async (count: number) => {
    const [project, inserted] = [await makeProject(team, filled), await makeProject(team, filled)];
    projects.push(project, inserted);
    const batches = batchesOf(count, random);
    const rows = [];
    for (const part of batches) rows.push(await bareRows(filled.org, inserted, part, embedder));
    const bodies = batches.map((part) =>
      JSON.stringify({ memories: part.map(({ at: _, ...memory }) => memory) }),
    );
    const paced = async <T>(items: T[], work: (item: T) => Promise<void>): Promise<Pace> => {
      const cpu = watchCpu(server.pid, team.url);
      const seconds = await timed(items, work);
      return {
        perSecond: count / seconds,
        postgresMs: cpu.postgresMs() / count,
        serverMs: cpu.serverMs() / count,
      };
    };
    return {
      bare: await paced(rows, (row) => insertBare(team, row)),
      ours: await paced(bodies, (body) => post(server, project, filled.person.token, body)),
    };
  };
  // Warms up the server and its connections.
  await round(batch * lanes * 2);
  const figures: { bare: Pace; ours: Pace }[] = [];
  for (let at = 0; at < rounds; at++) figures.push(await round(memories));
  await remove(team, filled.org, projects);
  const middle = (which: 'bare' | 'ours'): Pace => ({
    perSecond: median(figures.map((one) => one[which].perSecond)),
    postgresMs: median(figures.map((one) => one[which].postgresMs)),
    serverMs: median(figures.map((one) => one[which].serverMs)),
  });
  return {
    bare: middle('bare'),
    ours: middle('ours'),
    ratio: median(figures.map(({ bare, ours }) => ours.perSecond / bare.perSecond)),
  };
}

async function makeProject({ operation }: TeamDatabase, { org, person }: FilledTeam): Promise<string> {
  const project = await operation.createProject(org, `ingest ${randomHex(4)}`);
  await operation.setRole(org, project, person.id, 'member');
  return project;
}

function batchesOf(memories: number, random: Random) {
  const subject = random.whole(0, 1_000);
  const given = Array.from({ length: memories }, (_, at) => ({
    source: 'comment' as const,
    sourceRef: `${at}`,
    text: memoryText(subject, random),
    at,
  }));
  return Array.from({ length: Math.ceil(memories / batch) }, (_, at) =>
    given.slice(at * batch, (at + 1) * batch),
  );
}

async function post({ url }: ServedTeam, project: string, token: string, body: string): Promise<void> {
  const response = await fetch(`${url}/api/projects/${project}/memory/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

async function timed<T>(items: T[], work: (item: T) => Promise<void>): Promise<number> {
  const began = performance.now();
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (performance.now() - began) / 1_000;
}

/** Removes the memories, so that the next run starts with the same state. */
async function remove({ owner }: TeamDatabase, org: string, projects: string[]): Promise<void> {
  for (const table of ['memory', 'chunk', 'vector', 'vector_state', 'edge', 'outbox'])
    await owner.query(`delete from backstory.${table} where org = $1 and project = any($2)`, [org, projects]);
  await owner.query('delete from backstory.project where org = $1 and id = any($2)', [org, projects]);
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
        vec: `[${(slice.vector as Float32Array).join(',')}]`,
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
    // Turn off the triggers, whose work belongs to the cost of the server.
    await query(`select set_config('session_replication_role', 'replica', true)`);
    await query(
      `insert into backstory.memory (org, project, id, source, source_ref, text, hash, embedded_at)
       select org, project, id, source, source_ref, text, decode(hash, 'hex'), now() from json_to_recordset($1)
       as r (org uuid, project uuid, id text, source text, source_ref text, text text, hash text)`,
      [row.memories],
    );
    await query(
      `insert into backstory.chunk (org, project, id, seq, source, source_id, at, length, terms, text)
         overriding system value
       select org, project, id, seq, source, source_id, at, length, terms, text
       from json_to_recordset($1) as r (org uuid, project uuid, id text, seq bigint, source text, source_id text,
         at bigint, length int, terms tsvector, text text)`,
      [row.slices],
    );
    await query(
      `insert into backstory.vector (org, project, model, chunk, dims, vec)
       select org, project, 1, seq, 256, vec from json_to_recordset($1)
       as r (org uuid, project uuid, seq bigint, vec halfvec)`,
      [row.slices],
    );
    await query(
      `insert into backstory.edge select org, project, memory, relation, target from json_to_recordset($1)
       as r (org uuid, project uuid, memory text, relation text, target text) on conflict do nothing`,
      [row.edges],
    );
    await query(
      `insert into backstory.outbox (org, project, kind, ref) select org, project, 'memory:indexed', id
       from json_to_recordset($1) as r (org uuid, project uuid, id text)`,
      [row.memories],
    );
  });
}
