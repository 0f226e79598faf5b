import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/errors.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { type MemoryInput, prepare } from '../../src/team/memories/prepare.ts';
import { searchTeam } from '../../src/team/memories/search.ts';
import { hashOfToken, makeToken } from '../../src/team/people/token.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { readMigrations } from '../../src/team/postgres/migrate.ts';
import { createTeamStore } from '../../src/team/postgres/team-store.ts';
import type { TeamStore } from '../../src/team/store/team-store.ts';
import { describePostgres, migrationFolder } from './postgres-server.ts';
import { anyText, syntaxPieces } from './samples.ts';
import { aTeam, openTeamStore, type TestPerson, type TestTeam } from './team-server.ts';

const now = 1_790_000_000_000;
const note = (sourceRef: string, text: string, more: Partial<MemoryInput> = {}): MemoryInput => ({
  source: 'note',
  sourceRef,
  text,
  at: now,
  ...more,
});

describePostgres('The memory of a team', (fresh) => {
  let store: TeamStore;
  let database: Database;
  let embedder: Embedder;
  let team: TestTeam;
  let project: string;
  let ann: TestPerson;

  beforeAll(async () => {
    ({ store, database } = openTeamStore(fresh.url));
    embedder = await loadStaticModel('assets/static-en.bin');
    team = await aTeam(fresh.database, 'ours');
    project = await team.project('queue');
    ann = await team.person('ann', { [project]: 'member' });
  });
  afterAll(() => database.close());

  const save = async (who: TestPerson, where: string, ...given: MemoryInput[]) => {
    const prepared = await prepare(where, given, embedder);
    return store.inProject(who.hash, where, (work) => work.save(prepared, embedder));
  };
  const ask = async (who: TestPerson, where: string, text: string, more = {}) =>
    (await searchTeam({ store, embedder }, who.hash, where, { text, limit: 10, ...more })).map(
      ({ sourceRef }) => sourceRef,
    );
  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return 'done';
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };

  it('is found by its words, its meaning and its links', async () => {
    const where = await team.project('finding');
    const who = await team.person('finder', { [where]: 'member' });
    await save(
      who,
      where,
      note('retry', 'Retries of the worker wait with **exponential** back-off, see src/queue/worker.ts.'),
      note('pool', 'The connection pool is limited to twenty, because the database refused more.'),
      note('lunch', 'Lunch is at noon.'),
      note('lock', 'Only one process may write, which src/queue/worker.ts checks at its start.'),
    );
    expect((await ask(who, where, 'exponential retries'))[0]).toBe('retry');
    expect(await ask(who, where, 'how many links to Postgres do we allow')).toContain('pool');
    expect(await ask(who, where, 'what happens in src/queue/worker.ts')).toEqual(
      expect.arrayContaining(['retry', 'lock']),
    );
    expect(await ask(who, where, 'worker', { sources: ['issue'] })).toEqual([]);
  });

  it('[query-words] treats query syntax as ordinary text', async () => {
    const where = await team.project('syntax');
    const who = await team.person('asker', { [where]: 'member' });
    await save(who, where, note('alpha', 'alpha'), note('beta', 'beta'));
    for (const question of [
      'alpha & !alpha',
      'alpha:*B',
      'NOT alpha',
      `"alpha`,
      `'alpha' | 'gamma`,
      '-alpha',
    ])
      expect((await ask(who, where, question))[0]).toBe('alpha');
    for (const piece of syntaxPieces) {
      await ask(who, where, piece);
      expect((await ask(who, where, `alpha${piece} alpha`))[0]).toBe('alpha');
    }
    await fc.assert(
      fc.asyncProperty(anyText, async (question) => {
        await ask(who, where, question);
      }),
    );
    expect((await ask(who, where, 'alpha'))[0]).toBe('alpha');
  });

  it('replaces the memory of a source, and does not save the same text twice', async () => {
    const [first] = await save(ann, project, note('42', 'The cache is kept in Redis.', { source: 'issue' }));
    expect(first).toMatchObject({ isChanged: true, embeddedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    const [again] = await save(ann, project, note('42', 'The cache is kept in Redis.', { source: 'issue' }));
    expect(again).toMatchObject({ isChanged: false, documentId: first?.documentId });
    const [edited] = await save(
      ann,
      project,
      note('42', 'The cache is kept in Valkey.', { source: 'issue' }),
    );
    expect(edited).toMatchObject({ isChanged: true, documentId: first?.documentId });
    expect(await ask(ann, project, 'Redis')).toEqual([]);
    expect(await ask(ann, project, 'Valkey')).toEqual(['42']);
  });

  it('saves the last of several memories with the same source', async () => {
    const saved = await save(ann, project, note('twice', 'Gulls sleep.'), note('twice', 'Gulls wake.'));
    expect(saved).toMatchObject([{ isChanged: true }, { isChanged: true }]);
    expect(await ask(ann, project, 'gulls sleep wake')).toEqual(['twice']);
    const { memories } = await store.inProject(ann.hash, project, (work) => work.list(undefined, 50));
    expect(memories.filter(({ sourceRef }) => sourceRef === 'twice').map(({ text }) => text)).toEqual([
      'Gulls wake.',
    ]);
  });

  it('[team-rights] is not replaced by somebody who saves it at the same time', async () => {
    const rival = await team.person('rival', { [project]: 'member' });
    const texts = ['Swans fly south.', 'Swans stay here.'].map((text) => note('at-once', text));
    const [[own], [other]] = [
      await prepare(project, texts.slice(0, 1), embedder),
      await prepare(project, texts.slice(1), embedder),
    ];
    if (own === undefined || other === undefined) throw new Error('nothing prepared');
    const isSaved = Promise.withResolvers<void>();
    const isBlocked = Promise.withResolvers<void>();
    const first = store.inProject(ann.hash, project, async (work) => {
      await work.save([own], embedder);
      isSaved.resolve();
      await isBlocked.promise;
    });
    await isSaved.promise;
    const second = codeOf(store.inProject(rival.hash, project, (work) => work.save([other], embedder)));
    // On a cluster the second waits on a worker, which the coordinator shows elsewhere.
    const waiting =
      process.env.BACKSTORY_TEST_CITUS === undefined
        ? `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%backstory.memory%'`
        : 'select from citus_lock_waits';
    await expect.poll(() => fresh.database.query(waiting)).toHaveLength(1);
    isBlocked.resolve();
    await first;
    expect(await second).toBe('BACKEND_FAILURE');
    expect(await codeOf(store.inProject(rival.hash, project, (work) => work.save([other], embedder)))).toBe(
      'FORBIDDEN',
    );
    expect(
      (await searchTeam({ store, embedder }, ann.hash, project, { text: 'swans', limit: 1 }))[0]?.text,
    ).toBe('Swans fly south.');
  });

  it('deletes a removed memory with all derived data', async () => {
    const [saved] = await save(
      ann,
      project,
      note('gone', `Alphabet soup in src/soup.ts. ${'More soup. '.repeat(300)}`),
    );
    const id = saved?.documentId ?? '';
    expect(await store.projectOf(ann.hash, id)).toBe(project);
    expect(await store.inProject(ann.hash, project, (work) => work.remove(id))).toEqual({
      author: ann.id,
    });
    expect(await store.inProject(ann.hash, project, (work) => work.remove(id))).toBeUndefined();
    expect(await ask(ann, project, 'alphabet soup')).not.toContain('gone');
    const left = await fresh.database.query(
      `select 1 from backstory.chunk where source_id = $1 union all select 1 from backstory.edge where memory = $1`,
      [id],
    );
    expect(left).toEqual([]);
    const [counts] = await fresh.database.query(
      `select p.chunks::int = (select count(*) from backstory.chunk c where c.org = p.org and c.project = p.id) as chunks,
         (select sum(vectors) from backstory.vector_state s where s.org = p.org and s.project = p.id)
           = (select count(*) from backstory.vector v where v.org = p.org and v.project = p.id) as vectors
       from backstory.project p where id = $1`,
      [project],
    );
    expect(counts).toEqual({ chunks: true, vectors: true });
  });

  it('shows a private memory only to its author', async () => {
    const bob = await team.person('bob', { [project]: 'owner' });
    const [mine] = await save(ann, project, note('diary', 'Zebras are my secret.', { reader: ann.id }));
    expect(await ask(ann, project, 'zebras')).toEqual(['diary']);
    expect(await ask(bob, project, 'zebras')).toEqual([]);
    expect(await codeOf(store.projectOf(bob.hash, mine?.documentId ?? ''))).toBe('NOT_FOUND');
    expect(
      await store.inProject(bob.hash, project, (work) => work.remove(mine?.documentId ?? '')),
    ).toBeUndefined();
    await save(bob, project, note('diary', 'Zebras of my own.', { reader: bob.id }));
    expect(await ask(ann, project, 'zebras')).toEqual(['diary']);
  });

  it('is accessible only to members, with the same error for missing and for forbidden objects', async () => {
    const others = await aTeam(fresh.database, 'others');
    const theirs = await others.project('queue');
    const eve = await others.person('eve', { [theirs]: 'owner' });
    const [saved] = await save(ann, project, note('plan', 'The plan.'));
    const nowhere = '00000000-0000-7000-8000-000000000000';
    for (const [hash, where, code] of [
      [hashOfToken(makeToken()), project, 'UNAUTHORIZED'],
      [eve.hash, project, 'NOT_FOUND'],
      [eve.hash, nowhere, 'NOT_FOUND'],
      [ann.hash, theirs, 'NOT_FOUND'],
    ] as const) {
      expect(await codeOf(store.inProject(hash, where, (work) => work.list(undefined, 10)))).toBe(code);
      expect(await codeOf(searchTeam({ store, embedder }, hash, where, { text: 'plan', limit: 5 }))).toBe(
        code,
      );
    }
    expect(await codeOf(store.projectOf(eve.hash, saved?.documentId ?? ''))).toBe('NOT_FOUND');
    expect((await store.projects(eve.hash)).map(({ id }) => id)).toEqual([theirs]);
  });

  it('refuses a token that is revoked or expired, or whose owner was removed', async () => {
    const cat = await team.person('cat', { [project]: 'reader' });
    const laptop = await team.device('laptop', cat, ['read']);
    expect(await store.identify(laptop.hash)).toMatchObject({ kind: 'device', person: cat.id });
    const old = await team.token(cat.id, ['read'], '2020-01-01T00:00:00Z');
    expect(await codeOf(store.identify(old.hash))).toBe('UNAUTHORIZED');
    const tablet = await team.device('tablet', cat, ['read']);
    await team.revoke(tablet.id);
    expect(await codeOf(store.identify(tablet.hash))).toBe('UNAUTHORIZED');
    expect(await codeOf(store.identify(laptop.hash))).toBe('done');
    expect(await codeOf(store.identify(cat.hash))).toBe('done');
    await team.revoke(cat.id);
    expect(await codeOf(store.identify(cat.hash))).toBe('UNAUTHORIZED');
    expect(await codeOf(store.identify(laptop.hash))).toBe('UNAUTHORIZED');
    const next = await team.token(laptop.id, ['read']);
    expect(await codeOf(store.identify(next.hash))).toBe('done');
    await fresh.database.query('update backstory.principal set disabled = now() where id = $1', [cat.id]);
    expect(await codeOf(store.identify(next.hash))).toBe('UNAUTHORIZED');
  });

  it('never mixes vectors of two models', async () => {
    const where = await team.project('models');
    const who = await team.person('modeller', { [where]: 'member' });
    await save(who, where, note('a', 'Ships sail across the wide ocean.'));
    const other: Embedder = { id: 'other', dims: embedder.dims, embed: (texts) => embedder.embed(texts) };
    const found = await searchTeam({ store, embedder: other }, who.hash, where, {
      text: 'boats that travel over the sea',
      limit: 5,
    });
    expect(found).toEqual([]);
    expect(await ask(who, where, 'boats that travel over the sea')).toEqual(['a']);
  });

  describe('has tables', () => {
    it('in which each row and each unique key contains the tenant, with row-level security', async () => {
      const tables = await fresh.database.query<{ name: string }>(
        `select t.relname as name from pg_class t where t.relnamespace = 'backstory'::regnamespace
           and t.relkind in ('r', 'p', 'v', 'm') and t.relname not in ('migration', 'citus_migration', 'database_identity')
           and not (t.relrowsecurity and t.relforcerowsecurity
             and exists (select from pg_policy p where p.polrelid = t.oid and p.polname in ('own_org', 'own_project')))`,
      );
      expect(tables).toEqual([]);
      const keys = await fresh.database.query<{ name: string }>(
        `select k.indexrelid::regclass::text as name from pg_index k join pg_class t on t.oid = k.indrelid
         where t.relnamespace = 'backstory'::regnamespace and t.relname not in ('migration', 'citus_migration', 'database_identity')
           and k.indisunique
           and not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'org'
             and a.attnum = k.indkey[0] and a.attnotnull)`,
      );
      expect(keys).toEqual([]);
    });

    it('whose server role owns nothing and cannot bypass row-level security', async () => {
      const roles = await fresh.database.query(
        `select rolname as name, rolsuper or rolbypassrls or rolcreaterole
             -- The nodes of a Citus cluster log in to each other with these roles.
             or (rolcanlogin and not exists (select from pg_extension where extname = 'citus')) as "isMighty",
           exists (select from pg_class where relowner = r.oid) as "ownsTables" from pg_roles r
         where rolname in ('backstory_app', 'backstory_gate') order by 1`,
      );
      expect(roles).toEqual([
        { name: 'backstory_app', isMighty: false, ownsTables: false },
        { name: 'backstory_gate', isMighty: false, ownsTables: false },
      ]);
      const open = await fresh.database.query(
        `select p.polrelid::regclass::text as name from pg_policy p join pg_class t on t.oid = p.polrelid
         where t.relnamespace = 'backstory'::regnamespace and pg_get_expr(p.polqual, p.polrelid) = 'true'
           and p.polroles <> array[(select oid from pg_roles where rolname = 'backstory_gate')]`,
      );
      expect(open).toEqual([]);
      const callable = await fresh.database.query<{ name: string }>(
        `select p.proname as name from pg_proc p where p.pronamespace = 'backstory'::regnamespace and p.prosecdef
           and (has_function_privilege('public', p.oid, 'execute') or p.proconfig is null
             or p.proowner <> (select oid from pg_roles where rolname = 'backstory_gate'))`,
      );
      expect(callable).toEqual([]);
    });

    it('that are not served by a role that bypasses row-level security', async () => {
      const newest = readMigrations(migrationFolder).length;
      const asOther = connect(fresh.url, () => {}, 1);
      await expect(createTeamStore(asOther, newest).isReady()).rejects.toThrow(/role backstory_app/);
      await asOther.close();
      // As behind a connection pooler that drops options.
      const [own] = await fresh.database.query<{ name: string }>('select current_database() as name');
      await fresh.database.query(
        `alter role current_user in database ${own?.name} set role = 'backstory_app'`,
      );
      const bySetting = connect(fresh.url, () => {}, 1);
      expect(await createTeamStore(bySetting, newest).isReady()).toBe(true);
      await bySetting.close();
      await fresh.database.query(`alter role session_user in database ${own?.name} reset role`);
    });

    it('that are protected whatever options the database URL has', async () => {
      const options = new URLSearchParams({ options: '-c role=none -c search_path=backstory' });
      const opened = openTeamStore(`${fresh.url}?${options}`, 1);
      const [session] = await opened.database.query(
        `select current_user::text as role, current_setting('search_path') as path,
           current_setting('statement_timeout') as most`,
      );
      expect(session).toEqual({ role: 'backstory_app', path: 'backstory', most: '3500ms' });
      expect(await opened.store.isReady()).toBe(true);
      await opened.database.close();
    });

    it('that return nothing to a query that names no tenant', async () => {
      for (const table of [
        'memory',
        'chunk',
        'vector',
        'edge',
        'token',
        'principal',
        'project',
        'outbox',
        'audit',
      ])
        expect(await database.query(`select 1 from backstory.${table} limit 1`)).toEqual([]);
      await expect(
        database.query('select 1 from backstory.vector v, backstory.org o for update'),
      ).rejects.toThrow();
    });
  });
});
