import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomHex } from '../../src/base/ids.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { type GivenMemory, prepare } from '../../src/team/memories/prepare.ts';
import { searchTeam } from '../../src/team/memories/search.ts';
import { backupTeam } from '../../src/team/postgres/backup.ts';
import { lastBackup, noteBackup } from '../../src/team/postgres/backup-records.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { closedToGate } from '../../src/team/postgres/gate-privileges.ts';
import { migrate, readMigrations } from '../../src/team/postgres/migrate.ts';
import { restoreTeam } from '../../src/team/postgres/restore.ts';
import { describePostgres, migrationFolder } from './postgres-server.ts';
import { aTeam, openTeamStore, type TestPerson } from './team-server.ts';

const now = 1_790_000_000_000;
const migrations = readMigrations(migrationFolder);
const written = { at: '2026-11-15T12:00:00.000Z', version: '0' };
const subjects = ['queue', 'cache', 'deploy', 'invoice', 'login', 'search', 'backup', 'parser'];

describePostgres("A backup of a team's memory", (fresh) => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-backup-'));
  const made: string[] = [];
  const owner = `backstory_owner_${randomHex(4)}`;
  const closing: (() => Promise<void>)[] = [];
  let embedder: Embedder;
  let project: string;
  let ann: TestPerson;
  let files = 0;
  const newFile = () => join(folder, `${++files}.backup`);

  /** Another database of the same server, without tables. */
  const empty = async (): Promise<{ url: string; database: Database }> => {
    const name = `backstory_restored_${randomHex(5)}`;
    await fresh.database.query(`create database ${name}`);
    made.push(name);
    const url = new URL(fresh.url);
    url.pathname = `/${name}`;
    const database = connect(url.href, () => {}, 2);
    closing.push(() => database.close());
    return { url: url.href, database };
  };
  const save = async (store: ReturnType<typeof openTeamStore>['store'], given: GivenMemory[]) => {
    const prepared = await prepare(project, given, embedder);
    return store.inProject(ann.hash, project, (work) => work.save(prepared, embedder));
  };
  const note = (ref: string, text: string): GivenMemory => ({
    source: 'note',
    sourceRef: ref,
    text,
    at: now,
  });
  const answers = async (url: string) => {
    const { store, database } = openTeamStore(url, 2);
    try {
      const asked = ['how is the queue retried', 'cache of invoices', 'src/login/index.ts', 'parser'];
      return await Promise.all(
        asked.map((text) => searchTeam({ store, embedder }, ann.hash, project, { text, limit: 10, now })),
      );
    } finally {
      await database.close();
    }
  };

  beforeAll(async () => {
    embedder = await loadStaticModel('assets/static-en.bin');
    const team = await aTeam(fresh.database, 'ours');
    project = await team.project('api');
    ann = await team.person('ann', { [project]: 'member' });
    const { store, database } = openTeamStore(fresh.url);
    closing.push(() => database.close());
    await save(
      store,
      Array.from({ length: 200 }, (_, at) =>
        note(
          `n${at}`,
          `The ${subjects[at % 8]} number ${at} is done in src/${subjects[(at * 3) % 8]}/index.ts.`,
        ),
      ),
    );
    await store.inProject(ann.hash, project, (work) => work.removeSource('note', 'n7'));
  });
  afterAll(async () => {
    for (const close of closing) await close();
    for (const name of made) await fresh.database.query(`drop database if exists ${name} with (force)`);
    await fresh.database.query(`drop role if exists ${owner}`);
    rmSync(folder, { recursive: true, force: true });
  });

  it('[team-backup] brings back the same answers, with every policy forced and every counter going on', async () => {
    const file = newFile();
    const report = await backupTeam(fresh.url, file, written);
    expect(report).toMatchObject({ file, migration: migrations.length, bytes: statSync(file).size });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { url, database } = await empty();
    expect(await restoreTeam(url, database, file, migrations)).toMatchObject({
      at: written.at,
      rows: report.rows,
      applied: [],
    });
    expect(await answers(url)).toEqual(await answers(fresh.url));
    const unforced = await database.query(
      `select relname from pg_class where relnamespace = 'backstory'::regnamespace and relkind = 'r'
       and relname <> 'migration' and not (relrowsecurity and relforcerowsecurity)`,
    );
    expect(unforced).toEqual([]);
    const idle = await database.query(
      `select tgname from pg_trigger where tgenabled <> 'O' and not tgisinternal`,
    );
    expect(idle).toEqual([]);
    const opened = openTeamStore(url, 2);
    const [saved] = await save(opened.store, [note('later', 'Saved after the restore, about the queue.')]);
    expect(saved).toMatchObject({ isChanged: true });
    const changes = await opened.store.inProject(ann.hash, project, (work) => work.noteChanges(0, 1_000));
    await opened.database.close();
    expect(changes.changes.filter(({ sourceRef }) => sourceRef === 'n7')).toMatchObject([
      { isRemoved: true },
    ]);
    expect(changes.changes).toHaveLength(201);
  });

  it('brought back begins a new count for laptops, and ends the sessions of browsers', async () => {
    const epochs = (of: Database) =>
      of.query<{ project: string; epoch: string }>('select project, epoch from backstory.note_feed');
    const browser = `select count(*)::int as open from backstory.token where is_browser_session and revoked is null`;
    await fresh.database.query(
      `insert into backstory.token (org, id, principal, hash, scopes, label, expires, is_browser_session)
       select org, gen_random_uuid(), principal, sha256('browser'), scopes, 'browser', now() + interval '1 day', true
       from backstory.token limit 1`,
    );
    const file = newFile();
    await backupTeam(fresh.url, file, written);
    const { url, database } = await empty();
    expect(await restoreTeam(url, database, file, migrations)).toMatchObject({ endedSessions: 1 });
    const [before] = await epochs(fresh.database);
    const [after] = await epochs(database);
    expect(after?.project).toBe(before?.project);
    expect(after?.epoch).not.toBe(before?.epoch);
    expect(await fresh.database.query(browser)).toEqual([{ open: 1 }]);
    expect(await database.query(browser)).toEqual([{ open: 0 }]);
    // Tokens that were good stay so.
    expect(await answers(url)).toEqual(await answers(fresh.url));
    await fresh.database.query('delete from backstory.token where is_browser_session');
  });

  it('is of one moment, however much is written meanwhile', async () => {
    const { store, database } = openTeamStore(fresh.url, 4);
    let isWriting = true;
    let rounds = 0;
    // Each write replaces a pair at once, so that half of one is seen as such.
    const write = async (pair: string) => {
      for (; isWriting; rounds++)
        await save(store, [
          note(`${pair}-left`, `Round ${rounds} of ${pair}.`),
          note(`${pair}-right`, `Round ${rounds} of ${pair}.`),
        ]);
    };
    const writing = ['a', 'b', 'c'].map(write);
    const restored: Database[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const before = rounds;
      const file = newFile();
      await backupTeam(fresh.url, file, written);
      expect(rounds).toBeGreaterThan(before);
      const target = await empty();
      await restoreTeam(target.url, target.database, file, migrations);
      restored.push(target.database);
    }
    isWriting = false;
    await Promise.all(writing);
    await database.close();
    for (const one of restored) {
      const torn = await one.query(
        `select l.source_ref from backstory.memory l join backstory.memory r
           on r.source_ref = replace(l.source_ref, '-left', '-right')
         where l.source_ref like '%-left' and l.text <> r.text`,
      );
      const uncut = await one.query(
        `select m.id from backstory.memory m where not exists (select from backstory.chunk c join backstory.vector v
           on v.org = c.org and v.project = c.project and v.chunk = c.seq
           where c.org = m.org and c.source_id = m.id and c.generation = m.generation)`,
      );
      expect({ torn, uncut }).toEqual({ torn: [], uncut: [] });
    }
  });

  it('[team-backup-whole] that was cut short or changed is refused before anything is written', async () => {
    const file = newFile();
    await backupTeam(fresh.url, file, written);
    const bytes = readFileSync(file);
    const last = bytes.lastIndexOf('\nbackstory');
    const plain = zstdDecompressSync(bytes.subarray(0, last));
    const packed = (content: Buffer) => Buffer.concat([zstdCompressSync(content), bytes.subarray(last)]);
    const { url, database } = await empty();
    const refused = async (what: string) => {
      await expect(restoreTeam(url, database, file, migrations), what).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
      expect(await database.query(`select 1 from pg_namespace where nspname = 'backstory'`), what).toEqual(
        [],
      );
    };
    for (const length of [0, 1, 100, Math.floor(bytes.length / 2), bytes.length - 40, bytes.length - 1]) {
      writeFileSync(file, bytes);
      truncateSync(file, length);
      await refused(`cut to ${length} of ${bytes.length}`);
    }
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 25)) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 0x10;
      writeFileSync(file, changed);
      await refused(`a bit changed at ${at}`);
    }
    // As somebody would who compresses it again.
    for (let at = 0; at < plain.length; at += Math.ceil(plain.length / 25)) {
      const changed = Buffer.from(plain);
      changed[at] = (changed[at] as number) ^ 0x01;
      writeFileSync(file, packed(changed));
      await refused(`a bit of what it says changed at ${at}`);
    }
    writeFileSync(file, packed(Buffer.concat([plain, plain])));
    await refused('written twice');
    writeFileSync(file, bytes);
    await restoreTeam(url, database, file, migrations);
  });

  it('goes into an empty database only, and replaces no file', async () => {
    const file = newFile();
    await backupTeam(fresh.url, file, written);
    await expect(backupTeam(fresh.url, file, written)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(restoreTeam(fresh.url, fresh.database, file, migrations)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('not empty'),
    });
    const { url, database } = await empty();
    await expect(backupTeam(url, newFile(), written)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // Tables without a row are no obstacle.
    await migrate(database, migrations);
    await restoreTeam(url, database, file, migrations);
  });

  it('of an older version is brought forward, and of a newer one refused', async () => {
    const file = newFile();
    await backupTeam(fresh.url, file, written);
    const next = {
      number: migrations.length + 1,
      name: '9999-next.sql',
      sql: 'alter table backstory.memory add column added integer not null default 7',
    };
    const { url, database } = await empty();
    expect(await restoreTeam(url, database, file, [...migrations, next])).toMatchObject({
      applied: ['9999-next.sql'],
    });
    const rows = await database.query('select distinct added from backstory.memory');
    expect(rows).toEqual([{ added: 7 }]);
    const newer = newFile();
    await backupTeam(url, newer, written);
    const other = await empty();
    await expect(restoreTeam(other.url, other.database, newer, migrations)).rejects.toMatchObject({
      hint: expect.stringContaining('Upgrade'),
    });
  });

  it('leaves out no table, whichever migration made it', async () => {
    const next = {
      number: migrations.length + 1,
      name: '9999-next.sql',
      sql: `create table backstory.later (org uuid not null, id text not null, primary key (org, id));
        alter table backstory.later enable row level security; alter table backstory.later force row level security;
        create policy own_org on backstory.later using (org = (select backstory.current_org()));`,
    };
    const { url, database } = await empty();
    await migrate(database, [...migrations, next]);
    expect(await closedToGate(database.query)).toEqual([]);
    await database.query('drop policy gate_reads on backstory.later');
    await expect(backupTeam(url, newFile(), written)).rejects.toMatchObject({
      message: expect.stringContaining('backstory.later'),
      hint: 'backstory team migrate',
    });
  });

  it('is taken and brought back by an owner who is no superuser', async () => {
    await fresh.database.query(`create role ${owner} login createrole`);
    await fresh.database.query(`grant backstory_app, backstory_gate to ${owner} with admin true, set true`);
    const [first, second, third] = [newFile(), newFile(), newFile()];
    await backupTeam(fresh.url, first, written);
    for (const [source, next] of [
      [first, second],
      [second, third],
    ] as const) {
      const { url, database: administrator } = await empty();
      for (const extension of ['vector', 'btree_gin'])
        await administrator.query(`create extension if not exists ${extension}`);
      await administrator.query(`alter database ${made.at(-1)} owner to ${owner}`);
      const own = new URL(url);
      own.username = owner;
      const database = connect(own.href, () => {}, 1);
      await restoreTeam(own.href, database, source, migrations);
      await database.close();
      await backupTeam(own.href, next, written);
      expect(await answers(url)).toEqual(await answers(fresh.url));
    }
  });

  it('stands in the audit log of each organisation', async () => {
    expect(await lastBackup(fresh.database)).toBeUndefined();
    await noteBackup(fresh.database, 'backup.create', { rows: 1 });
    expect(await lastBackup(fresh.database)).toBeInstanceOf(Date);
  });
});
