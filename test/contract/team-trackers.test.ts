import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { makeWebhookSecret } from '../../src/team/sources/webhook-signature.ts';
import type { WebhookKind } from '../../src/team/store/team-sources.ts';
import { describePostgres } from './postgres-server.ts';
import { type TestPerson, useTeamServer } from './team-server.ts';

interface StoredMemory {
  sourceRef: string;
  text: string;
  trust: number;
  metadata: Record<string, unknown>;
}

describePostgres('The issue trackers of a team', (fresh) => {
  let server: RunningTeamServer;
  let project: string;
  let ann: TestPerson;
  let webhook: (kind: WebhookKind) => Promise<{ secret: string; url: string }>;
  useTeamServer(fresh, (served) => {
    ({ server, project, ann } = served);
    const operation = createTeamOperation(fresh.database, systemClock);
    webhook = async (kind) => {
      const secret = makeWebhookSecret();
      const id = await operation.createWebhook(served.team.org, project, { kind, secret });
      return { secret, url: `${server.url}/api/v1/webhooks/${id}` };
    };
  });

  const deliver = async (url: string, body: string, headers: Record<string, string>) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const { outcome } = (await response.json()) as { outcome?: string };
    return outcome ?? response.status;
  };
  const memory = async (source: string, sourceRef: string) => {
    const path = `/api/v1/projects/${project}/memory?source=${source}&limit=200`;
    const response = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${ann.token}` },
    });
    const { items } = (await response.json()) as { items: StoredMemory[] };
    return items.find((one) => one.sourceRef === sourceRef);
  };
  const hmac = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');

  describe('delivered by Linear', () => {
    const time = (minute: number) => `2026-11-04T10:${String(minute).padStart(2, '0')}:00.000Z`;
    const mia = { id: 'u-mia', type: 'user', name: 'Mia' };
    const issue = (action: string, minute: number, more = {}, actor: object = mia) => ({
      action,
      type: 'Issue',
      createdAt: time(minute),
      actor,
      data: {
        id: 'i-1',
        identifier: 'PORT-12',
        title: 'Cranes stall',
        description: 'When it *rains*.',
        creatorId: 'u-mia',
        state: { name: 'Todo' },
        labels: [{ name: 'weather' }],
        updatedAt: time(minute),
        ...more,
      },
      url: 'https://linear.example/acme/issue/PORT-12',
    });
    const comment = (action: string, minute: number, more = {}) => ({
      action,
      type: 'Comment',
      createdAt: time(minute),
      actor: mia,
      data: {
        id: 'c-1',
        body: 'Only in autumn.',
        issueId: 'i-1',
        issue: { id: 'i-1', title: 'Cranes stall', identifier: 'PORT-12' },
        user: { id: 'u-noa', name: 'Noa' },
        updatedAt: time(minute),
        resolvedAt: null,
        ...more,
      },
      url: 'https://linear.example/acme/issue/PORT-12#comment-c1',
    });

    it('[team-trackers] saves issues and comments by Linear’s own signature, and follows edits and deletions', async () => {
      const { url, secret } = await webhook('linear');
      const send = (payload: object, webhookTimestamp = Date.now()) => {
        const body = JSON.stringify({ ...payload, webhookTimestamp });
        return deliver(url, body, { 'linear-signature': hmac(secret, body), 'linear-event': 'Issue' });
      };
      const now = Date.now();
      expect(await send(issue('create', 0), now)).toBe('kept');
      expect(await send(issue('create', 0), now)).toBe('repeated');
      expect(await send(issue('create', 0), now - 301_000)).toBe(401);
      expect(await memory('issue', 'linear:issue/i-1')).toMatchObject({
        text: 'Cranes stall\n\nWhen it *rains*.',
        trust: 0,
        metadata: { origin: 'linear', author: 'Mia', issue: 'PORT-12', status: 'Todo', labels: ['weather'] },
      });
      const bot = { id: 'app', type: 'integration', name: 'Sync' };
      expect(await send(issue('update', 2, { title: 'Cranes halt' }, bot))).toBe('kept');
      expect((await memory('issue', 'linear:issue/i-1'))?.metadata).toMatchObject({
        author: 'Mia',
        changedBy: 'Sync',
      });
      expect(await send(comment('create', 3))).toBe('kept');
      expect(await send(comment('update', 4, { resolvedAt: time(4) }))).toBe('kept');
      expect(await memory('comment', 'linear:comment/c-1')).toMatchObject({
        text: 'Only in autumn.',
        trust: 0,
        metadata: { author: 'Noa', issue: 'PORT-12', isResolved: true },
      });
      expect(await send(comment('create', 3, { id: 'c-2', issueId: null, issue: null }))).toBe('ignored');
      expect(await send(comment('remove', 5))).toBe('removed');
      // A deleted issue can be restored in Linear, and then comes back.
      expect(await send(issue('remove', 6, { updatedAt: time(2) }))).toBe('removed');
      expect(await send(issue('update', 5))).toBe('stale');
      expect(await send(issue('update', 7))).toBe('kept');
    });
  });

  describe('delivered by Jira', () => {
    const site = 'https://acme.atlassian.example';
    const time = (minute: number) => `2026-11-04T10:${String(minute).padStart(2, '0')}:00.000+0000`;
    const issueOf = (minute: number, more = {}) => ({
      id: '10002',
      key: 'PORT-7',
      self: `${site}/rest/api/2/issue/10002`,
      fields: {
        summary: 'Gates jam',
        description: 'In the *cold*.',
        status: { name: 'Open' },
        labels: ['weather'],
        creator: { accountId: '1', displayName: 'Mia', accountType: 'atlassian' },
        updated: time(minute),
        ...more,
      },
    });
    const commentOf = (minute: number, more = {}) => ({
      id: '501',
      author: { displayName: 'Automation', accountType: 'app' },
      body: {
        type: 'doc',
        content: [
          {
            type: 'paragraph',
            content: [
              { type: 'text', text: 'Grease ' },
              { type: 'text', text: 'them.' },
            ],
          },
          { type: 'paragraph', content: [{ type: 'text', text: 'Twice.' }] },
        ],
      },
      updated: time(minute),
      ...more,
    });

    it('[team-trackers] saves issues and comments by Jira’s own signature, and nothing restricted', async () => {
      const { url, secret } = await webhook('jira');
      const send = (webhookEvent: string, given: object) => {
        const body = JSON.stringify({ timestamp: Date.now(), webhookEvent, ...given });
        return deliver(url, body, { 'x-hub-signature': `sha256=${hmac(secret, body)}` });
      };
      expect(await send('jira:issue_created', { issue: issueOf(0) })).toBe('kept');
      expect(await memory('issue', `jira:${site}/issue/10002`)).toMatchObject({
        text: 'Gates jam\n\nIn the *cold*.',
        trust: 0,
        metadata: { origin: 'jira', author: 'Mia', issue: 'PORT-7', url: `${site}/browse/PORT-7` },
      });
      const on = { issue: issueOf(0) };
      expect(await send('comment_created', { ...on, comment: commentOf(1) })).toBe('kept');
      expect(await memory('comment', `jira:${site}/comment/501`)).toMatchObject({
        text: 'Grease them.\nTwice.',
        metadata: { author: 'Automation', issue: 'PORT-7' },
      });
      const hidden = { visibility: { type: 'role', value: 'Administrators' } };
      expect(await send('comment_updated', { ...on, comment: commentOf(2, hidden) })).toBe('removed');
      expect(
        await send('comment_created', { ...on, comment: commentOf(1, { id: '502', jsdPublic: false }) }),
      ).toBe('ignored');
      expect(await send('comment_created', { ...on, comment: commentOf(1, { id: '503' }) })).toBe('kept');
      expect(await send('jira:issue_updated', { issue: issueOf(3, { security: { id: '1' } }) })).toBe(
        'removed',
      );
      expect(await memory('comment', `jira:${site}/comment/503`)).toBeUndefined();
      expect(await send('comment_created', { ...on, comment: commentOf(9, { id: '504' }) })).toBe('gone');
      expect(await send('jira:worklog_updated', { issue: issueOf(4) })).toBe('ignored');
      const body = JSON.stringify({ webhookEvent: 'jira:issue_created', issue: issueOf(0) });
      expect(await deliver(url, body, { 'x-hub-signature': `sha256=${hmac('other', body)}` })).toBe(401);
      expect(await deliver(url, body, { 'x-hub-signature-256': `sha256=${hmac(secret, body)}` })).toBe(401);
    });
  });
});
