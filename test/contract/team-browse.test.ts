import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { describePostgres } from './postgres-server.ts';
import {
  aTeam,
  openTeamStore,
  startTestServer,
  type TestPerson,
  type TestTeam,
  teamPartsOf,
} from './team-server.ts';

/** Routes under the names of other memory servers have no version. */
const isOfAnotherDesign = /^(?:search|context|timeline\/)/;

describePostgres('Browsing a team server', (fresh) => {
  const failures: string[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let server: RunningTeamServer;
  let team: TestTeam;
  let project: string;
  let ann: TestPerson;
  let ben: TestPerson;
  /** In the order of saving. */
  const saved: string[] = [];

  const ask = async (who: TestPerson, path: string, init: RequestInit = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${who.token}`, ...init.headers },
    });
    const body = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at field by field
    const value = (body === '' ? undefined : JSON.parse(body)) as any;
    return { status: response.status, value, headers: response.headers };
  };
  const get = async (who: TestPerson, path: string) =>
    (await ask(who, `${isOfAnotherDesign.test(path) ? '/api' : '/api/v1'}/projects/${project}/${path}`))
      .value;
  const save = async (who: TestPerson, body: Record<string, unknown>): Promise<string> => {
    const { value } = await ask(who, `/api/projects/${project}/memory`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    saved.push(value.documentId);
    return value.documentId;
  };

  beforeAll(async () => {
    const opened = openTeamStore(fresh.url);
    closing.push(() => opened.database.close());
    const model = await loadStaticModel('assets/static-en.bin');
    team = await aTeam(fresh.database, 'ours');
    project = await team.project('queue');
    ann = await team.person('ann', { [project]: 'member' });
    ben = await team.person('ben', { [project]: 'member' });
    server = await startTestServer(teamPartsOf(opened.store, model), {
      onFailure: (error, where) => failures.push(`${where}: ${String(error)}`),
    });
    closing.push(server.close);
    const laptop = await team.device('laptop of ben', ben);
    await save(ann, {
      text: 'Retries of the queue back off up to ten minutes, see src/queue/retry.ts and #12.',
      metadata: { kind: 'decision', concepts: ['retries'], files: ['src/queue/worker.ts'] },
    });
    await save(ben, { text: 'The queue drops what is older than a week.', metadata: { kind: 'fact' } });
    await save(ann, { text: 'My own doubts about the queue and retries.', visibility: 'private' });
    const { value } = await ask(laptop, `/api/projects/${project}/memory/batch`, {
      method: 'POST',
      body: JSON.stringify({
        memories: [
          {
            source: 'job',
            sourceRef: 'job-7',
            text: 'The job moved retries of the queue into src/queue/retry.ts.',
          },
          { source: 'issue', sourceRef: '12', text: 'Issue: retries of the queue never end.' },
        ],
      }),
      headers: { 'content-type': 'application/json' },
    });
    saved.push(...value.items.map(({ documentId }: { documentId: string }) => documentId));
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    expect(failures).toEqual([]);
  });

  it('[team-browse] answers a question with the same hits as local recall, and their authors', async () => {
    const answer = await get(ann, 'recall?query=retries+of+the+queue');
    expect(answer).toMatchObject({
      project: { id: project, name: 'queue' },
      match: 'good',
      incomplete: false,
      truncated: false,
    });
    const [first] = answer.items;
    expect(first).toMatchObject({
      kind: expect.any(String),
      preview: expect.stringContaining('etries'),
      score: expect.any(Number),
      why: expect.any(Object),
      memory: { documentId: first.id, author: { name: expect.any(String) }, revision: 1 },
    });
    const decision = answer.items.find(({ id }: { id: string }) => id === saved[0]);
    expect(decision).toMatchObject({
      kind: 'decision',
      paths: ['src/queue/retry.ts', 'src/queue/worker.ts'],
      concepts: ['retries'],
      memory: { author: { id: ann.id, name: 'ann' }, visibility: 'team', issues: ['#12'] },
    });
    const lines = await get(ann, 'recall?q=retries+of+the+queue&format=index&limit=1');
    expect(lines.items[0].text).toBeUndefined();
    expect(lines).toMatchObject({ truncated: true, nextCursor: '1' });
    const second = await get(ann, 'recall?q=retries+of+the+queue&limit=1&cursor=1');
    expect(second.items[0].id).toBe(answer.items[1].id);
    const other = await get(ann, 'recall?query=giving+up&wordings=nothing&wordings=older+than+a+week');
    expect(other.items[0].id).toBe(saved[1]);
  });

  it('narrows a question by kind, file, concept, source, author and time', async () => {
    const ids = async (asked: string, who = ben): Promise<string[]> =>
      (await get(who, `recall?query=queue&${asked}`)).items.map(({ id }: { id: string }) => id).sort();
    expect(await ids('kind=fact')).toEqual([saved[1]]);
    expect(await ids('file=retry.ts')).toEqual([saved[0], saved[3]].sort());
    expect(await ids('folder=src/queue')).toEqual([saved[0], saved[3]].sort());
    expect(await ids('concept=retries')).toEqual([saved[0]]);
    expect(await ids('source=job&source=issue')).toEqual([saved[3], saved[4]].sort());
    expect(await ids('author=ann')).toEqual([saved[0]]);
    expect(await ids('author=me')).toEqual([saved[1], saved[3], saved[4]].sort());
    expect(await ids('since=1h')).toHaveLength(4);
    expect(await ids('until=2020-01-01')).toEqual([]);
  });

  it('lists by kind, concept and file, in both formats and page by page', async () => {
    const line = await get(ann, 'search/by-type?type=decision');
    expect(line).toMatchObject({
      project: 'queue',
      format: 'index',
      count: 1,
      results: [
        {
          id: saved[0],
          type: 'decision',
          title: expect.stringContaining('back off'),
          files: ['src/queue/retry.ts', 'src/queue/worker.ts'],
          source: 'note',
          author: 'ann',
        },
      ],
    });
    const full = await get(ann, 'search/by-file?filePath=retry.ts&format=full&limit=1');
    expect(full.results[0]).toMatchObject({
      id: saved[3],
      text: expect.any(String),
      memory: { source: 'job' },
    });
    const next = await get(ann, `search/by-file?filePath=retry.ts&limit=1&cursor=${full.next_cursor}`);
    expect(next.results[0].id).toBe(saved[0]);
    expect(next.next_cursor).toBeUndefined();
    expect((await get(ann, 'search/by-concept?concept=retries')).count).toBe(1);
    const found = await get(ann, 'search/observations?query=retries+of+the+queue&type=decision&limit=5');
    expect(found).toMatchObject({ query: 'retries of the queue', count: 1, results: [{ id: saved[0] }] });
  });

  it('shows what changed before and after a memory, a time or the best hit', async () => {
    const { anchor, items: chunks } = await get(
      ann,
      `timeline?anchor=${saved[1]}&depthBefore=1&depthAfter=1`,
    );
    expect(anchor.id).toBe(saved[1]);
    expect(chunks.map(({ id }: { id: string }) => id)).toEqual([saved[0], saved[1], saved[2]]);
    const short = await get(ben, `timeline?anchor=${saved[1]?.slice(0, 8)}&depthBefore=1&depthAfter=9`);
    expect(short.items.map(({ id }: { id: string }) => id).slice(0, 2)).toEqual([saved[0], saved[1]]);
    expect(short.items.map(({ id }: { id: string }) => id)).not.toContain(saved[2]);
    const moment = await get(ann, 'context/timeline?anchor=2020-01-01&limit=3');
    expect(moment).toMatchObject({ project: 'queue', anchor: null, count: 1, records: [{ id: saved[0] }] });
    const best = await get(ann, 'timeline/by-query?query=older+than+a+week&depth_before=0&depth_after=0');
    expect(best).toMatchObject({ anchor: { id: saved[1] }, records: [{ isAnchor: true }] });
    expect((await ask(ann, `/api/v1/projects/${project}/timeline`)).status).toBe(400);
    expect((await ask(ann, `/api/v1/projects/${project}/timeline?anchor=ffffffff`)).status).toBe(404);
  });

  it('opens one memory with its links and related memories', async () => {
    const { value } = await ask(ben, `/api/memory/${saved[0]}`);
    expect(value).toMatchObject({
      memory: {
        documentId: saved[0],
        kind: 'decision',
        author: { name: 'ann' },
        source: 'note',
        revision: 1,
        files: expect.arrayContaining(['src/queue/retry.ts']),
        issues: expect.arrayContaining(['#12']),
        concepts: expect.arrayContaining(['retries']),
      },
      related: [{ documentId: saved[3], shared: 1 }],
    });
  });

  it('counts only what the caller may read', async () => {
    const own = await get(ann, 'stats');
    expect(own).toMatchObject({
      project: { name: 'queue' },
      total: 5,
      private: 1,
      waiting: 0,
      bySource: expect.arrayContaining([
        { source: 'note', count: 3 },
        { source: 'job', count: 1 },
      ]),
      byKind: expect.arrayContaining([{ kind: 'decision', count: 1 }]),
      byAuthor: expect.arrayContaining([
        { id: ann.id, name: 'ann', count: 2 },
        { id: ben.id, name: 'ben', count: 3 },
      ]),
      byDay: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: 5 }],
      model: { dims: 256 },
    });
    expect(await get(ben, 'stats')).toMatchObject({ total: 4, private: 0 });
  });

  it('[team-private] shows private memories of others in no list and under no id', async () => {
    const kept = saved[2] as string;
    for (const path of [
      'recall?query=doubts',
      'recall?query=doubts&author=ann',
      'search/observations?query=doubts',
      'search/by-type?type=note',
      'timeline?query=doubts',
      'stats',
    ]) {
      const told = JSON.stringify(await get(ben, path));
      expect(told, path).not.toContain(kept);
      expect(told, path).not.toContain('doubts about');
    }
    const absent = await ask(ben, '/api/memory/0198f2c4-0000-8000-a000-0000000000bb');
    expect(await ask(ben, `/api/memory/${kept}`)).toMatchObject({ status: 404, value: absent.value });
    expect((await ask(ann, `/api/memory/${kept}`)).status).toBe(200);
  });

  it('answers 304 if the client has the current response, and 404 for routes that exist only locally', async () => {
    const path = `/api/projects/${project}/search/by-type?type=decision`;
    const { headers } = await ask(ann, path);
    const again = await ask(ann, path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, again.value]).toEqual([304, undefined]);
    for (const unknown of ['why', 'code/search', 'memo', 'spend'])
      expect((await ask(ann, `/api/projects/${project}/${unknown}`)).status).toBe(404);
    const { endpoints } = await get(ann, 'search/help');
    expect(endpoints.map(({ path: one }: { path: string }) => one)).toContain(
      '/api/projects/:id/search/by-file',
    );
  });
});
