import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createMemoryHome } from '../../test/support/memory-home.ts';
import { askTeam } from './ask-team.ts';

it('[recall-wordings] sends the other wordings of a question to the team, redacted', async () => {
  const home = createMemoryHome();
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.setHeader('content-type', 'application/json').end('{"items":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const membership = { v: 1, url: `http://127.0.0.1:${port}`, project: 'queue', name: 'queue' } as const;
  try {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const wordings = ['cron', `login with ${token}`];
    const { state } = await askTeam(home.open(), membership, { text: 'nightly task', wordings });
    const { searchParams } = new URL(asked[0] ?? '', membership.url);
    expect([state, searchParams.get('query')]).toEqual(['answered', 'nightly task']);
    expect(searchParams.getAll('wordings')).toEqual(['cron', expect.stringMatching(/^login with /)]);
    expect(asked[0]).not.toContain(token);
  } finally {
    server.close();
    home.remove();
  }
});
