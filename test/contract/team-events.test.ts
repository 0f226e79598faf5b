import { afterAll, beforeAll, expect, it } from 'vitest';
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

describePostgres('Listening to a team server', (fresh) => {
  const closing: (() => unknown)[] = [];
  let servers: RunningTeamServer[];
  let team: TestTeam;

  beforeAll(async () => {
    const model = await loadStaticModel('assets/static-en.bin');
    team = await aTeam(fresh.database, 'ours');
    const start = async () => {
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

  const save = async (at: number, who: TestPerson, project: string, text: string, visibility = 'team') => {
    const response = await fetch(`${servers[at]?.url}/api/projects/${project}/memory`, {
      method: 'POST',
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text, visibility }),
    });
    return ((await response.json()) as { documentId: string }).documentId;
  };

  /** Reads events until there are so many, then cuts the line. */
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

  it('[team-live] tells what another process wrote, and goes on after the last id without a gap or a double', async () => {
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

  it('[team-live] tells who comes with a place of another database to look anew, and goes on from now', async () => {
    const project = await team.project('restored');
    const ann = await team.person('restorer', { [project]: 'member' });
    const ofAnother = `${2n ** 62n}-5`;
    expect((await hear(0, ann, project, 1, ofAnother)).events).toMatchObject([{ event: 'reset', project }]);
    const isOver = new AbortController();
    const listening = hear(1, ann, project, 2, ofAnother).finally(() => isOver.abort());
    // The line may not be open yet when the first is saved.
    for (let at = 0; !isOver.signal.aborted; at++) {
      await save(0, ann, project, `Happens now ${at}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await listening).events).toMatchObject([
      { event: 'reset' },
      { event: 'memory:indexed', project },
    ]);
  });

  it('tells a stranger nothing, and takes no id that is none', async () => {
    const project = await team.project('closed');
    const carl = await team.person('carl', {});
    const dora = await team.person('dora', { [project]: 'reader' });
    expect((await hear(0, carl, project, 1)).status).toBe(404);
    expect((await hear(0, dora, project, 1, 'x')).status).toBe(400);
    expect((await hear(0, dora, project, 0)).status).toBe(200);
  });
});
