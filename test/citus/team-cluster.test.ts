import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { checkCluster } from '../../src/team/postgres/check-cluster.ts';
import type { Database } from '../../src/team/postgres/connect.ts';
import { connect } from '../../src/team/postgres/connect.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { appRole } from '../../src/team/postgres/tenant.ts';
import { describePostgres } from '../contract/postgres-server.ts';
import { aTeam, openTeamStore, type TestPerson, type TestTeam } from '../contract/team-server.ts';

interface Worker {
  name: string;
  asServer: Database;
}

describePostgres('A team database on Citus', (fresh) => {
  const teams: { team: TestTeam; project: string; ann: TestPerson }[] = [];
  const workers: Worker[] = [];

  beforeAll(async () => {
    const { store, database } = openTeamStore(fresh.url, 2);
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      const team = await aTeam(fresh.database, name);
      const project = await team.project('api');
      const ann = await team.person('ann', { [project]: 'member' });
      await store.inProject(ann.hash, project, (work) => work.audit('test', project));
      teams.push({ team, project, ann });
    }
    await database.close();
    const nodes = await fresh.database.query<{ host: string; port: number }>(
      'select node_name as host, node_port::int as port from citus_get_active_worker_nodes()',
    );
    for (const { host, port } of nodes) {
      const url = new URL(fresh.url);
      Object.assign(url, { hostname: host, port: String(port) });
      workers.push({ name: `${host}:${port}`, asServer: connect(url.href, () => {}, 1, appRole) });
    }
    return async () => {
      for (const { asServer } of workers) await asServer.close();
    };
  }, 120_000);

  it('gets checks of the cluster from the doctor', async () => {
    const checks = await checkCluster(fresh.database);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks.map(({ name }) => name)).toContain('cluster row-level security');
  });

  it('has all rows of an organisation on one worker', async () => {
    const [row] = await fresh.database.query<{ groups: number; workers: number }>(
      `select count(distinct colocation_id)::int as groups, count(distinct nodeport)::int as workers from citus_shards
       where citus_table_type = 'distributed'`,
    );
    expect(row).toEqual({ groups: 1, workers: workers.length });
  });

  it('shows no row to the server on a worker that names no organisation, or another one', async () => {
    const [first, second] = teams;
    for (const { asServer } of workers) {
      expect(await asServer.query('select 1 from backstory.audit')).toEqual([]);
      expect(await asServer.query('select 1 from backstory.token')).toEqual([]);
      const found = await asServer.transaction(async (query) => {
        await query(`set local backstory.org = '${first?.team.org}'`);
        return query<{ org: string }>('select distinct org from backstory.audit');
      });
      expect(found).toEqual([{ org: first?.team.org }]);
      const foreign = await asServer.transaction(async (query) => {
        await query(`set local backstory.org = '${first?.team.org}'`);
        return query(`select 1 from backstory.audit where org = '${second?.team.org}'`);
      });
      expect(foreign).toEqual([]);
    }
  });

  it('has forced policies on every shard, which the doctor notices when one is gone', async () => {
    const [shard] = await fresh.database.query<{ name: string; port: number }>(
      `select shard_name as name, nodeport as port from citus_shards where table_name = 'backstory.memory'::regclass`,
    );
    const url = new URL(fresh.url);
    url.port = String(shard?.port);
    const worker = connect(url.href, () => {}, 1);
    const manually =
      'set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on;';
    await worker.query(`${manually} alter table ${shard?.name} no force row level security`);
    const failed = (await checkCluster(fresh.database)).filter(({ ok }) => !ok);
    await worker.query(`${manually} alter table ${shard?.name} force row level security`);
    await worker.close();
    expect(failed.map(({ name }) => name)).toEqual(['cluster row-level security']);
    expect(failed[0]?.text).toContain(shard?.name.replace('backstory.', ''));
  });

  it('lets the server neither rename an organisation nor say when something was done', async () => {
    const { team, project, ann } = teams[0] as (typeof teams)[number];
    const { database } = openTeamStore(fresh.url, 1);
    const changed = await database.transaction(async (query) => {
      await query('select * from backstory.enter($1, $2)', [ann.hash, project]);
      await query(
        `insert into backstory.audit (org, action, at) values (backstory.current_org(), 'forged', '2001-01-01')`,
      );
      return query(`update backstory.org set name = 'x' where org = backstory.current_org() returning name`);
    });
    await database.close();
    expect(changed).toEqual([]);
    const [forged] = await fresh.database.query<{ isRecent: boolean }>(
      `select at > now() - interval '1 hour' as "isRecent" from backstory.audit where org = $1 and action = 'forged'`,
      [team.org],
    );
    expect(forged).toEqual({ isRecent: true });
  });

  const shardsOfTeams = async (): Promise<string[]> => {
    const rows = await fresh.database.query<{ shard: string }>(
      `select get_shard_id_for_distribution_column('backstory.project', p.org)::text as shard
       from unnest($1::uuid[]) with ordinality as p (org, place) order by p.place`,
      [teams.map(({ team }) => team.org)],
    );
    return rows.map(({ shard }) => shard);
  };

  it('isolates an organisation that outweighs its neighbours, and keeps its rows, rights and triggers', async () => {
    const operation = createTeamOperation(fresh.database, systemClock);
    const before = await shardsOfTeams();
    // Five teams are on four shards, so two of them share one.
    const at = before.findIndex((shard, own) => before.lastIndexOf(shard) !== own);
    const { team, project, ann } = teams[at] as (typeof teams)[number];
    await fresh.database.query('update backstory.project set chunks = 60000 where org = $1', [team.org]);
    expect(await operation.balanceCluster(60_001)).toMatchObject({ isolated: [] });
    expect((await operation.balanceCluster(60_000))?.isolated).toEqual([{ org: team.org, slices: 60_000 }]);
    const after = await shardsOfTeams();
    expect(after.filter((shard) => shard === after[at])).toHaveLength(1);
    expect(await operation.balanceCluster(60_000)).toEqual({ isolated: [], moved: 0 });

    const { store, database } = openTeamStore(fresh.url, 1);
    const note = {
      source: 'note' as const,
      sourceRef: 'n1',
      text: 'Use tabs.',
      metadata: {},
      at: 1,
      links: [],
    };
    const { changes } = await store.inProject(ann.hash, project, async (work) => {
      await work.save([{ ...note, documentId: `n1-${project}`, slices: [] }], undefined);
      return work.noteChanges(0, 10);
    });
    await database.close();
    expect(changes).toMatchObject([{ sourceRef: 'n1', version: 1 }]);
    expect((await checkCluster(fresh.database)).filter(({ ok }) => !ok)).toEqual([]);
  }, 120_000);
});
