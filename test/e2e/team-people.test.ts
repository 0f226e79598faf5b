import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { randomHex } from '../../src/base/ids.ts';
import { describePostgres } from '../contract/postgres-server.ts';
import { freePort } from '../support/free-port.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createBrowser, startSignInProvider, type TestProvider } from '../support/sign-in-provider.ts';

const installedPackage = inject('installedPackage');

describePostgres('Members of an installed team server', (fresh) => {
  const sandbox = createSandbox(installedPackage);
  const account = `backstory_e2e_${randomHex(4)}`;
  let provider: TestProvider | undefined;
  let child: ChildProcess | undefined;
  afterAll(async () => {
    child?.kill('SIGKILL');
    await provider?.close();
    sandbox.remove();
    await fresh.database.query(`drop role if exists ${account}`);
  });
  const team = (...args: string[]) =>
    sandbox.cliWith({ BACKSTORY_OWNER_DATABASE_URL: fresh.url }, 'team', ...args);
  const told = (...args: string[]) => {
    const { status, stdout, stderr } = team(...args, '--json');
    expect(status, stderr + stdout).toBe(0);
    return JSON.parse(stdout);
  };
  const serve = (url: string, ...args: string[]): Promise<void> => {
    const env = {
      ...sandbox.env,
      BACKSTORY_DATABASE_URL: url,
      BACKSTORY_OIDC_CLIENT_SECRET: provider?.clientSecret,
    };
    const running = spawn(
      process.execPath,
      [join(installedPackage, 'dist/main.js'), 'team', 'serve', ...args],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child = running;
    return new Promise((resolve, reject) => {
      let said = '';
      for (const stream of [running.stdout, running.stderr])
        stream.on('data', (data: Buffer) => {
          said += data;
          if (said.includes('Answering at')) resolve();
        });
      running.on('close', () => reject(new Error(said)));
    });
  };

  it('sign in with their accounts, and are erased without a trace of their name', async () => {
    const { project } = told('init', 'acme', 'owner', 'api') as { project: string };
    told('member', 'add', 'marigold', '--project', 'api', '--email', 'Marigold@acme.example');
    told('retention', 'api', '--source', 'job', '--days', '90');
    expect(
      team('serve', '--database', fresh.url, '--oidc-issuer', 'https://accounts.example.org'),
    ).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--public-url'),
    });
    await fresh.database.query(`create role ${account} login in role backstory_app`);
    const own = new URL(fresh.url);
    own.username = account;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    provider = await startSignInProvider(`${url}/sign-in/callback`);
    provider.accounts['subject-1'] = { email: 'marigold@acme.example', email_verified: true };
    const { issuer, clientId } = provider;
    const oidc = ['--oidc-issuer', issuer, '--oidc-client-id', clientId, '--public-url', url];
    await serve(own.href, '--port', String(port), ...oidc);
    const browser = createBrowser();
    expect((await browser.signIn(`${url}/sign-in?to=/device`, 'subject-1')).body).toContain(
      'Signed in as marigold.',
    );
    const added = await browser.ask(`${url}/api/projects/${project}/memory`, {
      method: 'POST',
      body: JSON.stringify({ text: 'Narwhals surface at noon.' }),
      headers: { 'content-type': 'application/json', origin: url },
    });
    expect(added.status).toBe(201);
    expect(told('member', 'remove', 'marigold', '--erase')).toMatchObject({ erased: false, team: 1 });
    expect(told('member', 'remove', 'marigold', '--erase', '--yes')).toMatchObject({ removed: 1, left: [] });
    expect((await browser.ask(`${url}/api/v1/me`)).status).toBe(401);
    const { entries } = told('audit', '--since', '1d') as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'identity.link',
        'retention.set',
        'sign-in',
        'principal.disable',
        'person.erase',
      ]),
    );
    expect(JSON.stringify(entries)).not.toMatch(/marigold|narwhals/i);
  });
});
