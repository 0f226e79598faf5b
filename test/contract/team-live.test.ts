import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { RunningTeamServer } from '../../src/http/team/server.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { describePostgres } from './postgres-server.ts';
import {
  aTeam,
  openTeamStore,
  startTestServer,
  type TestPerson,
  type TestTeam,
  teamPartsOf,
} from './team-server.ts';

interface Told {
  id: string;
  event: string;
  data: { documentId?: string };
}

describePostgres('A WebSocket of a team server', (fresh) => {
  const closing: (() => unknown)[] = [];
  let start: () => Promise<RunningTeamServer>;
  let servers: RunningTeamServer[];
  let team: TestTeam;
  let project: string;
  let ann: TestPerson;

  beforeAll(async () => {
    const model = await loadStaticModel('assets/static-en.bin');
    team = await aTeam(fresh.database, 'ours');
    project = await team.project('queue');
    ann = await team.person('ann', { [project]: 'member' });
    start = async () => {
      const { store, database } = openTeamStore(fresh.url);
      const server = await startTestServer(
        teamPartsOf(store, async () => model),
        { onFailure: () => {} },
      );
      closing.push(async () => {
        await server.close();
        await database.close();
      });
      return server;
    };
    servers = [await start(), await start()];
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const save = async (at: number, text: string, visibility = 'team', who = ann): Promise<string> => {
    const response = await fetch(`${servers[at]?.url}/api/projects/${project}/memory`, {
      method: 'POST',
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text, visibility }),
    });
    return ((await response.json()) as { documentId: string }).documentId;
  };
  const addressOf = (server: RunningTeamServer | undefined, after?: string): string =>
    `${server?.url.replace('http', 'ws')}/api/projects/${project}/live${after === undefined ? '' : `?last_event_id=${after}`}`;
  const bearer = (who: TestPerson) => ({ headers: { authorization: `Bearer ${who.token}` } });

  /** What it tells, as it comes. */
  const listen = (client: WebSocket) => {
    const heard: Told[] = [];
    client.on('message', (data) => heard.push(JSON.parse(String(data)) as Told));
    client.on('error', () => {});
    return {
      client,
      heard,
      until: (isEnough: (heard: Told[]) => boolean) =>
        expect.poll(() => isEnough(heard), { timeout: 10_000, interval: 20 }).toBe(true),
    };
  };
  /** How the server refuses to upgrade. */
  const refusal = (client: WebSocket): Promise<number> =>
    new Promise((resolve, reject) => {
      client.on('unexpected-response', (_, response) => {
        client.terminate();
        resolve(response.statusCode ?? 0);
      });
      client.on('open', () => reject(new Error('it was let in')));
      client.on('error', () => {});
    });

  it('[team-live] tells what another process wrote, and goes on after the last id', async () => {
    const bob = await team.person('bob', { [project]: 'member' });
    const one = listen(new WebSocket(addressOf(servers[0]), bearer(ann)));
    await one.until((heard) => heard[0]?.event === 'ready');
    const first = await save(1, 'Retries live in Postgres.');
    await save(1, 'Kept to bob.', 'private', bob);
    await one.until((heard) => heard.length === 2);
    expect(one.heard[1]).toMatchObject({ event: 'memory:indexed', data: { documentId: first, project } });
    one.client.terminate();
    const second = await save(0, 'Deploys go out on Tuesdays.');
    await fetch(`${servers[0]?.url}/api/memory/${second}`, { method: 'DELETE', ...bearer(ann) });
    const two = listen(new WebSocket(addressOf(servers[1], one.heard[1]?.id), bearer(ann)));
    await two.until((heard) => heard.length === 3);
    expect(two.heard.slice(1)).toMatchObject([
      { event: 'memory:indexed', data: { documentId: second } },
      { event: 'memory:removed', data: { documentId: second } },
    ]);
    two.client.terminate();
  });

  it('takes a token as a subprotocol, as browsers can send it, and does not say it back', async () => {
    const { client, until } = listen(new WebSocket(addressOf(servers[0]), ['backstory', ann.token]));
    await until((heard) => heard[0]?.event === 'ready');
    expect(client.protocol).toBe('backstory');
    client.terminate();
  });

  it('lets in no stranger, no other page, and nobody elsewhere', async () => {
    const stranger = await team.person('stranger', {});
    const [server] = servers;
    expect(await refusal(new WebSocket(addressOf(server)))).toBe(401);
    expect(await refusal(new WebSocket(addressOf(server), bearer(stranger)))).toBe(404);
    expect(await refusal(new WebSocket(addressOf(server, 'x'), bearer(ann)))).toBe(400);
    const elsewhere = addressOf(server).replace('/live', '/events');
    expect(await refusal(new WebSocket(elsewhere, bearer(ann)))).toBe(404);
    const from = (origin: string) => new WebSocket(addressOf(server), { ...bearer(ann), origin });
    expect(await refusal(from('https://evil.example'))).toBe(403);
    expect(await refusal(from('null'))).toBe(403);
    const own = listen(from(server?.url ?? ''));
    await own.until((heard) => heard[0]?.event === 'ready');
    own.client.terminate();
    // A page that came by a proxy, which asks us by another name.
    const signedIn = await fetch(`${server?.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ token: ann.token }),
    });
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const proxied = listen(
      new WebSocket(addressOf(server), {
        headers: { cookie, 'x-forwarded-host': 'team.example.org' },
        origin: 'https://team.example.org',
      }),
    );
    await proxied.until((heard) => heard[0]?.event === 'ready');
    proxied.client.terminate();
  });

  it('cuts off who reads too slowly; nothing is lost by it', async () => {
    const slow = listen(new WebSocket(addressOf(servers[0]), bearer(ann)));
    await slow.until((heard) => heard[0]?.event === 'ready');
    slow.client.pause();
    await fresh.database.query(
      `insert into backstory.outbox (org, project, kind, ref, payload)
       select $1, $2, 'memory:indexed', n::text, jsonb_build_object('sourceRef', repeat('x', 100000))
       from generate_series(1, 300) n`,
      [team.org, project],
    );
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const closed = once(slow.client, 'close');
    slow.client.resume();
    await closed;
    const flood = ({ heard }: { heard: Told[] }) =>
      heard.flatMap(({ data }) => (/^\d+$/.test(data.documentId ?? '') ? [Number(data.documentId)] : []));
    expect(flood(slow).length).toBeLessThan(300);
    const back = listen(new WebSocket(addressOf(servers[1], slow.heard.at(-1)?.id), bearer(ann)));
    await back.until(() => flood(slow).length + flood(back).length >= 300);
    expect([...flood(slow), ...flood(back)]).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
    back.client.terminate();
  });

  it('is closed when its process ends, and for a token that is revoked within fifteen seconds', async () => {
    const leaving = await start();
    const one = listen(new WebSocket(addressOf(leaving), bearer(ann)));
    await one.until((heard) => heard[0]?.event === 'ready');
    const ended = once(one.client, 'close');
    await leaving.close();
    expect((await ended)[0]).toBe(1001);
    const gone = await team.person('gone', { [project]: 'member' });
    const two = listen(new WebSocket(addressOf(servers[0]), bearer(gone)));
    await two.until((heard) => heard[0]?.event === 'ready');
    const cut = once(two.client, 'close');
    await team.revoke(gone.id);
    const began = performance.now();
    await cut;
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
