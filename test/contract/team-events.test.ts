import { connect } from 'node:net';
import { Context } from 'hono';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { eventRoutes } from '../../src/team/http/events.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import type { TeamParts } from '../../src/team/parts.ts';
import { describePostgres } from './postgres-server.ts';
import {
  aTeam,
  openTeamStore,
  startTestServer,
  type TestPerson,
  type TestTeam,
  teamPartsOf,
} from './team-server.ts';

describePostgres('The event stream of a team server', (fresh) => {
  const closing: (() => unknown)[] = [];
  let servers: RunningTeamServer[];
  let team: TestTeam;
  let listening = 0;
  const allParts: TeamParts[] = [];

  beforeAll(async () => {
    const model = await loadStaticModel('assets/static-en.bin');
    team = await aTeam(fresh.database, 'ours');
    const start = async () => {
      const { store, database } = openTeamStore(fresh.url);
      const parts = teamPartsOf(store, model);
      const { listen } = parts.broadcast;
      allParts.push(parts);
      parts.broadcast.listen = async (listener) => {
        const { from, stop } = await listen(listener);
        listening += 1;
        let isOver = false;
        return {
          from,
          stop() {
            if (!isOver) listening -= 1;
            isOver = true;
            stop();
          },
        };
      };
      const server = await startTestServer(parts, { onFailure: () => {} });
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

  const save = async (at: number, who: TestPerson, project: string, text: string, visibility = 'team') => {
    const response = await fetch(`${servers[at]?.url}/api/projects/${project}/memory`, {
      method: 'POST',
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text, visibility }),
    });
    return ((await response.json()) as { documentId: string }).documentId;
  };

  /** Reads the given number of events, then disconnects. */
  const hear = async (at: number, who: TestPerson, project: string, count: number, after?: string) => {
    const cut = new AbortController();
    const response = await fetch(`${servers[at]?.url}/api/projects/${project}/events`, {
      headers: {
        authorization: `Bearer ${who.token}`,
        ...(after === undefined ? {} : { 'last-event-id': after }),
      },
      signal: cut.signal,
    });
    if (response.body === null || response.status !== 200)
      return { status: response.status, events: [], last: '' };
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    let last = '';
    const events: { id: string; event: string; documentId: string }[] = [];
    const read = async () => {
      while (events.length < count || last === '') {
        const { value = '', done } = await reader.read();
        if (done) break;
        const blocks = `${text}${value}`.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          if (count > 0 && events.length === count) break;
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
          last = field('id') || last;
          if (field('data') !== '')
            events.push({
              id: last,
              event: field('event'),
              ...(JSON.parse(field('data')) as { documentId: string }),
            });
        }
      }
      cut.abort();
      return { status: response.status, events, last };
    };
    return read();
  };

  it('[team-live] sends what another process wrote, and resumes after the last id without gaps or duplicates', async () => {
    const project = await team.project('queue');
    const elsewhere = await team.project('elsewhere');
    const [ann, bob] = [
      await team.person('ann', { [project]: 'member', [elsewhere]: 'member' }),
      await team.person('bob', { [project]: 'member' }),
    ];
    const { last } = await hear(0, ann, project, 0);
    const first = await save(1, ann, project, 'Retries live in Postgres.');
    await save(0, ann, elsewhere, 'Of another project.');
    await save(1, bob, project, 'Kept to bob.', 'private');
    const second = await save(1, ann, project, 'Deploys go out on Tuesdays.');
    const one = await hear(0, ann, project, 1, last);
    expect(one.events).toMatchObject([{ event: 'memory:indexed', documentId: first, project }]);
    const two = await hear(1, ann, project, 1, one.last);
    expect(two.events).toMatchObject([{ documentId: second }]);
    const listening = hear(1, ann, project, 1, two.last);
    const third = await save(0, bob, project, 'Logs are kept for a week.');
    expect((await listening).events).toMatchObject([{ documentId: third }]);
    expect((await hear(0, bob, project, 4, last)).events).toHaveLength(4);
  });

  it('[team-live] sends a reset for an id from another database, and then new events', async () => {
    const project = await team.project('restored');
    const ann = await team.person('restorer', { [project]: 'member' });
    const ofAnother = '1-5-00000000';
    expect((await hear(0, ann, project, 1, ofAnother)).events).toMatchObject([{ event: 'reset', project }]);
    const isOver = new AbortController();
    const listening = hear(1, ann, project, 2, ofAnother).finally(() => isOver.abort());
    // The stream may not be open yet when the first memory is saved.
    for (let at = 0; !isOver.signal.aborted; at++) {
      await save(0, ann, project, `Happens now ${at}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await listening).events).toMatchObject([
      { event: 'reset' },
      { event: 'memory:indexed', project },
    ]);
  });

  it('[team-limits] ends when the client disconnects, even before the response, and for HEAD requests', async () => {
    const project = await team.project('left');
    const eve = await team.person('eve', { [project]: 'reader' });
    const { hostname, port } = new URL(servers[0]?.url ?? '');
    const leave = (path: string, afterMs: number) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          const head = `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${eve.token}\r\n\r\n`;
          socket.write(head, () =>
            setTimeout(() => {
              socket.destroy();
              resolve();
            }, afterMs),
          );
        });
      });
    const path = `/api/projects/${project}/events`;
    for (let at = 0; at < 10; at++) await leave(path, at);
    const headers = { authorization: `Bearer ${eve.token}` };
    const head = await fetch(`${servers[0]?.url}${path}`, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
    // This request came later, so all earlier ones have been answered.
    await hear(0, eve, project, 0);
    await expect.poll(() => listening).toBe(0);
  });

  it('[team-limits] ends if the client stops reading', async () => {
    const project = await team.project('silent');
    const fay = await team.person('fay', { [project]: 'reader' });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const context = new Context(new Request('http://team.example.org'));
      const input = { id: project };
      const response = await eventRoutes[0]?.answer(allParts[0] as TeamParts, input, fay.hash, { context });
      const reader = (response as Response).body?.getReader();
      await reader?.read();
      await expect.poll(() => listening).toBe(1);
      // From now on it gets only keep-alive comments, which it does not read.
      await expect
        .poll(() => {
          vi.advanceTimersByTime(10_000);
          return listening;
        })
        .toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
