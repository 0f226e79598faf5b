import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomHex } from '../../src/base/ids.ts';
import { doctorCommand } from '../../src/cmd/team-doctor.ts';
import { migrateCommand } from '../../src/cmd/team-migrate.ts';
import { checkCluster } from '../../src/team/postgres/check-cluster.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { readMigrations } from '../../src/team/postgres/migrate.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import type { OutboxPosition, TeamStore } from '../../src/team/store/team-store.ts';
import { describePostgres, migrationFolder } from '../contract/postgres-server.ts';
import { aTeam, openTeamStore, type TestPerson, type TestTeam } from '../contract/team-server.ts';
import { freePort } from '../support/free-port.ts';

/** The commands of the guide, in order, run as an operator would type them. */
const guide = readFileSync('docs/guides/team-operate.md', 'utf8');
const section = guide.slice(
  guide.indexOf('## Back up and restore a Citus cluster'),
  guide.indexOf('## Upgrade'),
);
const [receive, baseBackup, restorePoint, restoreFiles] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, commands]) => (commands as string).trim(),
);
const script = resolve('scripts/postgres.sh');
const postgres = (variables: Record<string, string>, commands = 'false'): string[] => [
  ...[script, 'run', 'env', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)],
  ...['sh', '-ec', commands],
];
const run = (variables: Record<string, string>, commands: string | undefined): void => {
  const { status, stdout, stderr } = spawnSync('bash', postgres(variables, commands), { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${commands}: ${stdout}${stderr}`);
};

interface Node {
  port: number;
  restoredPort: number;
  folder: string;
  data: string;
  connection: string;
}

interface Written {
  team: TestTeam;
  project: string;
  ann: TestPerson;
  bob: TestPerson;
  /** Notes that the server acknowledged, in this order. */
  acknowledged: string[];
}

const model = { id: 'test', dims: 3 };
const vector = Float32Array.of(1, 0, 0);
const migrations = readMigrations(migrationFolder);

describePostgres('A team server on Citus that is restored as the guide says', (fresh) => {
  const backups = `/var/lib/postgresql/backup-${randomHex(6)}`;
  const nodes: Node[] = [];
  const receivers: ChildProcess[] = [];
  const teams: Written[] = [];
  let restored: Database;
  let restoredUrl: string;
  /** The last event that a listener may have got before the restore point. Later ids: see ADR 47. */
  let lastEvent: OutboxPosition;
  /** For each organisation, how many of its notes were acknowledged before and after the restore point was made. */
  let before: number[];
  let after: number[];

  const save = (store: TeamStore, { project, ann, acknowledged }: Written, name: string) =>
    store
      .inProject(ann.hash, project, (work) => {
        const documentId = `${name}-${project}`;
        const text = `Note ${name}: retries wait ten seconds.`;
        const memory = { source: 'note' as const, sourceRef: name, text, metadata: {}, at: 1, links: [] };
        return work.save([{ ...memory, documentId, slices: [{ id: documentId, text, vector }] }], model);
      })
      .then(() => acknowledged.push(name));
  const allChanges = (store: TeamStore, { project, ann }: Written) =>
    store.inProject(ann.hash, project, (work) => work.noteChanges(0, 10_000));

  beforeAll(async () => {
    const found = await fresh.database.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    );
    for (const { host, port } of found)
      nodes.push({
        port,
        restoredPort: 0,
        folder: `${backups}/${port}`,
        data: `${backups}/${port}-restored`,
        connection: `host=${host} port=${port} user=postgres`,
      });
    for (const { folder, connection } of nodes) {
      const child = spawn('bash', postgres({ folder, node: connection }, receive), {
        detached: true,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      receivers.push(child);
    }
    const { store, database } = openTeamStore(fresh.url, 6);
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      const team = await aTeam(fresh.database, name);
      const project = await team.project('api');
      const ann = await team.person('ann', { [project]: 'member' });
      const bob = await team.person('bob', { [project]: 'member' });
      teams.push({ team, project, ann, bob, acknowledged: [] });
    }
    for (const team of teams) await save(store, team, 'before-the-base-backup');
    for (const { folder, connection } of nodes) run({ folder, node: connection }, baseBackup);

    let isWriting = true;
    const writers = teams.map(async (team) => {
      for (let number = 0; isWriting; number++) await save(store, team, `note-${number}`);
    });
    await sleep(1_000);
    lastEvent = await store.outbox.head();
    before = teams.map(({ acknowledged }) => acknowledged.length);
    const [coordinator] = nodes as [Node];
    const name = new URL(fresh.url).pathname.slice(1);
    await promisify(execFile)(
      'bash',
      postgres({ coordinator: `${coordinator.connection} dbname=${name}`, point: name }, restorePoint),
    );
    after = teams.map(({ acknowledged }) => acknowledged.length);
    await sleep(500);
    isWriting = false;
    await Promise.all(writers);

    const [first] = teams as [Written];
    await store.inProject(first.ann.hash, first.project, (work) =>
      work.removeSource('note', 'before-the-base-backup'),
    );
    await first.team.revoke(first.bob.id);
    await database.close();
    // The last WAL is received within moments.
    await sleep(500);

    for (const node of nodes) {
      const { folder, data } = node;
      // Connections of this test take free ports too, so choose it late.
      node.restoredPort = await freePort();
      run({ folder, data, point: name }, `mkdir -m 700 ${data}\n${restoreFiles}`);
      // The old nodes are still running, as those of other tests. The restored ones must not reach them.
      run(
        { data },
        `printf 'port = ${node.restoredPort}\\ncitus.recover_2pc_interval = -1\\n' >>$data/postgresql.auto.conf
         pg_ctl -D $data -l $data.log -w -t 60 start </dev/null >/dev/null 2>&1 || { cat $data.log; exit 1; }`,
      );
    }
    for (const { restoredPort } of nodes) {
      const changed = nodes
        .map((one) => `update pg_dist_node set nodeport = ${one.restoredPort} where nodeport = ${one.port}`)
        .join('; ');
      run(
        {},
        `psql -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p ${restoredPort} -U postgres -d ${name} -c '${changed}'`,
      );
    }
    const url = new URL(fresh.url);
    url.port = String(coordinator.restoredPort);
    restoredUrl = url.href;
    restored = connect(restoredUrl, () => {}, 2);
  }, 180_000);

  afterAll(async () => {
    await restored?.close();
    for (const { pid } of receivers) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    for (const { data } of nodes) run({ data }, 'pg_ctl -D $data -m immediate stop >/dev/null || true');
    for (const { port } of nodes) {
      const drop = `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = 'backstory_backup'`;
      for (let tries = 0; tries < 20; tries++) {
        try {
          run({}, `psql -X -q -h 127.0.0.1 -p ${port} -U postgres -v ON_ERROR_STOP=1 -c "${drop}"`);
          break;
        } catch {
          await sleep(200);
        }
      }
    }
    run({}, `rm -r ${backups}`);
  });

  it('[team-backup] has every acknowledged write of each organisation once, and nothing from later', async () => {
    const { store, database } = openTeamStore(restoredUrl, 2);
    for (const [at, team] of teams.entries()) {
      const { changes } = await allChanges(store, team);
      const names = changes.map(({ sourceRef }) => sourceRef);
      // One more write may have been under way when the restore point was made.
      const possible = team.acknowledged.slice(0, (after[at] ?? 0) + 1);
      expect(names).toEqual(expect.arrayContaining(team.acknowledged.slice(0, before[at])));
      expect(possible).toEqual(expect.arrayContaining(names));
      expect(names).toEqual([...new Set(names)]);
      const [stored] = await restored.query<Record<string, number>>(
        `select (select count(*)::int from backstory.memory where org = $1) as memories,
           (select count(*)::int from backstory.chunk where org = $1) as chunks,
           (select count(*)::int from backstory.vector where org = $1) as vectors,
           (select chunks from backstory.project where org = $1)::int as counted`,
        [team.team.org],
      );
      const count = names.length;
      expect(stored).toEqual({ memories: count, chunks: count, vectors: count, counted: count });
    }
    await database.close();
  });

  it('brings back what was removed or revoked after the restore point', async () => {
    const { store, database } = openTeamStore(restoredUrl, 1);
    const [first] = teams as [Written];
    const { changes } = await allChanges(store, { ...first, ann: first.bob });
    await database.close();
    expect(changes).toContainEqual(
      expect.objectContaining({ sourceRef: 'before-the-base-backup', text: expect.any(String) }),
    );
  });

  it('[team-restore] is recognised only with --after-restore, as any restore of files, and is then in service', async () => {
    const epochs = 'select epoch from backstory.note_feed order by project';
    const old = await restored.query(epochs);
    expect(await migrateCommand(restored, migrations, false)).toMatchObject({ value: { restored: null } });
    // As if the coordinator had handed out all numbers but one after its end of the restore point.
    for (const name of ['chunk_seq_seq', 'outbox_seq_seq', 'audit_seq_seq'])
      await restored.query(`select setval('backstory.${name}', 1)`);
    expect(await migrateCommand(restored, migrations, true)).toMatchObject({
      value: { applied: [], restored: { organisations: teams.length, endedSessions: 0 } },
    });
    const renewed = await restored.query(epochs);
    for (const epoch of old) expect(renewed).not.toContainEqual(epoch);
    expect((await checkCluster(restored)).filter(({ ok }) => !ok)).toEqual([]);
    const doctor = await doctorCommand(restored, migrations, createTeamOperation(restored, systemClock));
    expect(doctor.isWell, doctor.text).toBe(true);
  });

  it('[team-restore] continues the versions of notes, and tells listeners to start over', async () => {
    const { store, database } = openTeamStore(restoredUrl, 2);
    expect(await store.outbox.isUnknown(lastEvent)).toBe(true);
    let position = await store.outbox.head();
    for (const team of teams) {
      const { version } = await allChanges(store, team);
      await save(store, team, 'after-the-restore');
      await save(store, team, 'once-more');
      const { changes } = await store.inProject(team.ann.hash, team.project, (work) =>
        work.noteChanges(version, 10),
      );
      expect(changes.map((change) => [change.sourceRef, change.version])).toEqual([
        ['after-the-restore', version + 1],
        ['once-more', version + 2],
      ]);
      const events = await store.outbox.after(position, 10);
      const refs = ['after-the-restore', 'once-more'].map((name) => `${name}-${team.project}`);
      expect(events.map(({ ref }) => ref)).toEqual(refs);
      position = events.at(-1) ?? position;
    }
    await database.close();
    const repeated = await restored.query('select 1 from backstory.chunk group by seq having count(*) > 1');
    expect(repeated).toEqual([]);
  });
});
