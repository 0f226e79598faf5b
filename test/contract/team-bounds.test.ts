import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { makeWebhookSecret } from '../../src/team/sources/webhook-signature.ts';
import { describePostgres } from './postgres-server.ts';
import { roomy, type TestPerson, useTeamServer } from './team-server.ts';

describePostgres('[team-limits] Sizes on a team server', (fresh) => {
  let server: RunningTeamServer;
  let path: string;
  let org: string;
  let project: string;
  let ann: TestPerson;
  useTeamServer(fresh, (served) => {
    ({ server, project, ann } = served);
    org = served.team.org;
    path = `/api/projects/${project}/memory`;
  });

  const ask = async (where: string, body?: unknown, token = ann.token) => {
    const response = await fetch(`${server.url}${where}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const value = (await response.json()) as { items: { text: string }[]; nextCursor?: string };
    return { status: response.status, value };
  };

  it('limit a page of memories to some megabytes, and the next pages contain the rest', async () => {
    const text = 'word '.repeat(39_000);
    const memories = Array.from({ length: 24 }, (_, at) => ({
      source: 'job',
      sourceRef: `long-${at}`,
      text: `${at} ${text}`,
    }));
    for (const half of [memories.slice(0, 12), memories.slice(12)])
      expect((await ask(`${path}/batch`, { memories: half })).status).toBe(200);
    const seen: string[] = [];
    const pages: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { value } = await ask(`${path}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(value.items.reduce((sum, item) => sum + item.text.length, 0));
      seen.push(...value.items.map((item) => item.text.split(' ')[0] ?? ''));
      cursor = value.nextCursor;
    }
    expect(Math.max(...pages)).toBeLessThan(4_300_000);
    expect(new Set(seen).size).toBe(24);
    expect(seen).toHaveLength(24);
    expect(pages.length).toBeGreaterThan(1);
  });

  it('refuse a long body without a valid token', async () => {
    const memory = { source: 'job', sourceRef: 'long', text: 'word '.repeat(20_000) };
    expect((await ask(`${path}/batch`, { memories: [memory] }, `bst_${'0'.repeat(64)}`)).status).toBe(401);
  });

  it('refuse an endless body of a device sign-in', async () => {
    const { hostname, port } = new URL(server.url);
    const tried = (where: string, headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const sent = httpRequest(
          {
            hostname,
            port,
            path: where,
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
          },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
            sent.destroy();
          },
        );
        sent.on('error', reject);
        // The body never ends; the response does not wait for it.
        sent.write('{');
      });
    const wheres = ['/api/device', '/api/device/state', '/api/device/leave', '/device'];
    for (const where of wheres)
      expect([where, await tried(where, { 'content-length': '5000' })]).toEqual([where, 400]);
    // If the length is not announced, the server waits a few seconds for the rest.
    stopTimers();
    const statuses = Promise.all(wheres.map((where) => tried(where, { 'transfer-encoding': 'chunked' })));
    await expect.poll(() => vi.getTimerCount()).toBe(wheres.length);
    vi.advanceTimersByTime(waitForBodyMs);
    expect(await statuses).toEqual(wheres.map(() => 400));
  });

  /** How long the server waits for a body without a token. */
  const waitForBodyMs = 5_000;
  /** From now on, time limits of the server end only when the test advances the time. */
  const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Starts uploads that stall. Resolves when the server has received the head of each. */
  const dribble = async (count: number, head: string, body = '{') => {
    const { hostname, port, host } = new URL(server.url);
    const fields = [
      head,
      `host: ${host}`,
      `authorization: Bearer ${ann.token}`,
      'content-type: application/json',
      'expect: 100-continue',
    ];
    const sockets = await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(Number(port), hostname).on('error', () => {});
        const received = once(socket, 'data');
        socket.write(`${fields.join('\r\n')}\r\n\r\n${body}`);
        expect(String(await received)).toMatch(/^HTTP\/1\.1 100 /);
        return socket;
      }),
    );
    return () => {
      for (const socket of sockets) socket.destroy();
    };
  };

  it('give a request a slot only after its whole body has arrived', async () => {
    const stop = await dribble(roomy.atOnce * 2, `POST /mcp/${project} HTTP/1.1\r\ncontent-length: 1000`);
    expect((await ask('/api/v1/projects')).status).toBe(200);
    // A client that disconnects is no server failure: see afterAll, after all connections are closed.
    stop();
  });

  it('[team-uploads] let slow unsigned uploads delay no signed delivery', async () => {
    const secret = makeWebhookSecret();
    const operation = createTeamOperation(fresh.database, systemClock);
    const id = await operation.createWebhook(org, project, { kind: 'github', secret });
    const nobody = '/api/webhooks/00000000-0000-4000-8000-000000000000';
    const own = `/api/webhooks/${id}`;
    const deliver = async (number: number) => {
      const issue = {
        number,
        title: `Issue ${number}`,
        body: 'It waits.',
        updated_at: '2026-11-01T10:00:00Z',
      };
      const repository = { full_name: 'acme/queue' };
      const body = JSON.stringify({
        action: 'opened',
        issue: { ...issue, user: { login: 'ann' } },
        repository,
      });
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const { status } = await fetch(`${server.url}${own}`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'x-github-event': 'issues',
          'x-github-delivery': `delivery-${number}`,
          'x-hub-signature-256': `sha256=${signature}`,
        },
      });
      return status;
    };
    expect(await deliver(1)).toBe(200);
    // So the server never gives up a stalled upload, and a delivery that waits for one never ends.
    stopTimers();
    const announced = 'HTTP/1.1\r\ncontent-length: 1048576';
    for (const [at, where] of [nobody, own].entries()) {
      const stop = await dribble(8, `POST ${where} ${announced}`);
      expect([where, await deliver(2 + at)]).toEqual([where, 200]);
      expect((await ask(path, { text: 'Still heard.' })).status).toBe(201);
      stop();
    }
    // These bytes do arrive, so the oldest uploads are dropped.
    const stop = await dribble(9, `POST ${own} ${announced}`, 'x'.repeat(1_000_000));
    expect(await deliver(4)).toBe(200);
    stop();
  });

  it('[team-uploads] give a body without a token a few seconds to arrive', async () => {
    const { hostname, port, host } = new URL(server.url);
    stopTimers();
    const told = new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`POST /api/webhooks/x HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1048576\r\n\r\n{`),
      );
      let said = '';
      socket.on('data', (data) => {
        said += data;
      });
      socket.on('close', () => resolve(said));
      socket.on('error', () => {});
    });
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(waitForBodyMs);
    expect(await told).toMatch(/^HTTP\/1\.1 400[\s\S]*connection: close[\s\S]*did not arrive in time/i);
  });

  it('limit a question to some pages of text, also over MCP', async () => {
    for (const name of ['recall', 'forge_memory']) {
      const response = await fetch(`${server.url}/mcp/${project}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ann.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: { query: 'x'.repeat(20_001) } },
        }),
      });
      expect(await response.text()).toMatch(/isError":true.*20000|20000.*isError":true/s);
    }
  });
});
