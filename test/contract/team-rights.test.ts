import { expect, it } from 'vitest';
import type { RunningTeamServer } from '../../src/team/http/server.ts';
import { describePostgres } from './postgres-server.ts';
import { type TestPerson, type TestTeam, useTeamServer } from './team-server.ts';

describePostgres('Memories of others in a team', (fresh) => {
  let server: RunningTeamServer;
  let team: TestTeam;
  let project: string;
  let people: Record<'ann' | 'bob' | 'olga', TestPerson>;
  useTeamServer(fresh, async (served) => {
    ({ server, team, project } = served);
    const { ann } = served;
    const bob = await team.person('bob', { [project]: 'member' });
    people = { ann, bob, olga: await team.person('olga', { [project]: 'owner' }) };
  });

  const ask = async (who: TestPerson, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, type, value: (await response.json()) as Record<string, unknown> };
  };
  const save = (who: TestPerson, sourceRef: string, text: string) =>
    ask(who, 'POST', `projects/${project}/memory`, { sourceRef, text, metadata: { author: 'ann' } });
  const opened = async (id: unknown) => (await ask(people.ann, 'GET', `memory/${String(id)}`)).value.memory;

  it('[team-rights] are not replaced or deleted, and the problem says whose they are and what to do', async () => {
    const { ann, bob } = people;
    const { value } = await save(ann, 'limit', 'Uploads are limited to 50 MB.');
    const problem = {
      status: 403,
      type: expect.stringContaining('application/problem+json'),
      value: {
        code: 'FORBIDDEN',
        detail: 'this memory is by ann; only ann or an owner of the project can replace or remove it',
        hint: expect.stringContaining('backstory edit ID --wrong'),
      },
    };
    expect(await save(bob, 'limit', 'Uploads are not limited.')).toMatchObject(problem);
    expect(await ask(bob, 'DELETE', `memory/${String(value.documentId)}`)).toMatchObject(problem);
    expect(await opened(value.documentId)).toMatchObject({
      text: 'Uploads are limited to 50 MB.',
      author: { name: 'ann' },
    });
  });

  it('[team-rights] are replaced by an owner with a token of their own, under their name, with an audit entry', async () => {
    const { ann, olga } = people;
    const { value } = await save(ann, 'port', 'The proxy listens on 80.');
    const laptop = await team.device('laptop of olga', olga);
    const memories = [{ source: 'note', sourceRef: 'port', text: 'The proxy listens on 443.' }];
    expect(await ask(laptop, 'POST', `projects/${project}/memory/batch`, { memories })).toMatchObject({
      status: 403,
      value: { hint: expect.stringContaining('with your own token') },
    });
    expect(await save(olga, 'port', 'The proxy listens on 443.')).toMatchObject({ status: 201 });
    expect(await opened(value.documentId)).toMatchObject({ author: { name: 'olga' }, metadata: {} });
    const entries = await fresh.database.query(
      `select principal, detail->>'author' as author from backstory.audit where action = 'memory.replace' and subject = $1`,
      [value.documentId],
    );
    expect(entries).toEqual([{ principal: olga.id, author: ann.id }]);
    // It is the owner's now.
    expect(await save(ann, 'port', 'The proxy listens on 80.')).toMatchObject({ status: 403 });
  });

  it('[team-rights] are tried with every route that writes', async () => {
    const { ann, bob } = people;
    const saved = await save(ann, 'rule', 'Backups stay for 30 days.');
    const id = String(saved.value.documentId);
    const memory = { source: 'note', sourceRef: 'rule', text: 'Backups are useless.' };
    const note = { id: 'rule', text: memory.text, kind: 'rule', concepts: [], files: [] };
    const at = '2026-11-18T00:00:00Z';
    const pushed = { ...note, created: at, updated: at, device: 'd', rev: 99, base: 1 };
    const call = { name: 'remember', arguments: { ...memory, id, text: memory.text } };
    /** What another member tries to write with each route; undefined if the route writes no memory. */
    const tried: Record<string, object | undefined> = {
      'POST /api/v1/projects/{id}/memory': memory,
      'POST /api/v1/projects/{id}/memory/batch': { memories: [memory] },
      'DELETE /api/v1/memory/{id}': {},
      'POST /api/v1/projects/{id}/sync': { after: 0, notes: [pushed], removed: ['rule'] },
      'POST /api/v1/projects/{id}/lifecycle': { event: 'issue:deleted', sourceRef: 'rule', updatedAt: at },
      'POST /mcp/{id}': { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      'POST /api/v1/projects/{id}/memory/reindex': {},
      'POST /api/v1/webhooks/{webhook}': { action: 'deleted', note },
      'POST /api/v1/device': undefined,
      'POST /api/v1/device/state': undefined,
      'POST /api/v1/device/approve': undefined,
      'POST /api/v1/device/leave': undefined,
      'POST /api/v1/session': undefined,
      'DELETE /api/v1/session': undefined,
    };
    const { paths } = (await ask(ann, 'GET', 'openapi.json')).value as { paths: Record<string, object> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== 'get')
        .map((method) => `${method.toUpperCase()} ${path.replace(/^\/api\/(?!v1)/, '/api/v1/')}`),
    );
    expect(Object.keys(tried)).toEqual(expect.arrayContaining(routes));
    const laptop = await team.device('laptop of bob', bob);
    for (const [route, body] of Object.entries(tried))
      for (const who of body === undefined ? [] : [bob, laptop]) {
        const [method = '', path = ''] = route.split(' ');
        const url = path
          .replace('{webhook}', project)
          .replace('{id}', path.includes('/memory/{') ? id : project);
        await ask(who, method, `../..${url}`, body);
        expect(await opened(id), route).toMatchObject({
          text: 'Backups stay for 30 days.',
          author: { name: 'ann' },
        });
      }
  });
});
