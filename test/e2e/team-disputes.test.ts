import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { describePostgres } from '../contract/postgres-server.ts';
import { runAsPerson } from '../support/person.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';
import { beginTeam, type ServedTeam, serveTeam } from '../support/team-serve.ts';

const installedPackage = inject('installedPackage');
const claim = 'Uploads are limited to ten megabytes by the proxy.';
const correction = 'Uploads are limited to fifty megabytes by the application.';

describePostgres('Two laptops that disagree about a note', (fresh) => {
  const sandboxes: Sandbox[] = [];
  let ann: Sandbox;
  let bob: Sandbox;
  let served: ServedTeam;
  const open = (): Sandbox => {
    const sandbox = createSandbox(installedPackage);
    sandboxes.push(sandbox);
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    return sandbox;
  };
  const joinTeam = (sandbox: Sandbox, token: string): void => {
    const { status, stderr } = runAsPerson(
      [
        join(installedPackage, 'dist/main.js'),
        'team',
        'join',
        served.url,
        '--project',
        'queue',
        '--token-stdin',
      ],
      { cwd: sandbox.repo, env: sandbox.env, piped: token },
    );
    expect(status, stderr).toBe(0);
  };
  const run = (sandbox: Sandbox, ...args: string[]): string => {
    const { status, stdout, stderr } = sandbox.cli(...args);
    expect(status, `${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
    return stdout;
  };
  /** What a new agent session receives. */
  const received = (sandbox: Sandbox): string => {
    const call = { hook_event_name: 'SessionStart', session_id: `new-${Math.random()}`, source: 'startup' };
    return sandbox.hook({ ...call, cwd: sandbox.repo }).stdout;
  };

  beforeAll(async () => {
    ann = open();
    bob = open();
    const { token } = beginTeam(ann, fresh.url);
    const operate = (...args: string[]): { token?: string } =>
      JSON.parse(
        ann.cliWith({ BACKSTORY_DATABASE_URL: fresh.url }, 'team', ...args, '--json').stdout,
      ) as object;
    operate('member', 'add', 'bob', '--project', 'queue', '--role', 'member');
    served = await serveTeam(ann, installedPackage, fresh.url);
    joinTeam(ann, token);
    joinTeam(bob, operate('token', 'create', 'bob').token ?? '');
  });
  afterAll(() => {
    served.child.kill('SIGKILL');
    for (const sandbox of sandboxes) sandbox.remove();
  });

  it("[team-dispute] `wrong` about a teammate's note reaches the author, who keeps it or withdraws it", () => {
    const { id } = ann.json<{ id: string }>('remember', claim);
    run(ann, 'team', 'push', id);
    expect(bob.json('team', 'pull')).toMatchObject({ pulled: 1 });
    run(bob, 'review', '--accept', id);
    run(bob, 'prelude');
    expect(received(bob)).toContain('ten megabytes');

    const said = run(bob, 'edit', '--wrong', id, '--now', correction);
    expect(said).toContain('The next sync tells your team that you dispute it, with your correction.');
    expect(received(bob)).not.toContain('ten megabytes');
    expect(bob.json('team', 'pull')).toMatchObject({ disputed: 1, pushed: 1 });

    expect(ann.json('team', 'pull')).toMatchObject({ disputes: 1, pulled: 1 });
    const mark = /disputed by bob on \d{4}-\d\d-\d\d/;
    expect(run(ann, 'recall', 'upload limit of the proxy')).toMatch(mark);
    expect(run(ann, 'show', id)).toMatch(
      /^disputed by bob on \S+: Uploads are limited to fifty megabytes by the application\. \(from another source, \w{8}\)$/m,
    );
    expect(run(ann, 'review')).toMatch(mark);
    expect(ann.json<object[]>('show', id)).toMatchObject([{ state: 'active', disputes: [{ by: 'bob' }] }]);
    run(ann, 'prelude');
    expect(received(ann)).toMatch(/ten megabytes by the proxy\. \(disputed by a teammate since \S+\)/);
    // The words of the correction are data of another person, and no session is told them unasked.
    expect(received(ann)).not.toContain('fifty');

    run(ann, 'review', '--accept', id);
    run(ann, 'team', 'pull');
    expect(run(ann, 'recall', 'upload limit of the proxy')).not.toMatch(mark);
    run(bob, 'team', 'pull');
    expect(run(bob, 'show', id)).toMatch(/^disputed by bob on \S+: .*; kept on \d{4}-\d\d-\d\d$/m);

    run(ann, 'edit', '--wrong', id);
    run(ann, 'team', 'pull');
    run(bob, 'team', 'pull');
    expect(bob.cli('show', id).status).toBe(1);
  });

  it('[team-dispute] a verdict that is taken back is taken back in the team', () => {
    const { id } = ann.json<{ id: string }>('remember', 'Mails are sent by the worker.');
    run(ann, 'team', 'push', id);
    run(bob, 'team', 'pull');
    run(bob, 'edit', '--wrong', id);
    run(bob, 'team', 'pull');
    run(ann, 'team', 'pull');
    expect(run(ann, 'show', id)).toContain('disputed by bob');
    run(bob, 'review', '--accept', id);
    run(bob, 'team', 'pull');
    run(ann, 'team', 'pull');
    expect(run(ann, 'show', id)).not.toContain('disputed by');
    expect(run(bob, 'show', id)).not.toContain('disputed by');
  });
});
