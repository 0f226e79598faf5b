import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DCLinter } from 'dclint';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { randomHex } from '../../src/base/ids.ts';
import { connect } from '../../src/team/postgres/connect.ts';
import { describePostgres } from '../contract/postgres-server.ts';
import { type Collector, startCollector } from '../support/collector.ts';
import { until } from '../support/until.ts';

interface ComposeFile {
  services: Record<
    string,
    { image: string; command?: string[]; environment: Record<string, string>; secrets: string[] }
  >;
}

const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as ComposeFile;
const listed = (pattern: RegExp): string[] => JSON.parse(pattern.exec(dockerfile)?.[1] ?? 'null');
const entrypoint = listed(/^ENTRYPOINT (\[.*\])$/m);
const healthcheck = listed(/^HEALTHCHECK [^[]*CMD (\[.*\])$/m);

describe('The compose file', () => {
  it('is valid for compose and its linter', () => {
    const rules = {
      // The services that do not build the image refer to it by name.
      'no-build-and-image': 0,
      // Our keys are ordered by meaning.
      'service-keys-order': 0,
      'require-quotes-in-ports': [1, { quoteType: 'double' }],
    };
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
    const found = linter.lintFiles(['deploy/compose.yaml'], false) as {
      filePath: string;
      messages: { line: number; message: string }[];
    }[];
    expect(found).toMatchObject([{ filePath: expect.stringContaining('compose.yaml') }]);
    expect(
      found.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`)),
    ).toEqual([]);
  });

  it('gives the server no owner credentials, and pins all versions', () => {
    const { server, database } = compose.services;
    expect(JSON.stringify(server)).not.toMatch(/owner|postgres_password/);
    expect(database?.image).toMatch(/^pgvector\/pgvector:\d+\.\d+\.\d+-pg17(?:@sha256:[0-9a-f]{64})?$/);
    expect(dockerfile.match(/^FROM \S+/gm)).toEqual(
      Array(2).fill(expect.stringMatching(/:24\.\d+\.\d+-\S+$/)),
    );
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const name of ['migrate', 'operate', 'server'])
      expect(compose.services[name]?.image, name).toBe(`backstory-team:${version}`);
  });
});

describePostgres('The steps of the team server image', (fresh) => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-deploy-'));
  const target = join(folder, 'opt');
  const names = { database: `backstory_deploy_${randomHex(4)}`, owner: '', server: '', backup: '' };
  names.owner = `${names.database}_owner`;
  names.server = `${names.database}_server`;
  names.backup = `${names.database}_backup`;
  const children: ChildProcess[] = [];
  // The image does not run as root. If this test may not change its user, it runs as itself.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const env: Record<string, string> = { HOME: folder };
  let collector: Collector;

  const run = (command: string[], more: Record<string, string> = {}) =>
    spawnSync(command[0] as string, command.slice(1), {
      ...nobody,
      cwd: folder,
      env: { ...env, ...more },
      encoding: 'utf8',
    });

  beforeAll(async () => {
    collector = await startCollector();
    chmodSync(folder, 0o777);
    // The current Node may be in a folder that only root can read.
    mkdirSync(join(folder, 'bin'));
    copyFileSync(process.execPath, join(folder, 'bin', 'node'));
    env.PATH = [join(target, 'bin'), join(folder, 'bin'), process.env.PATH].join(delimiter);
    writeFileSync(join(folder, 'password'), 'of ’no use? here\n');
    await fresh.database.query(`create database ${names.database}`);
    const own = new URL(fresh.url);
    own.pathname = `/${names.database}`;
    const administrator = connect(own.href, () => {}, 1);
    await administrator.query(
      readFileSync('deploy/roles.sql', 'utf8')
        .replaceAll('backstory_owner', names.owner)
        .replaceAll('backstory_server', names.server)
        .replaceAll('backstory_backup', names.backup)
        .replaceAll(/:'\w+_password'/g, `'secret'`)
        .replaceAll(':"database"', names.database),
    );
    await administrator.close();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    await collector?.close();
    await fresh.database.query(`drop database if exists ${names.database} with (force)`);
    for (const role of [names.owner, names.server, names.backup])
      await fresh.database.query(`drop role if exists ${role}`);
  });

  /** The environment that compose gives a service, with paths of this machine. */
  const environmentOf = (service: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(compose.services[service]?.environment ?? {}).map(([name, value]) => {
        const { host } = new URL(fresh.url);
        const own = value
          .replace('backstory_owner', names.owner)
          .replace('backstory_server', names.server)
          .replace('@database/backstory', `@${host}/${names.database}`);
        return [name, own.startsWith('/run/secrets/') ? join(folder, 'password') : own];
      }),
    );
  const operate = (...words: string[]) => run([...entrypoint, ...words], environmentOf('operate'));

  it('[team-image] install as an unprivileged user in an empty folder, migrate as the owner, and serve as an unprivileged role', async () => {
    const packed = globSync(join(inject('installedPackage'), '../../..', '*.tgz'))[0] as string;
    copyFileSync(packed, join(folder, 'package.tgz'));
    copyFileSync('deploy/install.sh', join(folder, 'install.sh'));
    const installed = run(['sh', 'install.sh', target, join(folder, 'package.tgz')]);
    expect(installed.status, installed.stderr).toBe(0);
    expect(installed.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);

    const migrated = operate(...(compose.services.migrate?.command ?? []));
    expect(migrated.status, migrated.stderr).toBe(0);
    const begun = operate('init', 'acme', 'ann', 'api', '--json');
    expect(begun.status, begun.stderr).toBe(0);
    const { token, project } = JSON.parse(begun.stdout) as { token: string; project: string };

    const own = {
      ...environmentOf('server'),
      BACKSTORY_HOST: '127.0.0.1',
      BACKSTORY_PORT: String(await freePort()),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    const isHealthy = () => run(healthcheck, own).status === 0;
    expect(isHealthy()).toBe(false);
    const [program, ...words] = [...entrypoint, ...listed(/^CMD (\[.*\])$/m)];
    const server = spawn(program as string, words, { ...nobody, cwd: folder, env: { ...env, ...own } });
    children.push(server);
    let said = '';
    server.stderr.on('data', (data: Buffer) => {
      said += data;
    });
    const ended = new Promise<number | null>((resolve) => server.on('close', resolve));
    await until(isHealthy, () => `the server is healthy: ${said}`);

    const url = `http://127.0.0.1:${own.BACKSTORY_PORT}/api/projects/${project}/memory`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ text: 'Releases are cut on Tuesdays.' });
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201);
    const found = await fetch(`${url}/search?q=when+are+releases+cut`, { headers });
    expect(await found.json()).toMatchObject({ results: [{ text: 'Releases are cut on Tuesdays.' }] });

    const examined = operate('doctor');
    expect([examined.status, examined.stdout], examined.stderr).toEqual([
      0,
      expect.not.stringContaining('FAIL'),
    ]);

    const [, signal] = /^STOPSIGNAL (\w+)$/m.exec(dockerfile) ?? [];
    server.kill(signal as NodeJS.Signals);
    expect(await ended, said).toBe(0);
    expect(isHealthy()).toBe(false);
    expect(collector.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['POST /api/projects/:id/memory', 'transaction', 'select search']),
    );
  });
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
