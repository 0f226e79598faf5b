import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { type ClientAddress, clientAddressBehind } from '../../src/team/http/client-address.ts';
import type { LimitOptions } from '../../src/team/http/limits.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { runDueJobs } from '../../src/team/operate/run-jobs.ts';
import type { TeamStore } from '../../src/team/store/team-store.ts';
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

describePostgres('The team server', (fresh) => {
  let store: TeamStore;
  let server: RunningTeamServer;
  let embedder: Embedder;
  let team: TestTeam;
  let project: string;
  let ann: TestPerson;
  const failures: string[] = [];
  const closing: (() => Promise<void>)[] = [];

  const start = async (limits: LimitOptions, clientAddress?: ClientAddress, model = embedder) => {
    const running = await startTestServer(teamPartsOf(store, model), {
      limits,
      clientAddress,
      onFailure: (error, where) => failures.push(`${where}: ${String(error)}`),
    });
    closing.push(running.close);
    return running;
  };

  beforeAll(async () => {
    const opened = openTeamStore(fresh.url);
    store = opened.store;
    closing.push(() => opened.database.close());
    embedder = await loadStaticModel('assets/static-en.bin');
    team = await aTeam(fresh.database, 'ours');
    project = await team.project('queue');
    ann = await team.person('ann', { [project]: 'member' });
    server = await start(roomy);
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    expect(failures).toEqual([]);
  });

  const ask = async (
    who: TestPerson | undefined,
    method: string,
    path: string,
    body?: unknown,
    at = server,
  ) => {
    const response = await fetch(`${at.url}${path}`, {
      method,
      headers: {
        ...(who === undefined ? {} : { authorization: `Bearer ${who.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
    const value = (await response.json()) as any;
    return { status: response.status, value, headers: response.headers };
  };
  const search = async (who: TestPerson, q: string) =>
    (await ask(who, 'GET', `/api/projects/${project}/memory/search?q=${encodeURIComponent(q)}`)).value
      .results;

  it('[team-api] adds a note, finds it by the names of its record, and removes it', async () => {
    const added = await ask(ann, 'POST', `/api/projects/${project}/memory`, {
      text: 'Deploys go out on **Tuesdays**, never on Fridays.',
      metadata: { priority: 'high' },
    });
    expect(added).toMatchObject({ status: 201, value: { source: 'note', project, isChanged: true } });
    const [hit] = await search(ann, 'when do deploys go out');
    expect(hit).toMatchObject({
      documentId: added.value.documentId,
      project,
      source: 'note',
      sourceRef: added.value.sourceRef,
      text: 'Deploys go out on **Tuesdays**, never on Fridays.',
      metadata: { priority: 'high' },
      embeddedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      score: expect.any(Number),
    });
    const { documentId } = added.value;
    expect((await ask(ann, 'DELETE', `/api/memory/${documentId}`)).value).toEqual({
      documentId,
      removed: true,
    });
    expect((await ask(ann, 'DELETE', `/api/memory/${documentId}`)).status).toBe(404);
    expect(await search(ann, 'when do deploys go out')).toEqual([]);
  });

  it('redacts secrets in texts and metadata', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await ask(ann, 'POST', `/api/projects/${project}/memory`, {
      text: `The token is ${secret} for the mirror.`,
      metadata: { token: secret },
    });
    const rows = await fresh.database.query(
      `select 1 from backstory.memory where text like $1 or metadata::text like $1
       union all select 1 from backstory.chunk where text like $1`,
      [`%${secret}%`],
    );
    expect(rows).toEqual([]);
  });

  it('lets readers read, members write and devices search, within the scopes of the token', async () => {
    const reader = await team.person('reader', { [project]: 'reader' });
    const looking = await team.person('looking', { [project]: 'member' }, ['read']);
    const laptop = await team.device('laptop', ann);
    const path = `/api/projects/${project}/memory`;
    for (const who of [reader, looking, laptop]) {
      expect((await ask(who, 'GET', `${path}/search?q=deploys`)).status).toBe(200);
      expect((await ask(who, 'POST', path, { text: 'x' })).status).toBe(403);
      expect((await ask(who, 'POST', `${path}/reindex`)).status).toBe(403);
    }
    const memories = [{ source: 'job', sourceRef: 'job-1', text: 'The job fixed the flaky test.' }];
    expect((await ask(laptop, 'POST', `${path}/batch`, { memories })).status).toBe(200);
    expect((await ask(reader, 'POST', `${path}/batch`, { memories })).status).toBe(403);
    expect((await ask(laptop, 'GET', '/api/v1/me')).value).toMatchObject({ kind: 'device', person: ann.id });
  });

  it('explains an invalid request, and reveals nothing else', async () => {
    const path = `/api/projects/${project}/memory`;
    for (const [method, where, body] of [
      ['GET', `${path}/search`],
      ['GET', `${path}/search?q=`],
      ['GET', `${path}/search?q=a&limit=0`],
      ['GET', `${path}/search?q=a&source=diary`],
      ['GET', '/api/projects/not-a-uuid/memory/search?q=a'],
      ['GET', `${path}?cursor=AAAA`],
      ['POST', path, {}],
      ['POST', path, { text: 7 }],
      ['POST', `${path}/batch`, { memories: [] }],
      ['DELETE', "/api/memory/1'or'1"],
    ] as const) {
      const { status, value } = await ask(ann, method, where, body);
      expect([status, value.code], where).toEqual([400, 'INVALID_ARGUMENT']);
    }
    expect((await ask(ann, 'GET', '/api/v1/nothing')).status).toBe(404);
  });

  it('lists all memories page by page', async () => {
    const path = `/api/projects/${project}/memory`;
    const memories = Array.from({ length: 25 }, (_, at) => ({
      source: 'comment',
      sourceRef: `c${at}`,
      text: `Comment ${at}`,
    }));
    await ask(ann, 'POST', `${path}/batch`, { memories });
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { value } = await ask(ann, 'GET', `${path}?source=comment&limit=10${more}`);
      seen.push(...value.items.map(({ sourceRef }: { sourceRef: string }) => sourceRef));
      cursor = value.nextCursor;
    }
    expect(seen.toSorted()).toEqual(memories.map(({ sourceRef }) => sourceRef).toSorted());
  });

  it('switches to another model while searches still use the old one', async () => {
    const where = await team.project('moving');
    const who = await team.person('mover', { [where]: 'owner' });
    const path = `/api/projects/${where}/memory`;
    await ask(who, 'POST', path, { text: 'Ships sail across the wide ocean.' });
    const question = `${path}/search?q=boats+that+travel+over+the+sea`;
    const another: Embedder = {
      id: 'another',
      dims: 3,
      embed: async (texts) => texts.map(() => Float32Array.from([0.6, 0.8, 0])),
    };
    expect((await ask(who, 'GET', question)).value.results).toHaveLength(1);
    expect(await ask(who, 'POST', `${path}/reindex`)).toMatchObject({
      status: 202,
      value: { status: 'queued' },
    });
    expect((await ask(who, 'GET', question)).value.results).toHaveLength(1);
    await runDueJobs({ jobs: store.jobs, embedder: another, onFailure: () => {} });
    expect((await ask(who, 'GET', question)).value.results).toHaveLength(0);
    const updated = await start(roomy, undefined, another);
    expect((await ask(who, 'GET', question, undefined, updated)).value.results).toHaveLength(1);
  });

  it('[team-limits] answers 429 above the rate limit, and 503 when the queue is full', async () => {
    const slow = await start({ ...roomy, perSecond: 1, burst: 3 });
    const path = `/api/projects/${project}/memory/search?q=deploys`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(ann, 'GET', path, undefined, slow)),
    );
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(5);
    expect(limited[0]?.headers.get('retry-after')).toBe('1');
    expect(limited[0]?.value).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    const narrow = await start({ ...roomy, atOnce: 1, waiting: 1 });
    // Many requests, so that some overlap even on a fast machine.
    const crowd = await Promise.all(
      Array.from({ length: 150 }, () => ask(ann, 'GET', path, undefined, narrow)),
    );
    expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect((await ask(ann, 'GET', path, undefined, narrow)).status).toBe(200);
  });

  it('[team-lockout] a thousand bad tokens from the same address lock nobody out', async () => {
    const watchful = await start(roomy);
    const path = '/api/v1/projects';
    expect((await ask(ann, 'GET', path, undefined, watchful)).status).toBe(200);
    const guesses = Array.from({ length: 1_000 }, (_, n) => `bst_${n.toString(16).padStart(64, '0')}`);
    const statuses: number[] = [];
    for (let at = 0; at < guesses.length; at += 20) {
      const some = guesses.slice(at, at + 20).map((token) => ({ ...ann, token }));
      const answers = await Promise.all(some.map((guess) => ask(guess, 'GET', path, undefined, watchful)));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect((await ask(ann, 'GET', path, undefined, watchful)).status).toBe(200);
    // A valid token that was not used recently, and one that is used for the first time.
    const fresh = await team.person('fresh', { [project]: 'reader' });
    expect((await ask(fresh, 'GET', path, undefined, watchful)).status).toBe(200);
    const signIn = await fetch(`${watchful.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ token: (await team.token(fresh.id)).token }),
    });
    expect(signIn.status).toBe(200);
  });

  it('[team-device-rate] limits device codes per address and approval attempts per token', async () => {
    const proxied = await start(roomy, clientAddressBehind('127.0.0.0/8'));
    const post = (path: string, body: object, headers: Record<string, string>) =>
      fetch(`${proxied.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const askFrom = async (address: string, n: number) => {
      const hash = `${address.replace(/\D/g, '')}${n}`.padStart(64, '0');
      return (await post('/api/device', { hash, name: 'laptop' }, { 'x-forwarded-for': address })).status;
    };
    const statuses = [];
    for (let n = 0; n < 15; n++) statuses.push(await askFrom('203.0.113.1', n));
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(429)]);
    // [team-proxy] Another client behind the same proxy is not limited, and the first one cannot pretend to be another.
    expect(await askFrom('203.0.113.2', 1)).toBe(200);
    expect(await askFrom('203.0.113.9, 203.0.113.1', 99)).toBe(429);
    const guesses = [];
    for (let n = 0; n < 15; n++)
      guesses.push(
        (await post('/api/device/approve', { code: 'BBBB-BBBB' }, { authorization: `Bearer ${ann.token}` }))
          .status,
      );
    expect(guesses).toEqual([...Array(10).fill(404), ...Array(5).fill(429)]);
    expect((await ask(ann, 'GET', '/api/v1/projects', undefined, proxied)).status).toBe(200);
  });

  describe('for its operator', () => {
    it('answers health, readiness and metrics', async () => {
      expect((await ask(undefined, 'GET', '/health')).value).toMatchObject({ status: 'ok' });
      expect((await ask(undefined, 'GET', '/ready')).value).toEqual({ status: 'ready' });
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).toMatch(
        /backstory_requests_total\{route="GET \/api\/projects\/:id\/memory\/search",status="200"\} \d+/,
      );
      expect(metrics).not.toContain(project);
      const exported = new Set(metrics.match(/^\w+/gm));
      const used = ['prometheus-rules.yml', 'grafana-dashboard.json'].flatMap(
        (file) => readFileSync(`deploy/${file}`, 'utf8').match(/\b(?:backstory|process)_\w+/g) ?? [],
      );
      expect(new Set(used).size).toBeGreaterThan(4);
      expect([...new Set(used)].filter((name) => !exported.has(name))).toEqual([]);
      const { value } = await ask(undefined, 'GET', '/api/v1/openapi.json');
      expect(Object.keys(value.paths)).toContain('/api/projects/{id}/memory/search');
    });

    it('finishes accepted requests before it stops', async () => {
      const leaving = await start(roomy);
      const path = `/api/projects/${project}/memory/search?q=deploys`;
      const asked = Array.from({ length: 10 }, () => ask(ann, 'GET', path, undefined, leaving));
      const answers = Promise.allSettled(asked);
      await Promise.race(asked);
      await leaving.close();
      const settled = await answers;
      for (const one of settled) if (one.status === 'fulfilled') expect(one.value.status).toBe(200);
    });
  });
});
