import { type ChildProcess, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/team/postgres/connect.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { describeClusters, type PostgresCluster, startCluster } from '../support/postgres-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { serveTeam } from '../support/team-serve.ts';

const installedPackage = inject('installedPackage');

/** The commands of the guide, in order, run as an operator would type them. */
const guide = readFileSync('docs/guides/team-backup.md', 'utf8');
const section = guide.slice(guide.indexOf('## Back up'), guide.indexOf('## Upgrade'));
const [dumpCommand, createCommand, restoreCommand, migrateCommand] = [
  ...section.matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, commands]) => (commands as string).trim());

interface Organisation {
  project: string;
  owner: string;
  reader: string;
}

describeClusters('A team server that is dumped and restored as the guide says', () => {
  const sandbox = createSandbox(installedPackage);
  const children: ChildProcess[] = [];
  const clusters: PostgresCluster[] = [];
  const organisations: Organisation[] = [];
  let source: PostgresCluster;
  let target: PostgresCluster;
  const dump = join(sandbox.home, 'backstory.dump');

  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    for (const cluster of clusters) cluster.remove();
    sandbox.remove();
  });

  const shell = (cluster: PostgresCluster, commands: string | undefined, input = '') =>
    spawnSync('sh', ['-ec', commands ?? 'false'], {
      cwd: sandbox.home,
      env: { ...sandbox.env, ...cluster.env },
      encoding: 'utf8',
      input,
    });
  const succeed = ({ status, stdout, stderr }: ReturnType<typeof shell>): string => {
    expect(status, stdout + stderr).toBe(0);
    return stdout;
  };
  const sql = (cluster: PostgresCluster, database: string, statement: string): string =>
    succeed(shell(cluster, `psql -AtX -v ON_ERROR_STOP=1 -d ${database}`, statement)).trim();
  const createRoles = (cluster: PostgresCluster, database: string) =>
    sql(
      cluster,
      database,
      `\\set owner_password secret\n\\set server_password secret\n\\set database ${database}\n${readFileSync('deploy/roles.sql', 'utf8')}`,
    );
  const operate = (cluster: PostgresCluster, database: string, ...words: string[]) =>
    sandbox.cliWith(
      { BACKSTORY_OWNER_DATABASE_URL: cluster.url('backstory_owner', database) },
      'team',
      ...words,
    );
  const operateJson = <T>(cluster: PostgresCluster, database: string, ...words: string[]): T =>
    JSON.parse(succeed(operate(cluster, database, ...words, '--json'))) as T;
  const serve = async (cluster: PostgresCluster, database: string): Promise<string> => {
    const served = await serveTeam(sandbox, installedPackage, cluster.url('backstory_server', database));
    children.push(served.child);
    return served.url;
  };
  const ask = (url: string, token: string, init: RequestInit = {}) =>
    fetch(url, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
    });

  /** What every token finds in every project, including those of other organisations. */
  const answers = async (server: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    const tokens = organisations.flatMap(({ owner, reader }) => [owner, reader]);
    for (const token of tokens)
      for (const { project } of organisations)
        for (const question of [
          'how are retries queued',
          'deploy on friday',
          'secret plan',
          'src/queue.ts',
        ]) {
          const path = `/api/projects/${project}/memory/search?q=${encodeURIComponent(question)}`;
          const response = await ask(server + path, token);
          found.push([response.status, await response.json()]);
        }
    return found;
  };

  /** The first event that a listener gets when it resumes with this id. */
  const firstEvent = async (server: string, { project, owner }: Organisation, id: string) => {
    const leaving = new AbortController();
    const response = await ask(`${server}/api/projects/${project}/events`, owner, {
      headers: { 'last-event-id': id },
      signal: leaving.signal,
    });
    let text = '';
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString();
      if (/^event: /m.test(text)) break;
    }
    leaving.abort();
    return /^event: (.*)$/m.exec(text)?.[1];
  };

  beforeAll(async () => {
    source = await startCluster();
    clusters.push(source);
    target = await startCluster();
    clusters.push(target);
    succeed(shell(source, 'createdb --template=template0 backstory'));
    createRoles(source, 'backstory');
    for (const name of ['acme', 'globex']) {
      const { project, token } = operateJson<{ project: string; token: string }>(
        source,
        'backstory',
        ...['init', name, 'ann', 'api'],
      );
      succeed(
        operate(
          source,
          'backstory',
          'member',
          'add',
          'bob',
          ...['--org', name, '--project', 'api', '--role', 'reader'],
        ),
      );
      const made = operateJson<{ token: string }>(
        source,
        'backstory',
        ...['token', 'create', 'bob', '--org', name],
      );
      organisations.push({ project, owner: token, reader: made.token });
    }
    const server = await serve(source, 'backstory');
    for (const [at, { project, owner }] of organisations.entries()) {
      const memories = Array.from({ length: 40 }, (_, number) => ({
        source: 'note',
        sourceRef: `note-${number}`,
        text: `Organisation ${at}, note ${number}: retries of the queue in src/queue.ts wait ${number} seconds.`,
      }));
      const path = `${server}/api/projects/${project}/memory`;
      const saved = await ask(`${path}/batch`, owner, { method: 'POST', body: JSON.stringify({ memories }) });
      expect(saved.status, await saved.text()).toBe(200);
      const body = JSON.stringify({ text: `Secret plan of ann at ${at}`, visibility: 'private' });
      expect((await ask(path, owner, { method: 'POST', body })).status).toBe(201);
    }
    const owned = connect(source.url('backstory_owner', 'backstory'), () => {}, 1);
    const operation = createTeamOperation(owned, systemClock);
    // Large enough for a vector index of its own, by a lower bound than the usual one.
    for (const big of await operation.largeProjects(10)) await operation.createVectorIndex(big);
    await owned.close();
    sql(
      source,
      'backstory',
      `insert into backstory.job (org, project, run_at)
       select org, id, now() + interval '1 day' from backstory.project;
       insert into backstory.token (org, id, principal, hash, scopes, expires, is_browser_session)
       select org, gen_random_uuid(), id, sha256(id::text::bytea), '{read}', now() + interval '1 day', true
       from backstory.principal`,
    );
    const before = await answers(server);
    expect(new Set(before.map((answer) => (answer as [number])[0]))).toEqual(new Set([200, 404]));
    succeed(shell(source, dumpCommand));
    expect(await answers(server)).toEqual(before);
  });

  it('has no dump that others may read, that the owner took, or that can change anything', () => {
    expect(statSync(dump).mode & 0o077).toBe(0);
    const byOwner = shell(source, 'pg_dump --format=custom --username=backstory_owner --dbname=backstory');
    expect([byOwner.status, byOwner.stderr]).toEqual([1, expect.stringContaining('row-level security')]);
    const write = 'psql -X -v ON_ERROR_STOP=1 --username=backstory_backup --dbname=backstory';
    expect(shell(source, write, 'delete from backstory.job').stderr).toContain('read-only transaction');
    expect(
      shell(source, write, 'set default_transaction_read_only = off; delete from backstory.job').stderr,
    ).toContain('permission denied');
  });

  it('[team-backup] [team-restore] gives the same answers from an empty Postgres server, to the same tokens', async () => {
    succeed(shell(target, 'createdb --template=template0 backstory_restored'));
    createRoles(target, 'backstory_restored');
    succeed(shell(target, restoreCommand, ''));

    await expect(serve(target, 'backstory_restored')).rejects.toThrow('team migrate');
    const unfinished = operate(target, 'backstory_restored', 'doctor');
    expect([unfinished.status, unfinished.stdout]).toEqual([1, expect.stringContaining('FAIL  restore')]);
    expect(migrateCommand).toBe('backstory team migrate');
    expect(operateJson(target, 'backstory_restored', 'migrate')).toEqual({
      applied: [],
      restored: { organisations: 2, endedSessions: 4 },
    });
    expect(operateJson(target, 'backstory_restored', 'migrate')).toMatchObject({ restored: null });

    const [old, restored] = [await serve(source, 'backstory'), await serve(target, 'backstory_restored')];
    expect(await answers(restored)).toEqual(await answers(old));
    const counts = `select (select count(*) from backstory.memory), (select count(*) from backstory.vector),
      (select count(*) from backstory.job), (select count(*) from backstory.principal)`;
    expect(sql(target, 'backstory_restored', counts)).toBe(sql(source, 'backstory', counts));
    expect(sql(source, 'backstory', counts)).toBe('82|82|2|4');
    const actions = `select count(*) from backstory.audit where action = 'database.restore'`;
    expect(sql(target, 'backstory_restored', actions)).toBe('2');

    const owned = connect(target.url('backstory_owner', 'backstory_restored'), () => {}, 1);
    const indexes = await owned.query(`select from pg_class c join pg_index i on i.indexrelid = c.oid
      where c.relname like 'vector_near_%' and i.indisvalid`);
    expect(indexes).toHaveLength(2);
    await owned.close();
    const body = JSON.stringify({ text: 'Saved after the restore, about pelicans.' });
    const [acme] = organisations as [Organisation];
    const path = `${restored}/api/projects/${acme.project}/memory`;
    expect((await ask(path, acme.owner, { method: 'POST', body })).status).toBe(201);
    expect(await (await ask(`${path}/search?q=pelicans`, acme.reader)).json()).toMatchObject({
      results: [{ text: 'Saved after the restore, about pelicans.' }],
    });
  });

  it('[team-backup] keeps organisations apart after the restore', async () => {
    const server = await serve(target, 'backstory_restored');
    const [acme, globex] = organisations as [Organisation, Organisation];
    for (const token of [globex.owner, globex.reader])
      expect((await ask(`${server}/api/projects/${acme.project}/memory`, token)).status).toBe(404);
    const byReader = await (await ask(`${server}/api/projects/${acme.project}/memory`, acme.reader)).text();
    expect(byReader).toContain('Organisation 0');
    expect(byReader).not.toContain('Secret plan');
    const visible = 'psql -AtX --username=backstory_server --dbname=backstory_restored';
    const rows = shell(
      target,
      visible,
      'set role backstory_app; select count(*) from backstory.memory; select count(*) from backstory.token',
    );
    expect(succeed(rows)).toBe('SET\n0\n0\n');
    const callable = `select count(*) from pg_proc where pronamespace = 'backstory'::regnamespace and prosecdef
      and has_function_privilege('public', oid, 'execute')`;
    expect(sql(target, 'backstory_restored', callable)).toBe('0');
    succeed(operate(target, 'backstory_restored', 'tend'));
    const examined = operate(target, 'backstory_restored', 'doctor');
    expect([examined.status, examined.stdout]).toEqual([0, expect.not.stringContaining('FAIL')]);
    for (const [what, statement] of Object.entries(catalog))
      expect(sql(target, 'backstory_restored', statement), what).toBe(sql(source, 'backstory', statement));
  });

  it('[team-restore] tells laptops and listeners to start over, also on the same Postgres server', async () => {
    const [acme] = organisations as [Organisation];
    const last = `select xact || '-' || seq || '-' || left(history::text, 8) from backstory.outbox, backstory.database_identity order by xact desc limit 1`;
    const eventId = sql(source, 'backstory', last);
    const epochs = 'select epoch from backstory.note_feed order by project';
    succeed(shell(source, createCommand));
    succeed(shell(source, restoreCommand));
    operateJson(source, 'backstory_restored', 'migrate');
    for (const cluster of [source, target]) {
      const server = await serve(cluster, 'backstory_restored');
      expect(await firstEvent(server, acme, eventId)).toBe('reset');
      const restored = sql(cluster, 'backstory_restored', epochs).split('\n');
      expect(restored).toHaveLength(2);
      for (const epoch of sql(source, 'backstory', epochs).split('\n')) expect(restored).not.toContain(epoch);
    }
    expect(sql(source, 'backstory_restored', 'select count(*) from backstory.outbox')).toBe('0');
  });
});

/** What keeps organisations apart, and must come back unchanged. */
const catalog = {
  'forced row-level security': `select relname, relrowsecurity, relforcerowsecurity, relowner::regrole,
      (select array_agg(a::text order by a::text) from unnest(relacl) a)
    from pg_class where relnamespace = 'backstory'::regnamespace and relkind = 'r' order by 1`,
  policies: `select tablename, policyname, roles, cmd, qual, with_check from pg_policies
    where schemaname = 'backstory' order by 1, 2`,
  functions: `select oid::regprocedure, proowner::regrole, prosecdef, proconfig, (select array_agg(a::text order by a::text) from unnest(proacl) a) from pg_proc
    where pronamespace = 'backstory'::regnamespace order by oid::regprocedure::text`,
  triggers: `select tgrelid::regclass, tgname, tgenabled from pg_trigger where not tgisinternal order by tgrelid::regclass::text, tgname`,
};
