import { randomUUID } from 'node:crypto';
import { memoryText, questionOf } from '../../../bench/team-load/texts.ts';
import type { Embedder } from '../../../src/models/embed.ts';
import { hashOfToken, makeToken } from '../../../src/team/people/token.ts';
import { hasCitus } from '../../../src/team/postgres/citus.ts';
import { vectorOf } from '../../../src/team/postgres/text-query.ts';
import { termsOf } from '../../../src/text/words.ts';
import { showProgress } from '../../harness/evaluation.ts';
import { createRandom } from '../../harness/random.ts';
import type { TeamDatabase } from '../../harness/team/database.ts';

/** An organisation with one project and one person. */
export interface Tenant {
  number: number;
  org: string;
  project: string;
  person: string;
  token: string;
  /** How often it has each of the sample texts. */
  copies: number;
}

export interface Samples {
  texts: string[];
  questions: string[];
}

export const makeTenants = (count: number, copiesOf: (number: number) => number): Tenant[] =>
  Array.from({ length: count }, (_, number) => ({
    number,
    org: randomUUID(),
    project: randomUUID(),
    person: randomUUID(),
    token: makeToken(),
    copies: copiesOf(number),
  }));

/** Creates the table of sample texts with their vectors. All tenants have these texts, with their own mark. */
export async function storeSamples(
  { owner }: TeamDatabase,
  embedder: Embedder,
  count: number,
): Promise<Samples> {
  const random = createRandom(1);
  const texts = Array.from({ length: count }, () => memoryText(random.whole(0, 20), random));
  const vectors = await embedder.embed(texts);
  await owner.query(
    'create table public.sample (n integer primary key, text text, length integer, terms tsvector, vec halfvec)',
  );
  await owner.query(
    `create table public.part (org uuid, number integer, project uuid, person uuid, hash text, copy integer,
       primary key (org, copy))`,
  );
  if (await hasCitus(owner.query)) {
    await owner.query(`select create_reference_table('public.sample')`);
    await owner.query(
      `select create_distributed_table('public.part', 'org', colocate_with => 'backstory.project')`,
    );
  }
  const rows = texts.map((text, n) => {
    const terms = termsOf(text);
    const length = terms.words.length + terms.idents.length;
    return { n, text, length, terms: vectorOf(terms), vec: `[${(vectors[n] as Float32Array).join(',')}]` };
  });
  await owner.query(
    `insert into public.sample select * from json_to_recordset($1)
       as put (n integer, text text, length integer, terms tsvector, vec halfvec)`,
    [JSON.stringify(rows)],
  );
  return { texts, questions: texts.slice(0, 200).map((text) => questionOf(text, random)) };
}

const tenantsAtOnce = 100;

/**
 * Adds tenants with all their rows by `insert … select`, which Citus runs on the workers. The rows are those that the
 * server writes for comments.
 */
export async function fillTenants(
  { owner }: TeamDatabase,
  embedder: Embedder,
  tenants: Tenant[],
): Promise<void> {
  for (let from = 0; from < tenants.length; from += tenantsAtOnce) {
    const batch = tenants.slice(from, from + tenantsAtOnce);
    const parts = batch.flatMap(({ copies, token, ...tenant }) =>
      Array.from({ length: copies }, (_, copy) => ({
        ...tenant,
        copy,
        hash: Buffer.from(hashOfToken(token)).toString('hex'),
      })),
    );
    await owner.query(
      `insert into public.part select * from json_to_recordset($1)
         as put (org uuid, number integer, project uuid, person uuid, hash text, copy integer)`,
      [JSON.stringify(parts)],
    );
    const first = batch[0]?.number ?? 0;
    for (const insert of inserts(embedder, first, first + batch.length - 1)) await owner.query(insert);
    showProgress(from + batch.length, tenants.length);
  }
  // Later numbers of chunks come from the sequence.
  await owner.query(`select setval(pg_get_serial_sequence('backstory.chunk', 'seq'), 1000000000)`);
  const tables = ['memory', 'chunk', 'vector', 'vector_state', 'model', 'project', 'membership', 'token'];
  for (const table of tables) await owner.query(`vacuum (analyze) backstory.${table}`);
  // A worker that is killed soon afterwards would have to repeat all of this.
  await owner.query(
    (await hasCitus(owner.query)) ? `select run_command_on_all_nodes('checkpoint')` : 'checkpoint',
  );
}

/**
 * In an order that satisfies foreign keys. Citus accepts no function of the current time here. Every text ends with the
 * number of its tenant, so that a foreign row in an answer is noticed.
 */
function inserts({ id: model, dims }: Embedder, first: number, last: number): string[] {
  const some = `public.part p where p.copy = 0 and p.number between ${first} and ${last}`;
  const all = `public.part p cross join public.sample s where p.number between ${first} and ${last}`;
  const at = `timestamptz '${new Date().toISOString()}'`;
  const id = `md5(p.org::text || p.copy || '-' || s.n)`;
  const seq = `p.copy * 100000 + s.n + 1`;
  const size = `(select count(*) from public.sample) * (select count(*) from public.part c where c.org = p.org)`;
  return [
    `insert into backstory.org (org, name, created) select p.org, 'tenant ' || p.number, ${at} from ${some}`,
    `insert into backstory.principal (org, id, kind, name, created)
     select p.org, p.person, 'user', 'ann', ${at} from ${some}`,
    `insert into backstory.token (org, id, principal, hash, scopes, created)
     select p.org, p.person, p.person, decode(p.hash, 'hex'), '{read,write}', ${at} from ${some}`,
    `insert into backstory.model (org, id, name, dims) select p.org, 1, '${model}', ${dims} from ${some}`,
    `insert into backstory.project (org, id, name, model, chunks, terms, created)
     select p.org, p.project, 'api', 1, ${size}, ${size} * (select avg(length)::int from public.sample), ${at} from ${some}`,
    `insert into backstory.membership (org, project, principal, role)
     select p.org, p.project, p.person, 'owner' from ${some}`,
    `insert into backstory.vector_state (org, project, model, vectors) select p.org, p.project, 1, ${size} from ${some}`,
    `insert into backstory.memory (org, project, id, source, source_ref, text, hash, created, updated, embedded_at)
     select p.org, p.project, ${id}, 'comment', p.copy || '-' || s.n, s.text || ' tenant ' || p.number || '.', '', ${at},
       ${at}, ${at} from ${all}`,
    `insert into backstory.chunk (org, project, id, seq, source, source_id, kind, origin, trust, agent, agent_session, turn,
       branch, at, paths, concepts, pinned, length, terms, text) overriding system value
     select p.org, p.project, ${id}, ${seq}, 'comment', ${id}, 'knowledge', 'teammate', 1, '', '', '', '', 0, '{}', '{}',
       false, s.length, s.terms, s.text || ' tenant ' || p.number || '.' from ${all}`,
    `insert into backstory.vector (org, project, model, chunk, dims, vec)
     select p.org, p.project, 1, ${seq}, ${dims}, s.vec from ${all}`,
  ];
}
