import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { randomHex } from '../../src/base/ids.ts';
import { describePostgres } from '../contract/postgres-server.ts';
import { createSandbox, git } from '../support/sandbox.ts';

const installedPackage = inject('installedPackage');

describePostgres('An installed team server', (fresh) => {
  const sandbox = createSandbox(installedPackage);
  const children: ChildProcess[] = [];
  const account = `backstory_e2e_${randomHex(4)}`;
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    sandbox.remove();
    await fresh.database.query(`drop role if exists ${account}`);
  });

  const team = (...args: string[]) =>
    sandbox.cliWith({ BACKSTORY_OWNER_DATABASE_URL: fresh.url }, 'team', ...args);
  const serve = (url: string): Promise<{ url: string; stop(): Promise<number | null> }> => {
    const child = spawn(
      process.execPath,
      [join(installedPackage, 'dist/main.js'), 'team', 'serve', '--port', '0'],
      { env: { ...sandbox.env, BACKSTORY_DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    children.push(child);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    return new Promise((resolve, reject) => {
      let said = '';
      const hear = (data: Buffer) => {
        said += data;
        const found = /Answering at (\S+)/.exec(said)?.[1];
        if (found !== undefined)
          resolve({
            url: found,
            stop() {
              child.kill('SIGTERM');
              return ended;
            },
          });
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      void ended.then(() => reject(new Error(said)));
    });
  };

  it('[team-operate] is set up with one command, and runs as an unprivileged role in several processes', async () => {
    const begun = team('init', 'acme', 'ann', 'api', '--json');
    expect(begun.status, begun.stderr).toBe(0);
    const { token, project } = JSON.parse(begun.stdout) as { token: string; project: string };
    expect(team('doctor').stdout).not.toContain('FAIL');
    await fresh.database.query(`create role ${account} login in role backstory_app`);
    const own = new URL(fresh.url);
    own.username = account;
    const [one, other] = await Promise.all([serve(own.href), serve(own.href)]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const added = await fetch(`${one.url}/api/projects/${project}/memory`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ text: 'Releases are cut on Tuesdays.' }),
    });
    expect(added.status).toBe(201);
    const question = `/api/projects/${project}/memory/search?q=when+are+releases+cut`;
    const found = (await (await fetch(`${other.url}${question}`, { headers })).json()) as {
      results: object[];
    };
    expect(found.results).toMatchObject([{ text: 'Releases are cut on Tuesdays.' }]);
    expect(await one.stop()).toBe(0);

    const added2 = team('member', 'add', 'bob', '--project', 'api', '--role', 'reader');
    expect(added2.stdout).toContain('reader of api');
    const given = JSON.parse(team('token', 'create', 'bob', '--json').stdout) as { token: string };
    const asBob = { headers: { authorization: `Bearer ${given.token}` } };
    expect((await fetch(`${other.url}${question}`, asBob)).status).toBe(200);
    expect(team('member', 'remove', 'bob').status).toBe(0);
    expect((await fetch(`${other.url}${question}`, asBob)).status).toBe(401);
    expect(team('tend').status).toBe(0);
    expect(await other.stop()).toBe(0);
  });

  it('gets knowledge of a repository from its user, and automatically again when the team requests it', async () => {
    const begun = team('init', 'port', 'mia', 'harbour', '--json');
    const { token, project } = JSON.parse(begun.stdout) as { token: string; project: string };
    const given = team('token', 'create', 'mia', '--device', 'laptop', '--org', 'port', '--json');
    const device = (JSON.parse(given.stdout) as { token: string }).token;
    const server = await serve(fresh.url);
    const as = (own: string) => ({ authorization: `Bearer ${own}`, 'content-type': 'application/json' });
    // The server closes a connection that was idle while a command ran.
    const request: typeof fetch = (...asked) => fetch(...asked).catch(() => fetch(...asked));
    const known = async (): Promise<string> => {
      const path = `/api/projects/${project}/memory?source=knowledge&limit=100`;
      return (await request(`${server.url}${path}`, { headers: as(token) })).text();
    };
    const commitTarget = (target: string): void => {
      writeFileSync(join(sandbox.repo, 'Makefile'), `${target}:\n\ttrue\n`);
      git(sandbox.repo, 'add', '.');
      git(sandbox.repo, 'commit', '-qm', target);
    };
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    commitTarget('build');
    expect(sandbox.cli('remember', 'We use tabs.').status).toBe(0);
    expect(sandbox.cli('knowledge', 'sync')).toMatchObject({ status: 1 });
    const folder = sandbox.projectFolder();
    const membership = { v: 1, url: server.url, project, name: 'harbour' };
    writeFileSync(join(folder, 'team.json'), JSON.stringify(membership));
    writeFileSync(
      join(sandbox.home, '.backstory', 'team-tokens.json'),
      JSON.stringify({ [server.url]: device }),
    );
    const drain = () => sandbox.cli('drain', '--project', basename(folder));
    const ask = async () => {
      const path = `/api/projects/${project}/knowledge/wanted`;
      const answer = await request(`${server.url}${path}`, {
        method: 'POST',
        headers: as(token),
        body: '{}',
      });
      expect(answer.status).toBe(202);
    };

    // Requested before the user ever uploaded it: the user is informed, and nothing is sent.
    await ask();
    drain();
    expect(sandbox.cli('team', 'status').stdout).toContain('backstory knowledge sync --fresh');
    expect(await known()).not.toContain('make build');

    expect(sandbox.cli('knowledge', 'build').status).toBe(0);
    const sent = sandbox.json<{ kept: number; changed: number }>('knowledge', 'sync');
    expect(sent).toMatchObject({ kept: sent.changed, removed: 0 });
    expect(await known()).toContain('make build');
    expect(sandbox.cli('knowledge', 'sync').stdout).toContain('is up to date');

    const file = readFileSync(join(sandbox.repo, '.backstory', 'knowledge.json'), 'utf8');
    commitTarget('release');
    await ask();
    drain();
    for (let tries = 0; tries < 150 && !(await known()).includes('make release'); tries++)
      await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await known()).toContain('make release');
    expect(await known()).not.toContain('make build');
    expect(readFileSync(join(sandbox.repo, '.backstory', 'knowledge.json'), 'utf8')).toBe(file);
    expect(sandbox.cli('team', 'pull').status).toBe(0);
    expect(sandbox.cli('team', 'status').stdout).not.toContain('knowledge sync');
    expect(await server.stop()).toBe(0);
  });

  it('refuses to start if something is missing, and says what', () => {
    expect(sandbox.cli('team', 'serve')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('BACKSTORY_DATABASE_URL'),
    });
    expect(team('member', 'add', 'x', '--role', 'king', '--org', 'acme').status).toBe(2);
    expect(team('dance').status).toBe(2);
  });
});
