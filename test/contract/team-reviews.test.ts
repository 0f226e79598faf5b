import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomHex } from '../../src/base/ids.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { makeWebhookSecret } from '../../src/team/sources/webhook-signature.ts';
import type { WebhookKind } from '../../src/team/store/team-sources.ts';
import type { TeamOperation } from '../../src/team/store/team-store.ts';
import { describePostgres } from './postgres-server.ts';
import { type TestPerson, type TestTeam, useTeamServer } from './team-server.ts';

interface StoredMemory {
  source: string;
  sourceRef: string;
  text: string;
  trust: number;
  metadata: Record<string, unknown>;
}

describePostgres('Code reviews of a team', (fresh) => {
  let server: RunningTeamServer;
  let operation: TeamOperation;
  let team: TestTeam;
  let project: string;
  let ann: TestPerson;
  useTeamServer(fresh, (served) => {
    operation = createTeamOperation(fresh.database, systemClock);
    ({ server, team, project, ann } = served);
  });

  const webhook = async (kind: WebhookKind) => {
    const secret = makeWebhookSecret();
    const id = await operation.createWebhook(team.org, project, { kind, secret });
    return { secret, url: `${server.url}/api/v1/webhooks/${id}` };
  };
  const post = async (url: string, body: string, headers: Record<string, string>) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return ((await response.json()) as { outcome: string }).outcome;
  };
  const comment = async (sourceRef: string) => {
    const response = await fetch(`${server.url}/api/v1/projects/${project}/memory?source=comment&limit=200`, {
      headers: { authorization: `Bearer ${ann.token}` },
    });
    const { items } = (await response.json()) as { items: StoredMemory[] };
    return items.find((one) => one.sourceRef === sourceRef);
  };

  describe('on GitHub', () => {
    let send: (event: string, payload: unknown) => Promise<string>;
    beforeAll(async () => {
      const { url, secret } = await webhook('github');
      send = (event, payload) => {
        const body = JSON.stringify(payload);
        const signature = createHmac('sha256', secret).update(body).digest('hex');
        return post(url, body, { 'x-github-event': event, 'x-hub-signature-256': `sha256=${signature}` });
      };
    });

    const repository = { id: 77, full_name: 'acme/queue' };
    const time = (minute: number) => `2026-11-02T10:${String(minute).padStart(2, '0')}:00Z`;
    const pull = (minute: number, number = 7) => ({
      number,
      title: 'Use leases',
      state: 'open',
      updated_at: time(minute),
      html_url: `https://github.example/acme/queue/pull/${number}`,
      user: { login: 'mia', type: 'User' },
    });
    const remark = (id: number, minute: number, body: string, more = {}) => ({
      id,
      pull_request_review_id: 500,
      path: 'src/queue/worker.ts',
      line: 12,
      commit_id: 'c'.repeat(40),
      original_commit_id: 'a'.repeat(40),
      user: { login: 'noa', type: 'User' },
      body,
      created_at: time(minute),
      updated_at: time(minute),
      html_url: `https://github.example/acme/queue/pull/7#discussion_r${id}`,
      ...more,
    });
    const onPull = (action: string, given: object) => ({
      action,
      repository,
      pull_request: pull(0),
      sender: { login: 'noa', type: 'User' },
      ...given,
    });

    it('[team-reviews] saves the remarks of a review with author, place, link and trust 0, and follows edits and deletion', async () => {
      const created = onPull('created', { comment: remark(21, 1, 'Close the lease in a finally block.') });
      expect(await send('pull_request_review_comment', created)).toBe('kept');
      expect(await send('pull_request_review_comment', created)).toBe('repeated');
      expect(await comment('github:77/review-comment/21')).toMatchObject({
        text: 'Close the lease in a finally block.',
        trust: 0,
        metadata: {
          kind: 'review comment',
          origin: 'github',
          author: 'noa',
          issue: 'acme/queue#7',
          files: ['src/queue/worker.ts'],
          line: 12,
          commit: 'a'.repeat(40),
          url: 'https://github.example/acme/queue/pull/7#discussion_r21',
        },
      });
      const edited = onPull('edited', { comment: remark(21, 2, 'Release the lease in a finally block.') });
      expect(await send('pull_request_review_comment', edited)).toBe('kept');
      const between = onPull('edited', { comment: remark(21, 1, 'Between the two.') });
      expect(await send('pull_request_review_comment', between)).toBe('stale');
      expect((await comment('github:77/review-comment/21'))?.text).toMatch(/^Release/);
      const deleted = onPull('deleted', { comment: remark(21, 2, 'x') });
      expect(await send('pull_request_review_comment', deleted)).toBe('removed');
      expect(await comment('github:77/review-comment/21')).toBeUndefined();
      const late = onPull('edited', { comment: remark(21, 30, 'After its deletion.') });
      expect(await send('pull_request_review_comment', late)).toBe('gone');
    });

    it('records that a thread was resolved or reopened, whatever is delivered first', async () => {
      const first = remark(31, 1, 'Name the timeout.');
      const thread = (minute: number, action: string, body = first.body) =>
        send('pull_request_review_thread', {
          ...onPull(action, { thread: { node_id: 'T1', comments: [{ ...first, body }] } }),
          updated_at: time(minute),
          sender: { login: 'mia', type: 'User' },
        });
      const resolution = async () => {
        const { isResolved } = (await comment('github:77/review-comment/31'))?.metadata ?? {};
        return isResolved;
      };
      // The resolution arrives before the remark itself.
      expect(await thread(5, 'resolved')).toBe('kept');
      expect(await send('pull_request_review_comment', onPull('created', { comment: first }))).toBe('stale');
      expect(await resolution()).toBe(true);
      const edited = { ...first, body: 'Name the timeout in ms.', updated_at: time(6) };
      expect(await send('pull_request_review_comment', onPull('edited', { comment: edited }))).toBe('kept');
      expect(await resolution()).toBe(true);
      expect(await thread(8, 'unresolved', edited.body)).toBe('kept');
      expect(await thread(7, 'resolved', edited.body)).toBe('stale');
      expect(await resolution()).toBe(false);
    });

    it('saves the summary of a review and its state, and nothing for a review without text', async () => {
      const review = (state: string, body: string | null, id = 500) => ({
        id,
        body,
        state,
        user: { login: 'noa', type: 'User' },
        submitted_at: time(1),
        html_url: `https://github.example/acme/queue/pull/7#pullrequestreview-${id}`,
      });
      const give = (action: string, given: object, minute = 1) =>
        send('pull_request_review', { ...onPull(action, given), pull_request: pull(minute) });
      expect(await give('submitted', { review: review('commented', null, 499) })).toBe('ignored');
      expect(
        await give('submitted', { review: review('changes_requested', 'Leases need a test.') }, 40),
      ).toBe('kept');
      expect(
        await give('edited', { review: review('changes_requested', 'Leases need two tests.') }, 41),
      ).toBe('kept');
      expect(await give('dismissed', { review: review('dismissed', 'Leases need two tests.') }, 42)).toBe(
        'kept',
      );
      expect(await comment('github:77/review/500')).toMatchObject({
        text: 'Leases need two tests.',
        trust: 0,
        metadata: { kind: 'review', status: 'dismissed', author: 'noa', issue: 'acme/queue#7' },
      });
    });

    it('trusts only the signed payload: a review delivered as another event does not change its pull request', async () => {
      await send('pull_request', { action: 'opened', repository, pull_request: pull(0, 9) });
      const review = { id: 91, body: 'No.', state: 'commented', submitted_at: time(1), user: {} };
      await send('pull_request', { action: 'deleted', repository, pull_request: pull(1, 9), review });
      await send('pull_request', {
        action: 'deleted',
        repository,
        pull_request: pull(2, 9),
        comment: remark(92, 2, 'No.'),
      });
      await send('pull_request', {
        action: 'deleted',
        repository,
        pull_request: pull(3, 9),
        thread: { comments: [remark(93, 2, 'No.')] },
      });
      const rows = await fresh.database.query(
        `select 1 from backstory.source_state where source_ref = 'github:77#9' and removed is null`,
      );
      expect(rows).toHaveLength(1);
    });
  });

  describe('on GitLab', () => {
    let send: (payload: unknown) => Promise<string>;
    beforeAll(async () => {
      const { url, secret } = await webhook('gitlab');
      send = (payload) =>
        post(url, JSON.stringify(payload), {
          'x-gitlab-token': secret,
          'x-gitlab-event-uuid': randomHex(16),
        });
    });

    const note = (id: number, minute: number, more = {}, user = { id: 4, username: 'noa' }) => ({
      object_kind: 'note',
      event_type: 'note',
      user,
      project: { id: 15, path_with_namespace: 'acme/port' },
      object_attributes: {
        id,
        author_id: 4,
        note: 'Cranes lock before they turn.',
        noteable_type: 'MergeRequest',
        type: 'DiffNote',
        action: 'create',
        system: false,
        position: { new_path: 'src/crane.ts', new_line: 9, old_line: null },
        resolved_at: null,
        updated_at: `2026-11-03 11:${String(minute).padStart(2, '0')}:00 UTC`,
        url: `https://gitlab.example/acme/port/-/merge_requests/3#note_${id}`,
        ...more,
      },
      merge_request: { id: 90, iid: 3, title: 'Faster cranes' },
    });

    it('[team-reviews] saves remarks on merge requests with their place and resolution', async () => {
      expect(await send(note(1, 0))).toBe('kept');
      expect(await comment('gitlab:15/note/1')).toMatchObject({
        trust: 0,
        metadata: {
          kind: 'review comment',
          author: 'noa',
          issue: 'acme/port!3',
          files: ['src/crane.ts'],
          line: 9,
          isResolved: false,
        },
      });
      // Somebody else resolved it: the author stays.
      const resolved = { action: 'update', resolved_at: '2026-11-03 11:05:00 UTC' };
      expect(await send(note(1, 5, resolved, { id: 8, username: 'mia' }))).toBe('kept');
      expect((await comment('gitlab:15/note/1'))?.metadata).toMatchObject({
        author: 'noa',
        changedBy: 'mia',
        isResolved: true,
      });
    });
  });
});
