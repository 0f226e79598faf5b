import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomHex } from '../../src/base/ids.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { runMaintenance } from '../../src/team/operate/maintenance.ts';
import { runDueJobs } from '../../src/team/operate/run-jobs.ts';
import { checkJobs } from '../../src/team/postgres/check-work.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { webhookCommand } from '../../src/team/sources/webhook-command.ts';
import { makeWebhookSecret } from '../../src/team/sources/webhook-signature.ts';
import type { WebhookKind } from '../../src/team/store/team-sources.ts';
import type { TeamOperation, TeamStore } from '../../src/team/store/team-store.ts';
import { describePostgres } from './postgres-server.ts';
import {
  aTeam,
  openTeamStore,
  roomy,
  startTestServer,
  type TestPerson,
  type TestTeam,
  teamPartsOf,
} from './team-server.ts';

interface Sent {
  body: unknown;
  headers?: Record<string, string>;
  at?: RunningTeamServer;
}

describePostgres('The sources of a team', (fresh) => {
  let store: TeamStore;
  let server: RunningTeamServer;
  let other: RunningTeamServer;
  let operation: TeamOperation;
  let team: TestTeam;
  let project: string;
  let ann: TestPerson;
  let embedder: Embedder;
  const failures: string[] = [];
  const closing: (() => Promise<void>)[] = [];

  const start = async (limits = roomy) => {
    const running = await startTestServer(teamPartsOf(store, embedder), {
      limits,
      onFailure: (error, where) => failures.push(`${where}: ${String(error)}`),
    });
    closing.push(running.close);
    return running;
  };
  beforeAll(async () => {
    const opened = openTeamStore(fresh.url, 8);
    store = opened.store;
    closing.push(() => opened.database.close());
    operation = createTeamOperation(fresh.database, systemClock);
    embedder = await loadStaticModel('assets/static-en.bin');
    team = await aTeam(fresh.database, 'ours');
    project = await team.project('queue');
    ann = await team.person('ann', { [project]: 'member' });
    server = await start();
    other = await start();
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    expect(failures).toEqual([]);
  });

  const ask = async (
    who: TestPerson | undefined,
    path: string,
    { body, headers = {}, at = server }: Sent,
  ) => {
    const response = await fetch(`${at.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(who === undefined ? {} : { authorization: `Bearer ${who.token}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
    const value = (await response.json()) as any;
    return { status: response.status, value, headers: response.headers };
  };
  const tell = (body: Record<string, unknown>, who = ann) =>
    ask(who, `/api/projects/${project}/lifecycle`, { body });
  const told = async (body: Record<string, unknown>) => (await tell(body)).value.outcome;
  const memories = async (source: string, where = project, who = ann) => {
    const response = await fetch(`${server.url}/api/projects/${where}/memory?source=${source}&limit=200`, {
      headers: { authorization: `Bearer ${who.token}` },
    });
    const { items } = (await response.json()) as {
      items: { sourceRef: string; text: string; metadata: Record<string, unknown>; embeddedAt: string }[];
    };
    return items;
  };
  const memoryOf = async (source: string, sourceRef: string, where = project, who = ann) =>
    (await memories(source, where, who)).find((one) => one.sourceRef === sourceRef);

  describe('reported through the API', () => {
    const issue = (event: string, sourceRef: string, minute: number, title: string, more = {}) => ({
      event: `issue:${event}`,
      sourceRef,
      updatedAt: `2026-11-01T10:${String(minute).padStart(2, '0')}:00Z`,
      title,
      ...more,
    });

    it('[team-lifecycle] keeps an issue, replaces it when it is edited and removes it when it is deleted', async () => {
      const created = await tell(
        issue('created', 'ABC-1', 0, 'Retries are lost', { description: 'After a **failover**.' }),
      );
      expect(created).toMatchObject({ status: 200, value: { outcome: 'kept', source: 'issue', project } });
      expect(await memoryOf('issue', 'ABC-1')).toMatchObject({
        text: 'Retries are lost\n\nAfter a **failover**.',
        metadata: { title: 'Retries are lost', origin: 'lifecycle', trust: 0 },
        embeddedAt: expect.any(String),
      });
      expect(await told(issue('updated', 'ABC-1', 1, 'Retries survive'))).toBe('kept');
      expect((await memoryOf('issue', 'ABC-1'))?.text).toBe('Retries survive');
      expect(await told(issue('updated', 'ABC-1', 1, 'Retries survive'))).toBe('unchanged');
      expect(await told(issue('deleted', 'ABC-1', 2, ''))).toBe('removed');
      expect(await memoryOf('issue', 'ABC-1')).toBeUndefined();
    });

    it('[team-lifecycle-order] restores neither an older text nor a deleted one if events arrive late', async () => {
      expect(await told(issue('updated', 'ABC-2', 5, 'The newest'))).toBe('kept');
      expect(await told(issue('updated', 'ABC-2', 3, 'Older'))).toBe('stale');
      expect(await told(issue('created', 'ABC-2', 5, 'The first, within the same second'))).toBe('stale');
      expect(await told(issue('updated', 'ABC-2', 5, 'The next, within the same second'))).toBe('kept');
      expect(await told(issue('deleted', 'ABC-2', 0, ''))).toBe('removed');
      expect(await told(issue('updated', 'ABC-2', 59, 'Newer than the deletion'))).toBe('gone');
      expect(await memoryOf('issue', 'ABC-2')).toBeUndefined();
      expect(await told(issue('deleted', 'ABC-3', 0, ''))).toBe('ignored');
      expect(await told(issue('created', 'ABC-3', 1, 'Told after its deletion'))).toBe('gone');
    });

    it('removes the comments of a deleted issue, and ignores later ones', async () => {
      const comment = (event: string, sourceRef: string, body: string, more = {}) => ({
        event: `comment:${event}`,
        sourceRef,
        updatedAt: '2026-11-01T11:00:00Z',
        body,
        issue: 'ABC-4',
        ...more,
      });
      await tell(issue('created', 'ABC-4', 0, 'With comments'));
      await tell(comment('created', 'c1', 'The first word.'));
      await tell(comment('created', 'c2', 'The second word.'));
      expect(
        await told(comment('updated', 'c1', 'In other words.', { updatedAt: '2026-11-01T11:01:00Z' })),
      ).toBe('kept');
      expect(await memoryOf('comment', 'c1')).toMatchObject({
        text: 'In other words.',
        metadata: { issue: 'ABC-4' },
      });
      expect(await told(comment('deleted', 'c2', ''))).toBe('removed');
      expect(await told(issue('deleted', 'ABC-4', 1, ''))).toBe('removed');
      expect(await memories('comment')).toEqual([]);
      expect(await told(comment('created', 'c3', 'Too late.'))).toBe('gone');
    });

    it('saves the decisions, resolved errors and changed files of a job', async () => {
      const noise = Array.from({ length: 3_000 }, (_, at) => `line ${at} of the build`).join('\n');
      expect(
        await told({
          event: 'job:completed',
          sourceRef: 'job-7',
          updatedAt: '2026-11-01T12:00:00+02:00',
          title: 'Mend the queue',
          issue: 'ABC-9',
          stdout: `${noise}\nError: deadlock detected\n${noise}\nTests: 12 passed`,
          toolResults: [{ tool: 'bash', output: 'npm test: ok' }],
          sessionContext: {
            decisions: ['Use a lease instead of a lock.'],
            resolvedErrors: ['Deadlock between worker and cleaner.'],
            filesModified: ['src/queue/worker.ts'],
          },
          metadata: { status: 'succeeded' },
        }),
      ).toBe('kept');
      const job = await memoryOf('job', 'job-7');
      expect(job?.text).toMatch(
        /^Mend the queue\n\nDecisions:\n- Use a lease instead of a lock\.\n\nResolved/,
      );
      expect(job?.text).toContain('Error: deadlock detected');
      expect(job?.text).toContain('Tests: 12 passed');
      expect(job?.text.length).toBeLessThan(6_000);
      expect(job?.metadata).toMatchObject({ tools: ['bash'], status: 'succeeded', issue: 'ABC-9' });
      const edges = await fresh.database.query<{ target: string }>(
        `select e.target from backstory.edge e join backstory.memory m on m.org = e.org and m.id = e.memory
         where m.source_ref = 'job-7' order by 1`,
      );
      expect(edges.map(({ target }) => target)).toEqual(['ABC-9', 'src/queue/worker.ts']);
    });
  });

  const webhook = async (kind: WebhookKind, where = project) => {
    const secret = makeWebhookSecret();
    const id = await operation.createWebhook(team.org, where, { kind, secret });
    return { id, secret, path: `/api/webhooks/${id}` };
  };

  describe('delivered by GitHub', () => {
    const repository = { id: 77, full_name: 'acme/queue' };
    const issueOf = (minute: number, more = {}) => ({
      number: 42,
      title: 'Walrus jobs vanish',
      body: 'They vanish on *failover*, see src/walrus.ts.',
      state: 'open',
      labels: [{ name: 'bug' }],
      user: { login: 'mia' },
      html_url: 'https://github.example/acme/queue/issues/42',
      updated_at: `2026-11-02T10:${String(minute).padStart(2, '0')}:00Z`,
      ...more,
    });
    const commentOf = (minute: number, body: string) => ({
      id: 9001,
      body,
      user: { login: 'noa' },
      html_url: 'https://github.example/acme/queue/issues/42#issuecomment-9001',
      updated_at: `2026-11-02T11:${String(minute).padStart(2, '0')}:00Z`,
    });
    const signed = (secret: string, event: string, payload: unknown) => {
      const body = JSON.stringify(payload);
      return {
        body,
        headers: {
          'x-github-event': event,
          'x-github-delivery': randomHex(16),
          'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        },
      };
    };

    it('[team-webhooks] saves issues and comments, follows edits and deletions, and processes each delivery once', async () => {
      const { path, secret, id } = await webhook('github');
      const send = async (event: string, payload: unknown, at = server) =>
        (await ask(undefined, path, { ...signed(secret, event, payload), at })).value;
      expect(await send('ping', { zen: 'Keep it logically awesome.', hook_id: 1 })).toEqual({
        outcome: 'ignored',
      });
      const opened = { action: 'opened', repository, issue: issueOf(0) };
      expect(await send('issues', opened)).toMatchObject({ outcome: 'kept' });
      expect(await send('issues', opened, other)).toMatchObject({ outcome: 'repeated' });
      expect(await memoryOf('issue', 'github:77#42')).toMatchObject({
        text: 'Walrus jobs vanish\n\nThey vanish on *failover*, see src/walrus.ts.',
        metadata: { origin: 'github', trust: 0, author: 'mia', labels: ['bug'], status: 'open' },
      });
      const comment = {
        action: 'created',
        repository,
        issue: issueOf(0),
        comment: commentOf(0, 'Since 2.1.'),
      };
      expect(await send('issue_comment', comment)).toMatchObject({ outcome: 'kept' });
      expect(await memoryOf('comment', 'github:77/comment/9001')).toMatchObject({
        text: 'Since 2.1.',
        metadata: { author: 'noa', issue: 'acme/queue#42' },
      });
      const edited = { action: 'edited', repository, issue: issueOf(5, { title: 'Walrus jobs vanished' }) };
      expect(await send('issues', edited)).toMatchObject({ outcome: 'kept' });
      // The delivery id header is not signed, so another id is still the same delivery.
      expect(await send('issues', opened)).toMatchObject({ outcome: 'repeated' });
      expect(
        await send('issues', { ...opened, issue: issueOf(1, { title: 'Between the two' }) }),
      ).toMatchObject({ outcome: 'stale' });
      expect((await memoryOf('issue', 'github:77#42'))?.text).toMatch(/^Walrus jobs vanished/);
      expect(await send('issues', { action: 'deleted', repository, issue: issueOf(5) })).toMatchObject({
        outcome: 'removed',
      });
      expect(await memoryOf('comment', 'github:77/comment/9001')).toBeUndefined();
      expect(await send('push', { ref: 'refs/heads/main', repository })).toEqual({ outcome: 'ignored' });
      const [listed] = (await operation.webhooks(team.org)).filter((one) => one.id === id);
      expect(listed).toMatchObject({ kind: 'github', project: 'queue', lastUsed: expect.any(String) });
    });

    it('trusts only the signed payload: deleting a comment never deletes its issue', async () => {
      const { path, secret } = await webhook('github');
      const send = async (event: string, payload: unknown) =>
        (await ask(undefined, path, { ...signed(secret, event, payload) })).value;
      const issue = issueOf(0, { number: 83 });
      await send('issues', { action: 'opened', repository, issue });
      const comment = { ...commentOf(0, 'Not so.'), id: 9083 };
      await send('issue_comment', { action: 'created', repository, issue, comment });
      // The event name is in an unsigned header, which an attacker may change.
      await send('issues', { action: 'deleted', repository, issue, comment });
      expect(await memoryOf('issue', 'github:77#83')).toBeDefined();
      expect(await memoryOf('comment', 'github:77/comment/9083')).toBeUndefined();
      const review = { action: 'deleted', repository, pull_request: issue, comment };
      expect(await send('pull_request', review)).toMatchObject({ outcome: 'ignored' });
      expect(await send('pull_request', { action: 'deleted', repository, issue })).toEqual({
        outcome: 'ignored',
      });
      expect(await memoryOf('issue', 'github:77#83')).toBeDefined();
    });
  });

  describe('delivered by GitLab', () => {
    const gitlabProject = { id: 15, path_with_namespace: 'acme/port' };
    const issue = (minute: number, more = {}) => ({
      object_kind: 'issue',
      event_type: 'issue',
      user: { username: 'root' },
      project: gitlabProject,
      object_attributes: {
        id: 301,
        iid: 23,
        title: 'Cranes stall',
        description: 'When it *rains*.',
        state: 'opened',
        action: 'open',
        url: 'https://gitlab.example/acme/port/-/issues/23',
        updated_at: `2026-11-03 10:${String(minute).padStart(2, '0')}:00 UTC`,
        confidential: false,
        ...more,
      },
      labels: [{ title: 'weather' }],
    });
    const note = (id: number, more = {}) => ({
      object_kind: 'note',
      user: { username: 'root' },
      project: gitlabProject,
      object_attributes: {
        id,
        note: 'Only in autumn.',
        noteable_type: 'Issue',
        action: 'create',
        system: false,
        updated_at: '2026-11-03T11:00:00Z',
        url: 'https://gitlab.example/acme/port/-/issues/23#note_1',
        ...more,
      },
      issue: { id: 301, iid: 23, title: 'Cranes stall' },
    });

    it('with a secret token saves issues and comments, and nothing confidential', async () => {
      const { path, secret } = await webhook('gitlab');
      const send = async (body: unknown) =>
        (
          await ask(undefined, path, {
            body,
            headers: {
              'x-gitlab-event': 'Issue Hook',
              'x-gitlab-token': secret,
              'x-gitlab-event-uuid': randomHex(16),
            },
          })
        ).value.outcome;
      expect(await send(issue(0))).toBe('kept');
      expect(await memoryOf('issue', 'gitlab:15#23')).toMatchObject({
        text: 'Cranes stall\n\nWhen it *rains*.',
        metadata: { origin: 'gitlab', trust: 0, labels: ['weather'] },
      });
      expect(await send(note(1))).toBe('kept');
      expect(await memoryOf('comment', 'gitlab:15/note/1')).toMatchObject({ text: 'Only in autumn.' });
      expect(await send(note(2, { internal: true }))).toBe('ignored');
      expect(await send(note(3, { system: true }))).toBe('ignored');
      expect(await send(issue(1, { confidential: true, action: 'update' }))).toBe('removed');
      expect(await memoryOf('issue', 'gitlab:15#23')).toBeUndefined();
      expect(await memoryOf('comment', 'gitlab:15/note/1')).toBeUndefined();
      expect(await send(issue(0))).toBe('stale');
      expect(await send(issue(2, { action: 'update' }))).toBe('kept');
    });

    it('with a signing token accepts only signed and recent deliveries', async () => {
      const { path, secret } = await webhook('gitlab');
      const body = JSON.stringify(issue(30, { iid: 24, title: 'Signed' }));
      expect((await ask(undefined, path, standard(secret, body))).value.outcome).toBe('kept');
      expect((await ask(undefined, path, standard(secret, body, { ageSeconds: 600 }))).status).toBe(401);
    });
  });

  const standard = (
    secret: string,
    body: string,
    { id = `msg_${randomHex(8)}`, ageSeconds = 0, key = Buffer.from(secret.slice(6), 'base64') } = {},
  ) => {
    const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return {
      body,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1,${signature}`,
      },
    };
  };

  describe('delivered as Standard Webhooks', () => {
    const body = JSON.stringify({
      event: 'issue:created',
      sourceRef: 'LIN-12',
      updatedAt: '2026-11-04T10:00:00.123Z',
      title: 'Anything may tell',
    });

    it('[team-webhook-signed] accepts a delivery once, signed with its secret, within five minutes', async () => {
      const { path, secret } = await webhook('signed');
      const good = standard(secret, body);
      expect((await ask(undefined, path, good)).value.outcome).toBe('kept');
      expect((await ask(undefined, path, { ...good, at: other })).value.outcome).toBe('repeated');
      expect((await memoryOf('issue', 'LIN-12'))?.metadata).toMatchObject({ origin: 'webhook', trust: 0 });
      const wrong = [
        standard(makeWebhookSecret(), body),
        { ...good, body: body.replace('LIN-12', 'LIN-13') },
        { ...good, headers: { ...good.headers, 'webhook-id': 'another' } },
        standard(secret, body, { ageSeconds: 301 }),
        standard(secret, body, { ageSeconds: -330 }),
        standard(secret, body, { key: Buffer.from(secret) }),
        { body, headers: { 'x-gitlab-token': secret } },
      ];
      for (const [at, delivery] of wrong.entries())
        expect((await ask(undefined, path, delivery)).status, `delivery ${at}`).toBe(401);
      const bad = await ask(undefined, path, standard(secret, '{"event":"issue:created"}'));
      expect(bad).toMatchObject({ status: 400, value: { code: 'INVALID_ARGUMENT' } });
    });

    it('gives the same response for an unknown webhook, a removed one and a wrong signature', async () => {
      const watchful = await start();
      const removed = await webhook('signed');
      const kept = await webhook('signed');
      const good = standard(removed.secret, body);
      expect((await ask(undefined, removed.path, { ...good, at: watchful })).status).toBe(200);
      expect(await operation.removeWebhook(team.org, removed.id)).toBe(true);
      const answers = [];
      for (const path of [removed.path, kept.path, '/api/webhooks/0198f2c4-0000-7000-8000-0000000000aa'])
        answers.push(await ask(undefined, path, { ...standard(removed.secret, body), at: watchful }));
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
      expect(new Set(answers.map(({ value }) => JSON.stringify(value))).size).toBe(1);
    });

    it('refuses long bodies and too many deliveries, with Retry-After', async () => {
      const { path, secret } = await webhook('signed');
      const long = JSON.stringify({ event: 'issue:created', description: 'x'.repeat(1024 * 1024) });
      expect((await ask(undefined, path, standard(secret, long))).status).toBe(400);
      const narrow = await start({ ...roomy, perSecond: 1, burst: 5 });
      const flood = await Promise.all(
        Array.from({ length: 20 }, () => ask(undefined, path, { ...standard(secret, body), at: narrow })),
      );
      const refused = flood.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(5);
      expect(refused[0]?.headers.get('retry-after')).toBe('1');
      const crowded = await start({ ...roomy, atOnce: 1, waiting: 1 });
      const crowd = await Promise.all(
        Array.from({ length: 100 }, () => ask(undefined, path, { ...standard(secret, body), at: crowded })),
      );
      expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([200, 503]));
    });
  });

  describe('for their operator', () => {
    it('shows the secret of a webhook once, and not in lists', async () => {
      const parts = { operation, now: Date.now() };
      const options = { org: team.org, from: 'github' };
      const made = await webhookCommand(parts, ['add', 'queue'], options);
      const { webhook: id, secret } = made.value as { webhook: string; secret: string };
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(made.text).toContain(secret);
      const listed = await webhookCommand(parts, ['list'], options);
      expect(listed.text).toContain(id);
      expect(JSON.stringify(listed)).not.toContain(secret);
      await webhookCommand(parts, ['remove', id], options);
      await expect(webhookCommand(parts, ['remove', id], options)).rejects.toThrow('no such webhook');
      await expect(webhookCommand(parts, ['add', 'queue'], { org: team.org, from: 'svn' })).rejects.toThrow();
    });

    it('deletes records of old deliveries, and keeps their memories', async () => {
      await fresh.database.query(`update backstory.webhook_delivery set at = now() - interval '8 days'`);
      const { deliveries } = await runMaintenance(operation);
      expect(deliveries).toBeGreaterThan(0);
      expect(await fresh.database.query('select 1 from backstory.webhook_delivery')).toEqual([]);
      expect(await memories('issue')).not.toEqual([]);
    });

    it('[team-jobs] retries a job that fails, gives it up in the end, and starts it again when asked', async () => {
      const where = await team.project('flooded');
      const who = await team.person('flooder', { [where]: 'owner' });
      const reindex = () => ask(who, `/api/projects/${where}/memory/reindex`, { body: {} });
      const event = { event: 'issue:created', updatedAt: '2026-11-05T10:00:00Z', title: 'Flood' };
      await ask(who, `/api/projects/${where}/lifecycle`, { body: { ...event, sourceRef: 'F-1' } });
      expect((await reindex()).status).toBe(202);
      let asked = 0;
      const broken: Embedder = {
        ...embedder,
        id: 'broken',
        embed() {
          asked += 1;
          return Promise.reject(new Error('answered without embeddings'));
        },
      };
      const work = (by: Embedder) => runDueJobs({ jobs: store.jobs, embedder: by, onFailure: () => {} });
      await work(broken);
      expect(await checkJobs(fresh.database)).toMatchObject({
        ok: true,
        text: expect.stringMatching(/^1 waiting, 1 of them being retried/),
      });
      for (let attempt = 0; attempt < 10; attempt++) {
        await fresh.database.query('update backstory.job set run_at = now() where dead is null');
        await work(broken);
      }
      expect(asked).toBe(8);
      expect(await checkJobs(fresh.database)).toMatchObject({
        name: 'jobs',
        ok: false,
        text: expect.stringContaining(
          'reindex of flooded given up after 8 attempts: answered without embeddings',
        ),
      });
      expect(await work(embedder)).toBe(0);
      await reindex();
      expect(await work(embedder)).toBe(1);
      expect(await fresh.database.query('select 1 from backstory.job where project = $1', [where])).toEqual(
        [],
      );
      expect((await memories('issue', where, who)).every(({ embeddedAt }) => embeddedAt !== null)).toBe(true);
    });
  });
});
