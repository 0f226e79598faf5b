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
});
