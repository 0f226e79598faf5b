import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningTeamServer } from '../../src/http/team/server.ts';
import { describePostgres } from './postgres-server.ts';
import { aTeam, openTeamStore, roomy, startTestServer, type TestPerson, teamPartsOf } from './team-server.ts';

describePostgres('[team-limits] What a team server brings and takes at once', (fresh) => {
  let server: RunningTeamServer;
  let path: string;
  let ann: TestPerson;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const { store, database } = openTeamStore(fresh.url);
    closing.push(() => database.close());
    const team = await aTeam(fresh.database, 'ours');
    const project = await team.project('queue');
    ann = await team.person('ann', { [project]: 'member' });
    path = `/api/projects/${project}/memory`;
    server = await startTestServer(
      teamPartsOf(store, async () => undefined),
      { limits: roomy, onFailure: () => {} },
    );
    closing.push(server.close);
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  const ask = async (where: string, body?: unknown, token = ann.token) => {
    const response = await fetch(`${server.url}${where}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const value = (await response.json()) as { items: { text: string }[]; next_cursor?: string };
    return { status: response.status, value };
  };

  it('is a page of some megabytes, however many memories were asked for, and nothing is left out', async () => {
    const text = 'word '.repeat(39_000);
    const memories = Array.from({ length: 40 }, (_, at) => ({
      source: 'job',
      sourceRef: `long-${at}`,
      text: `${at} ${text}`,
    }));
    for (const half of [memories.slice(0, 20), memories.slice(20)])
      expect((await ask(`${path}/batch`, { memories: half })).status).toBe(200);
    const seen: string[] = [];
    const pages: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { value } = await ask(`${path}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(value.items.reduce((sum, item) => sum + item.text.length, 0));
      seen.push(...value.items.map((item) => item.text.split(' ')[0] ?? ''));
      cursor = value.next_cursor;
    }
    expect(Math.max(...pages)).toBeLessThan(4_300_000);
    expect(new Set(seen).size).toBe(40);
    expect(seen).toHaveLength(40);
  });

  it('is metadata of some kilobytes', async () => {
    const metadata = { padding: 'x'.repeat(70_000) };
    const memory = { source: 'job', sourceRef: 'much', text: 'Much about little.', metadata };
    expect((await ask(`${path}/batch`, { memories: [memory] })).status).toBe(400);
  });

  it('is no long body of somebody who is not known', async () => {
    const memory = { source: 'job', sourceRef: 'long', text: 'word '.repeat(20_000) };
    expect((await ask(`${path}/batch`, { memories: [memory] }, `bst_${'0'.repeat(64)}`)).status).toBe(401);
  });
});
