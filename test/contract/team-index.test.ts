import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { prepare } from '../../src/team/memories/prepare.ts';
import { saveInTeam } from '../../src/team/memories/save.ts';
import { searchTeam } from '../../src/team/memories/search.ts';
import { runDueJobs } from '../../src/team/operate/run-jobs.ts';
import type { Permission } from '../../src/team/people/permissions.ts';
import type { Database } from '../../src/team/postgres/connect.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import type { TeamOperation, TeamStore } from '../../src/team/store/team-store.ts';
import { describePostgres } from './postgres-server.ts';
import { aTeam, openTeamStore, type TestPerson, teamPartsOf } from './team-server.ts';

const big = 300;
const things = [
  'cache',
  'queue',
  'parser',
  'billing',
  'login',
  'search',
  'export',
  'webhook',
  'report',
  'theme',
];
const textOf = (at: number): string =>
  `The ${things[at % 10]} of the ${things[Math.floor(at / 10) % 10]} was changed for the ${things[(at * 7) % 10]} number ${at}.`;

describePostgres('The vector index of a large project', (fresh) => {
  let store: TeamStore;
  let database: Database;
  let operation: TeamOperation;
  let embedder: Embedder;
  let project: string;
  let ann: TestPerson;

  const save = async (from: number, count: number) => {
    const given = Array.from({ length: count }, (_, at) => ({
      source: 'note' as const,
      sourceRef: `${from + at}`,
      text: textOf(from + at),
      at: 0,
    }));
    const prepared = await prepare(project, given, embedder);
    return store.inProject(ann.hash, project, (work) => work.save(prepared, embedder));
  };
  const indexes = async () =>
    (
      await fresh.database.query<{ name: string; ok: boolean }>(
        `select c.relname as name, i.indisvalid as ok from pg_index i join pg_class c on c.oid = i.indexrelid
         where c.relname like 'vector\\_near\\_%'`,
      )
    ).filter(({ ok }) => ok);
  const ask = async (text: string, model = embedder) =>
    (await searchTeam({ store, embedder: model }, ann.hash, project, { text, limit: 10 })).map(
      ({ sourceRef }) => sourceRef,
    );
  const promoteAll = async () => {
    for (const one of await operation.largeProjects(big)) await operation.createVectorIndex(one);
  };

  beforeAll(async () => {
    ({ store, database } = openTeamStore(fresh.url));
    operation = createTeamOperation(fresh.database, systemClock);
    embedder = await loadStaticModel('assets/static-en.bin');
    const team = await aTeam(fresh.database, 'ours');
    project = await team.project('big');
    ann = await team.person('ann', { [project]: 'member' });
    await save(0, 400);
  });
  afterAll(() => database.close());

  it('is built while memories are saved, and finds what an exact scan finds', async () => {
    await Promise.all([promoteAll(), save(400, 50), save(450, 50)]);
    expect(await indexes()).toHaveLength(1);
    expect(await operation.largeProjects(big)).toEqual([]);
    expect(await operation.dropVectorIndexes(big)).toBe(0);
    const questions = ['what changed in billing of the parser', textOf(449)];
    const indexed = await Promise.all(questions.map((text) => ask(text)));
    expect(indexed[1]).toContain('449');
    await operation.dropVectorIndexes(Number.POSITIVE_INFINITY);
    expect(await indexes()).toEqual([]);
    expect(await Promise.all(questions.map((text) => ask(text)))).toEqual(indexed);
    expect(await operation.largeProjects(big)).toHaveLength(1);
    await promoteAll();
  });

  it('[team-jobs] leaves the vectors of a batch to the job, and full-text search finds the batch meanwhile', async () => {
    const parts = teamPartsOf(store, embedder);
    const writers: Permission = { kinds: ['user'], role: 'member', scope: 'write' };
    const saveAll = (from: number, count: number) =>
      saveInTeam(
        parts,
        ann.hash,
        project,
        writers,
        Array.from({ length: count }, (_, at) => ({
          source: 'note' as const,
          sourceRef: `${from + at}`,
          text: `Quaggas stand in stable${from + at}.`,
          at: 0,
        })),
      );
    const vectors = async () =>
      (await fresh.database.query('select 1 from backstory.vector where project = $1', [project])).length;
    const work = () => runDueJobs({ jobs: store.jobs, embedder: parts.embedder, onFailure: expect.fail });
    await store.inProject(ann.hash, project, (asked) => asked.reindex());
    await work();
    const before = await vectors();
    const saved = await saveAll(500, 100);
    expect(saved.every(({ isChanged, embeddedAt }) => isChanged && embeddedAt === null)).toBe(true);
    expect(await vectors()).toBe(before);
    expect(await ask('quaggas in stable570')).toContain('570');
    // A single note gets its vector at once.
    expect(await saveAll(600, 1)).toMatchObject([{ embeddedAt: expect.any(String) }]);
    expect(await work()).toBe(1);
    expect(await vectors()).toBe(before + 101);
    expect((await saveAll(500, 100)).every(({ embeddedAt }) => embeddedAt !== null)).toBe(true);
    expect(await fresh.database.query('select 1 from backstory.job where project = $1', [project])).toEqual(
      [],
    );
  });

  it('is dropped when the project is small again, and searches still work', async () => {
    await store.inProject(ann.hash, project, async (work) => {
      for (let at = 0; at < 500; at++) await work.removeSource('note', `${at}`);
    });
    expect(await operation.dropVectorIndexes(big)).toBe(1);
    expect(await indexes()).toEqual([]);
    expect((await ask('quaggas in stable550')).length).toBeGreaterThan(0);
  });
});
