import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { randomHex } from '../../src/base/ids.ts';
import { describePostgres } from '../contract/postgres-server.ts';
import { createSandbox } from '../support/sandbox.ts';

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

  it('refuses to start if something is missing, and says what', () => {
    expect(sandbox.cli('team', 'serve')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('BACKSTORY_DATABASE_URL'),
    });
    expect(team('member', 'add', 'x', '--role', 'king', '--org', 'acme').status).toBe(2);
    expect(team('dance').status).toBe(2);
  });
});
