import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describePostgres } from '../contract/postgres-server.ts';
import { claude, noClaude } from '../support/claude.ts';
import { startModel, text } from '../support/fake-model.ts';
import { runAsPerson } from '../support/person.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';
import { beginTeam, type ServedTeam, serveTeam } from '../support/team-serve.ts';

const installedPackage = inject('installedPackage');
const lesson = 'Retries stay in Postgres, because Redis lost jobs on failover.';

describePostgres('A team with the installed programs', (fresh) => {
  const sandboxes: Sandbox[] = [];
  let ann: Sandbox;
  let served: ServedTeam;
  let token: string;
  let project: string;
  const open = (): Sandbox => {
    const sandbox = createSandbox(installedPackage);
    sandboxes.push(sandbox);
    return sandbox;
  };
  const joined = (sandbox: Sandbox, given = token): void => {
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
      { cwd: sandbox.repo, env: sandbox.env, piped: given },
    );
    expect(status, stderr).toBe(0);
  };

  const memberToken = (name: string): string => {
    const operate = (...args: string[]): { token?: string } => {
      const { status, stdout, stderr } = ann.cliWith(
        { BACKSTORY_DATABASE_URL: fresh.url },
        'team',
        ...args,
        '--json',
      );
      expect(status, stdout + stderr).toBe(0);
      return JSON.parse(stdout);
    };
    operate('member', 'add', name, '--project', 'queue', '--role', 'member');
    return operate('token', 'create', name).token ?? '';
  };

  beforeAll(async () => {
    ann = open();
    ({ token, project } = beginTeam(ann, fresh.url));
    served = await serveTeam(ann, installedPackage, fresh.url);
  });
  afterAll(() => {
    served.child.kill('SIGKILL');
    for (const sandbox of sandboxes) sandbox.remove();
  });

  it('[team-take-back] withdraws a note from the team and from teammates, and keeps it locally', () => {
    const bob = open();
    for (const sandbox of [ann, bob]) expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    joined(ann);
    joined(bob, memberToken('bob'));
    expect(ann.cli('remember', lesson).status).toBe(0);
    const notes = (sandbox: Sandbox) =>
      sandbox.json<{ hits: { sourceId: string }[] }>('recall', 'why retries stay in Postgres').hits;
    const id = notes(ann)[0]?.sourceId ?? '';
    expect(ann.cli('team', 'take-back', id)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('was not pushed from this machine'),
    });
    expect(ann.json('team', 'push', id)).toMatchObject({ pushed: 1 });
    expect(bob.json('team', 'pull')).toMatchObject({ pulled: 1 });
    expect(notes(bob)).toHaveLength(1);
    expect(bob.cli('team', 'take-back', notes(bob)[0]?.sourceId ?? '')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Only its author can take it back'),
    });
    ann.cli('team', 'pull');
    expect(ann.json('team', 'status')).toMatchObject({ shared: 1 });
    expect(ann.json('team', 'take-back', id)).toMatchObject({ takenBack: [id], forgottenThere: 1 });
    bob.cli('team', 'pull');
    expect(notes(bob)).toEqual([]);
    expect(notes(ann)).toHaveLength(1);
    expect(ann.json('team', 'status')).toMatchObject({ shared: 0, queued: 0 });
    expect(ann.cli('team', 'push', id)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be pushed again'),
    });
  });

  describe.skipIf(noClaude !== undefined)(
    `the real Claude Code${noClaude === undefined ? '' : ` (skipped: ${noClaude})`}`,
    () => {
      it('[team-mcp-agent] calls the tools of the team over HTTP, with a token and nothing installed', async () => {
        const sandbox = open();
        const saved = await fetch(`${served.url}/api/projects/${project}/memory`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ text: lesson, metadata: { kind: 'decision' } }),
        });
        expect(saved.status).toBe(201);
        // The command of the guide.
        writeFileSync(
          join(sandbox.repo, '.mcp.json'),
          JSON.stringify({
            mcpServers: {
              team: {
                type: 'http',
                url: `${served.url}/mcp/${project}`,
                headers: { Authorization: `Bearer ${token}` },
              },
            },
          }),
        );
        const call = (name: string, input: object) => [
          { type: 'tool_use', name: `mcp__team__${name}`, input },
        ];
        const model = await startModel(sandbox, {
          steps: [
            call('recall', { query: 'where do retries live' }),
            call('remember', { text: 'Dead letters are kept for a month.', kind: 'rule' }),
            text('Done.'),
          ],
        });
        try {
          claude(sandbox, model, 'Where do retries live?', '--mcp-config', '.mcp.json');
          const last = JSON.stringify(model.requests().at(-1)?.body);
          expect(last).toContain('Redis lost jobs on failover');
          expect(last).toContain('Saved for the team');
        } finally {
          model.stop();
        }
        const found = await fetch(`${served.url}/api/v1/projects/${project}/recall?query=dead+letters`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(await found.json()).toMatchObject({
          items: [{ kind: 'rule', memory: { author: { name: 'ann' }, metadata: { by: 'agent' } } }],
        });
      });
    },
  );
});
