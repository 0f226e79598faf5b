import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { doctorCommand } from '../../src/cmd/team-doctor.ts';
import { checkServer } from '../../src/team/postgres/check-server.ts';
import { hasCitus } from '../../src/team/postgres/citus.ts';
import { retryDeadJobs } from '../../src/team/postgres/jobs.ts';
import { readMigrations } from '../../src/team/postgres/migrate.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import type { TeamCheck, TeamOperation } from '../../src/team/store/team-store.ts';
import { describePostgres, migrationFolder } from './postgres-server.ts';

const migrations = readMigrations(migrationFolder);
/** Checks that depend on how the test server is configured. */
const ofTheServer = ['durability', 'pgvector'];

describePostgres("The doctor of a team's database", (fresh) => {
  let operation: TeamOperation;
  let org: string;
  let project: string;
  beforeAll(async () => {
    operation = createTeamOperation(fresh.database, systemClock);
    org = await operation.createOrg('acme');
    project = await operation.createProject(org, 'api');
  });
  const examine = async () => {
    const { value, isWell } = await doctorCommand(fresh.database, migrations, operation);
    const { checks } = value as { checks: TeamCheck[] };
    const found = checks.filter(({ ok, name }) => !ok && !ofTheServer.includes(name));
    return { isWell, checks, found };
  };

  it('[team-doctor] finds nothing wrong in a healthy database, and reports its figures', async () => {
    const { isWell, found, checks } = await examine();
    expect([found, isWell]).toEqual([[], true]);
    const figures = (name: string) => checks.find((check) => check.name === name)?.figures;
    expect(figures('connections')).toMatchObject({ used: expect.any(Number), most: expect.any(Number) });
    expect(figures('clock')).toMatchObject({ apartMs: expect.any(Number) });
  });

  /** Each case breaks something, checks the report and repairs it. */
  const broken: {
    name: string;
    when: string;
    does: string;
    mend: string;
    says: Partial<Record<keyof TeamCheck, unknown>>;
  }[] = [
    {
      name: 'jobs',
      when: 'a job was given up',
      does: `insert into backstory.job (org, project, dead) values ($1, $2, now())`,
      mend: 'delete from backstory.job where org = $1 and project = $2',
      says: {
        text: expect.stringMatching(/^0 waiting, 1 given up\n +reindex of \S+ given up after 0 attempts/),
        hint: expect.stringContaining('team retry'),
      },
    },
    {
      name: 'jobs',
      when: 'no worker runs the jobs',
      does: `insert into backstory.job (org, project, run_at) values ($1, $2, now() - interval '1 hour')`,
      mend: 'delete from backstory.job where org = $1 and project = $2',
      says: {
        text: '1 waiting, the oldest for 60 minutes, 0 given up',
        hint: expect.stringContaining('serve'),
      },
    },
    {
      name: 'outbox',
      when: 'old events are not deleted',
      does: `insert into backstory.outbox (org, project, kind, ref, at) values ($1, $2, 'x', 'y', now() - interval '30 days')`,
      mend: 'delete from backstory.outbox where org = $1 and project = $2',
      says: {
        text: '1 events, the oldest 30 days old',
        isAdvice: true,
        hint: expect.stringContaining('tend'),
      },
    },
  ];
  for (const { name, when, does, mend, says } of broken)
    it(`says what to do when ${when}`, async () => {
      await fresh.database.query(does, [org, project]);
      const { found, isWell } = await examine();
      expect(found).toMatchObject([{ name, ...says }]);
      expect(isWell).toBe(found[0]?.isAdvice === true);
      await fresh.database.query(mend, [org, project]);
      expect((await examine()).found).toEqual([]);
    });

  it('says what to do about an index whose build was interrupted', async ({ skip }) => {
    if (await hasCitus(fresh.database.query)) skip('Citus refuses the index before it is built');
    await fresh.database
      .query(`create unique index concurrently half on backstory.audit ((1)) where org = '${org}'`)
      .catch(() => {});
    expect((await examine()).found).toMatchObject([
      { name: 'indexes', hint: expect.stringContaining('reindex index concurrently backstory.half') },
    ]);
    await fresh.database.query('drop index backstory.half');
  });

  it('reports tables without forced row-level security', async () => {
    await fresh.database.query('alter table backstory.memory no force row level security');
    const { found, isWell } = await examine();
    // On Citus, the check of the shards fails too.
    expect(found[0]).toMatchObject({ name: 'row-level security', text: 'not forced on memory' });
    expect(isWell).toBe(false);
    await fresh.database.query('alter table backstory.memory force row level security');
  });

  it('reports accounts that bypass row-level security, and clock differences', async () => {
    const account = `backstory_mighty_${org.slice(-6)}`;
    // Never committed: roles belong to the whole server, which other tests use too.
    const found = new Promise<TeamCheck[]>((resolve, reject) => {
      fresh.database
        .transaction(async (query) => {
          await query(`create role ${account} login superuser in role backstory_app`);
          const database = { query, transaction: <T>(work: (own: typeof query) => T) => work(query) };
          resolve(await checkServer({ ...fresh.database, ...database }, () => systemClock.now() - 60_000));
          throw new Error('not kept');
        })
        .catch(reject);
    });
    expect((await found).filter(({ ok, name }) => !ok && !ofTheServer.includes(name))).toMatchObject([
      { name: 'accounts', hint: `alter role ${account} nosuperuser nobypassrls;` },
      { name: 'clock', isAdvice: true },
    ]);
  });

  it('retries jobs that were given up', async () => {
    await fresh.database.query(
      `insert into backstory.job (org, project, attempts, dead) values ($1, $2, 8, now())`,
      [org, project],
    );
    expect(await retryDeadJobs(fresh.database)).toBe(1);
    expect(await retryDeadJobs(fresh.database)).toBe(0);
    expect(await fresh.database.query('select attempts, dead from backstory.job')).toEqual([
      { attempts: 0, dead: null },
    ]);
    await fresh.database.query('delete from backstory.job');
  });
});
