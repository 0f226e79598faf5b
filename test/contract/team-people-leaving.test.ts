import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { type NewMemory, saveInTeam } from '../../src/team/memories/save.ts';
import { searchTeam } from '../../src/team/memories/search.ts';
import { auditCommand } from '../../src/team/operate/audit.ts';
import { runMaintenance } from '../../src/team/operate/maintenance.ts';
import type { OperatorOptions, OperatorParts } from '../../src/team/operate/operator-commands.ts';
import { retentionCommand } from '../../src/team/operate/retention.ts';
import { runDueJobs } from '../../src/team/operate/run-jobs.ts';
import type { TeamParts } from '../../src/team/parts.ts';
import { memberCommand } from '../../src/team/people/member-command.ts';
import { hasCitus } from '../../src/team/postgres/citus.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { appRole } from '../../src/team/postgres/tenant.ts';
import type { TeamOperation, TeamStore } from '../../src/team/store/team-store.ts';
import { syncNotes } from '../../src/team/sync/sync.ts';
import { makePlainOwner, type PlainOwner } from './plain-owner.ts';
import { describePostgres } from './postgres-server.ts';
import { aTeam, openTeamStore, type TestPerson, type TestTeam, teamPartsOf } from './team-server.ts';

const writing = { kinds: ['user', 'device'] as const, role: 'member' as const, scope: 'write' as const };

describePostgres('Data of a person who leaves a team server', (fresh) => {
  let owner: PlainOwner;
  let store: TeamStore;
  let model: Embedder;
  let parts: TeamParts;
  let operation: TeamOperation;
  let operator: OperatorParts;
  let team: TestTeam;
  /** Bypasses row-level security, to inspect rows and to change their times. */
  let everything: Database;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    owner = await makePlainOwner(fresh);
    const all = new URL(owner.url);
    all.username = new URL(fresh.url).username;
    everything = connect(all.href, () => {}, 1);
    const opened = openTeamStore(owner.url);
    store = opened.store;
    closing.push(
      owner.remove,
      () => everything.close(),
      () => opened.database.close(),
    );
    model = await loadStaticModel('assets/static-en.bin');
    parts = teamPartsOf(store, model);
    operation = createTeamOperation(owner.database, systemClock);
    operator = { operation, now: systemClock.now() };
    team = await aTeam(owner.database, 'acme');
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  const save = (who: TestPerson, project: string, ...saving: Partial<NewMemory>[]) =>
    saveInTeam(
      parts,
      who.hash,
      project,
      writing,
      saving.map((one) => ({ source: 'note', sourceRef: 'n', text: 'x', at: systemClock.now(), ...one })),
    );
  const pull = (who: TestPerson, project: string, after = 0, removed: string[] = []) =>
    syncNotes(parts, who.hash, project, { after, notes: [], removed, disputes: [], settled: [] });
  const found = async (who: TestPerson, project: string, text: string) =>
    (
      await searchTeam({ store, embedder: model }, who.hash, project, {
        text,
        limit: 10,
      })
    ).map((hit) => hit.text);
  const member = (words: string[], options: OperatorOptions = {}) => memberCommand(operator, words, options);
  const codeOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
  /** Finds rows of any table that contain these words in any column. */
  const rowsWith = async (pattern: string): Promise<string[]> => {
    const tables = await everything.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'backstory'::regnamespace and relkind = 'r'`,
    );
    const places: string[] = [];
    for (const { name } of tables) {
      const rows = await everything.query<{ row: string }>(
        `select t::text as row from backstory."${name}" t where t::text ~* $1`,
        [pattern],
      );
      places.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 200)}`));
    }
    return places;
  };
  const countsAreTrue = async (project: string) => {
    const [row] = await everything.query(
      `select p.chunks::int = (select count(*) from backstory.chunk c where c.org = p.org and c.project = p.id) as chunks,
         coalesce((select sum(vectors) from backstory.vector_state s where s.org = p.org and s.project = p.id), 0)
           = (select count(*) from backstory.vector v where v.org = p.org and v.project = p.id) as vectors
       from backstory.project p where id = $1`,
      [project],
    );
    expect(row).toEqual({ chunks: true, vectors: true });
  };

  it('stays if the person is only removed, and the person can be added again', async () => {
    const project = await team.project('shut');
    const ann = await team.person('ann', { [project]: 'member' });
    const bob = await team.person('bob', { [project]: 'member' });
    await save(ann, project, { text: 'Otters hold hands.' });
    expect((await member(['remove', 'ann'])).value).toMatchObject({ disabled: true });
    expect(await codeOf(store.identify(ann.hash))).toBe('UNAUTHORIZED');
    expect(await found(bob, project, 'otters')).toEqual(['Otters hold hands.']);
    expect((await member([])).text).toContain('ann, removed');
    await member(['add', 'ann']);
    expect(await codeOf(store.identify(ann.hash))).toBe('UNAUTHORIZED');
    expect(await codeOf(store.identify((await team.token(ann.id)).hash))).toBe('done');
  });

  it('[team-offboard] is reassigned to another member, and private memories are deleted', async () => {
    const project = await team.project('handing');
    const cat = await team.person('cat', { [project]: 'member' });
    const laptop = await team.device('laptop of cat', cat);
    const dan = await team.person('dan', { [project]: 'member' });
    await save(cat, project, { sourceRef: 'one', text: 'Puffins nest in burrows.' });
    await save(laptop, project, { sourceRef: 'two', text: 'Puffins dive.', source: 'job' });
    await save(cat, project, { sourceRef: 'diary', text: 'Puffins are my secret.', isPrivate: true });
    expect(await codeOf(member(['remove', 'cat'], { reassign: 'cat' }))).toBe('INVALID_ARGUMENT');
    expect(await codeOf(member(['remove', 'cat'], { reassign: 'nobody' }))).toBe('NOT_FOUND');
    const before = await pull(dan, project);
    expect((await member(['remove', 'cat'], { reassign: 'dan' })).value).toMatchObject({
      to: dan.id,
      reassigned: 2,
      removed: 1,
    });
    expect(await codeOf(store.identify(laptop.hash))).toBe('UNAUTHORIZED');
    expect((await found(dan, project, 'puffins')).toSorted()).toEqual([
      'Puffins dive.',
      'Puffins nest in burrows.',
    ]);
    expect(await rowsWith('puffins are my secret')).toEqual([]);
    // The text is unchanged, so it is no change for laptops.
    expect((await pull(dan, project, before.version)).changes).toEqual([]);
    await pull(dan, project, before.version, ['one']);
    expect(await found(dan, project, 'puffins')).toEqual(['Puffins dive.']);
    await countsAreTrue(project);
  });

  describe('is erased', () => {
    const names = 'quentin|marigold';

    it('[team-erase] with the name, from every table, from memories of others and from laptops', async () => {
      const project = await team.project('erasing');
      const other = await team.project('erasing elsewhere');
      const quentin = await team.person('quentin', { [project]: 'member', [other]: 'member' });
      await operator.operation.link(team.org, quentin.id, { email: 'q.marigold@acme.example' });
      const laptop = await team.device('quentins-laptop', quentin);
      const eve = await team.person('eve', { [project]: 'member', [other]: 'member' });
      await save(quentin, project, {
        sourceRef: 'a',
        text: 'Walruses whistle under water.',
        metadata: { author: 'Quentin Marigold' },
      });
      await save(laptop, other, {
        source: 'job',
        sourceRef: 'j',
        text: 'Walruses were counted in src/count.ts.',
      });
      await save(quentin, project, { sourceRef: 'b', text: 'Walruses are mine alone.', isPrivate: true });
      await save(eve, project, {
        sourceRef: 'c',
        text: 'Quentin said that consequentine seals moult; ask q.marigold@acme.example.',
        metadata: { asked: ['quentin'], by: { name: 'Quentin Marigold' } },
      });
      await save(eve, project, { sourceRef: 'd', text: 'Nothing of anybody.' });
      const before = await pull(eve, project);
      expect(before.changes.map(({ id }) => id)).toEqual(expect.arrayContaining(['a', 'c', 'd']));

      const plan = await member(['remove', 'quentin'], { erase: true, also: ['Quentin Marigold'] });
      expect(plan.value).toMatchObject({ erased: false, team: 2, private: 1, mentions: 1 });
      expect(await codeOf(store.identify(quentin.hash))).toBe('done');
      expect((await found(eve, project, 'walruses')).length).toBeGreaterThan(0);

      // Continues after an interruption.
      await operator.operation.removeBelongings(team.org, quentin.id, 'private');
      const done = await member(['remove', 'quentin'], {
        erase: true,
        also: ['Quentin Marigold'],
        yes: true,
      });
      expect(done.value).toMatchObject({ erased: true, removed: 2, rewritten: 1, left: [] });
      expect(await codeOf(store.identify(laptop.hash))).toBe('UNAUTHORIZED');
      expect(await rowsWith(`(?<![[:alnum:]])(${names})(?![[:alnum:]])`)).toEqual([]);
      expect(await rowsWith('walrus|quentins-laptop')).toEqual([]);
      expect(await found(eve, project, 'seals moult')).toEqual([
        '[erased] said that consequentine seals moult; ask [erased].',
      ]);
      const [told] = (
        await store.inProject(eve.hash, project, (work) => work.list(undefined, 10))
      ).memories.filter(({ sourceRef }) => sourceRef === 'c');
      expect(told?.metadata).toEqual({
        asked: ['[erased]'],
        by: { name: '[erased]' },
        author: 'eve',
      });
      const after = await pull(eve, project, before.version);
      expect(after.changes.find(({ id }) => id === 'a')).not.toHaveProperty('note');
      expect(after.changes.find(({ id }) => id === 'c')).toMatchObject({ isYours: true });
      expect(after.changes.map(({ id }) => id)).not.toContain('d');
      await countsAreTrue(project);
      await countsAreTrue(other);
      // The job makes the vectors of the rewritten memories.
      await runDueJobs({ jobs: store.jobs, embedder: model, onFailure: () => {} });
      await countsAreTrue(project);
      const log = await operator.operation.audit(team.org, '2000-01-01');
      expect(
        log.filter(({ who }) => who?.id === quentin.id).every(({ who }) => who?.name.startsWith('erased ')),
      ).toBe(true);
      expect(log.map(({ action }) => action)).toContain('person.erase');
      // The name can be used again, for a different person.
      const next = await member(['add', 'quentin']);
      expect((next.value as { principal: string }).principal).not.toBe(quentin.id);
      await member(['remove', 'quentin'], { erase: true, yes: true });
    });

    it('[team-erase] without overwriting what a teammate changes or removes meanwhile', async () => {
      const project = await team.project('at the same time');
      await team.person('theodora', { [project]: 'member' });
      const vic = await team.person('vic', { [project]: 'member' });
      await save(vic, project, { sourceRef: 'edited', text: 'Theodora likes terns.' });
      const [gone] = await save(vic, project, { sourceRef: 'gone', text: 'Theodora likes storks.' });
      let change: (() => Promise<void>) | undefined = async () => {
        change = undefined;
        await save(vic, project, { sourceRef: 'edited', text: 'Theodora counts terns.' });
        await store.inProject(vic.hash, project, (work) => work.remove(gone?.documentId ?? ''));
      };
      const mentions: typeof operator.operation.mentions = async (...asked) => {
        const read = await operator.operation.mentions(...asked);
        if (asked[1] === project) await change?.();
        return read;
      };
      const done = await memberCommand(
        { ...operator, operation: { ...operator.operation, mentions } },
        ['remove', 'theodora'],
        { erase: true, yes: true },
      );
      expect(done.value).toMatchObject({ rewritten: 1, left: [] });
      const { memories } = await store.inProject(vic.hash, project, (work) => work.list(undefined, 10));
      expect(memories.map(({ text }) => text)).toEqual(['[erased] counts terns.']);
    });
  });

  describe('beyond its retention period', () => {
    it('[team-retention] is deleted in batches, from laptops too, except pinned notes and knowledge', async () => {
      const project = await team.project('ageing');
      const hal = await team.person('hal', { [project]: 'member' });
      for (const source of ['note', 'job', 'knowledge'] as const)
        await save(
          hal,
          project,
          ...['a', 'b', 'c'].map((sourceRef) => ({
            source,
            sourceRef,
            text: `Old ${source} ${sourceRef} of cranes.`,
          })),
          { source, sourceRef: 'pin', text: `Pinned ${source} of cranes.`, metadata: { pinned: true } },
        );
      await everything.query(
        `update backstory.memory set updated = now() - interval '100 days' where project = $1`,
        [project],
      );
      await save(hal, project, { source: 'job', sourceRef: 'new', text: 'A new job of cranes.' });
      const before = await pull(hal, project);
      const set = await retentionCommand(operator, ['ageing'], { days: '90' });
      expect(set.value).toMatchObject({ sources: ['issue', 'comment', 'job', 'note'], keepDays: 90 });
      expect((await retentionCommand(operator, ['list'], {})).text).toContain('ageing: job for 90 days');
      expect(await operation.applyRetention(2)).toBe(6);
      const left = (await store.inProject(hal.hash, project, (work) => work.list(undefined, 50))).memories;
      expect(left.map(({ source, sourceRef }) => `${source} ${sourceRef}`).toSorted()).toEqual([
        'job new',
        'job pin',
        'knowledge a',
        'knowledge b',
        'knowledge c',
        'knowledge pin',
        'note pin',
      ]);
      const gone = (await pull(hal, project, before.version)).changes;
      expect(gone.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c']);
      expect(gone.every((change) => !('note' in change))).toBe(true);
      const told = await everything.query<{ payload: unknown }>(
        `select payload from backstory.outbox where project = $1 and kind = 'memory:removed'`,
        [project],
      );
      expect(told.map(({ payload }) => payload)).toContainEqual({ source: 'job', sourceRef: 'a' });
      await countsAreTrue(project);

      await retentionCommand(operator, ['remove', 'ageing'], {});
      await retentionCommand(operator, ['ageing'], { source: 'knowledge', days: '90', pinned: true });
      expect(await runMaintenance(operation)).toMatchObject({ removed: 4 });
      await retentionCommand(operator, ['remove', 'ageing'], { source: 'knowledge' });
      expect((await retentionCommand(operator, [], {})).text).toBe(
        'There are no retention policies. Memories are kept until somebody removes them.',
      );
      const log = await operator.operation.audit(team.org, '2000-01-01');
      expect(log.filter(({ action }) => action === 'retention.apply').length).toBeGreaterThan(0);
      expect(log.filter(({ action }) => action === 'retention.set').length).toBe(5);
      for (const words of [['ageing'], ['nowhere', '--days']])
        expect(await codeOf(retentionCommand(operator, words, {}))).not.toBe('done');
      expect(await codeOf(retentionCommand(operator, ['ageing'], { days: '9', source: 'diary' }))).toBe(
        'INVALID_ARGUMENT',
      );
    });

    it('is deleted together with ended browser sessions', async () => {
      const ida = await team.person('ida', {});
      await everything.query(
        `update backstory.token set is_browser_session = true, expires = now() - interval '40 days' where principal = $1`,
        [ida.id],
      );
      expect(await runMaintenance(operation)).toMatchObject({ browserSessions: 1 });
    });
  });

  describe('appears in the audit log', () => {
    it('[team-audit] with person and device, and never with the text of a memory', async () => {
      const project = await team.project('noting');
      const jon = await team.person('jon', { [project]: 'member' });
      const laptop = await team.device('jons-laptop', jon);
      const [saved] = await save(jon, project, { text: 'Penguins huddle.' });
      await store.inProject(jon.hash, project, async (work) => {
        await work.remove(saved?.documentId ?? '');
        await work.audit('memory.remove', saved?.documentId ?? '');
      });
      await syncNotes(parts, laptop.hash, project, {
        after: 0,
        removed: [],
        disputes: [],
        settled: [],
        notes: [
          {
            id: '01a1df6f-2e0f-7912-8215-1964a63b275b',
            kind: 'decision',
            text: 'Penguins march.',
            concepts: [],
            files: [],
            created: '',
            updated: '',
            device: 'd',
            rev: 1,
            base: 0,
          },
        ],
      });
      const { text, value } = await auditCommand(operator, [], {});
      const lines = text.split('\n');
      expect(lines.some((line) => / {2}jon {2}memory\.remove {2}/.test(line))).toBe(true);
      expect(lines.some((line) => / {2}jon \(jons-laptop\) {2}notes\.push {2}/.test(line))).toBe(true);
      expect(lines.some((line) => / {2}operator {2}member\.role {2}/.test(line))).toBe(true);
      expect(JSON.stringify(value)).not.toMatch(/Penguins|Puffins|Walruses/);
      expect((await auditCommand(operator, [], { since: '2099-01-01' })).text).toBe(
        'The audit log has no entries since then',
      );
      expect(await codeOf(auditCommand(operator, [], { since: 'yesterday' }))).toBe('INVALID_ARGUMENT');
    });

    it('permanently: neither the server nor the owner can change, delete or backdate an entry', async () => {
      const app = connect(owner.url, () => {}, 1, appRole);
      const inOrg = (sql: string) =>
        codeOf(
          app.transaction(async (query) => {
            await query(`set local backstory.org = '${team.org}'`);
            await query(sql);
          }),
        );
      const line = 'insert into backstory.audit (org, action';
      expect(await inOrg(`${line}) values (backstory.current_org(), 'test')`)).toBe('done');
      // On Citus a trigger replaces the time (team-cluster.test.ts).
      expect(await inOrg(`${line}, at) values (backstory.current_org(), 'test', now())`)).toMatch(
        (await hasCitus(app.query)) ? 'done' : /permission denied/,
      );
      expect(await inOrg(`${line}) values (gen_random_uuid(), 'test')`)).toMatch(/row-level security/);
      expect(await inOrg(`update backstory.audit set action = 'x'`)).toMatch(/permission denied/);
      expect(await inOrg('delete from backstory.audit')).toMatch(/permission denied/);
      expect(await inOrg('truncate backstory.audit')).toMatch(/permission denied/);
      await app.close();
      for (const sql of [
        'delete from backstory.audit',
        `update backstory.audit set action = 'x'`,
        'truncate backstory.audit',
      ])
        expect(await codeOf(everything.query(sql))).toMatch(/stays written down/);
    });
  });
});
