import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { listStaticFiles } from '../../src/http/static-files.ts';
import { createLimits } from '../../src/http/team/limits.ts';
import { createMetrics } from '../../src/http/team/metrics.ts';
import { type RunningTeamServer, startTeamServer } from '../../src/http/team/server.ts';
import { describePostgres } from './postgres-server.ts';
import { aTeam, openTeamStore, roomy, type TestPerson, type TestTeam, teamPartsOf } from './team-server.ts';

describePostgres('The viewer of a team', (fresh) => {
  let server: RunningTeamServer;
  let team: TestTeam;
  let ann: TestPerson;
  let project: string;
  const folder = mkdtempSync(join(tmpdir(), 'backstory-viewer-'));
  const closing: (() => unknown)[] = [];

  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), 'one’s own');
    writeFileSync(join(folder, 'team.html'), 'the team’s');
    writeFileSync(join(folder, 'assets', 'team-1.js'), 'export {};');
    const { store, database } = openTeamStore(fresh.url);
    closing.push(() => database.close());
    team = await aTeam(fresh.database, 'ours');
    project = await team.project('queue');
    ann = await team.person('ann', { [project]: 'member' });
    server = await startTeamServer({
      parts: teamPartsOf(store, async () => undefined),
      limits: createLimits(roomy, systemClock),
      metrics: createMetrics(),
      viewer: listStaticFiles(folder),
      onFailure: () => {},
      host: '127.0.0.1',
      port: 0,
    });
    closing.push(() => server.close());
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    rmSync(folder, { recursive: true });
  });

  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const ownPage = () => ({ origin: server.url, 'sec-fetch-site': 'same-origin' });
  const signIn = (token: string, headers = ownPage()) => ask('POST', '/api/session', headers, { token });
  const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

  it('[team-viewer-cookie] a token is exchanged for a cookie that no script can read', async () => {
    const response = await signIn(ann.token);
    expect(response.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(await response.text()).not.toContain(ann.token);
    const cookie = cookieOf(response);
    const me = await ask('GET', '/api/me', { cookie });
    expect(await me.json()).toMatchObject({ principal: ann.id });
    expect(await (await ask('GET', '/api/session', { cookie })).json()).toEqual({ signedIn: true });
  });

  it('a cookie that was set over TLS goes over TLS only', async () => {
    const host = new URL(server.url).host;
    const response = await signIn(ann.token, { origin: `https://${host}`, 'sec-fetch-site': 'same-origin' });
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-backstory-session=.*; Secure/);
  });

  it('[team-viewer-cookie] pages of other origins can neither use the cookie nor set one', async () => {
    const cookie = cookieOf(await signIn(ann.token));
    const elsewhere = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: server.url },
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
    ];
    for (const headers of elsewhere) {
      expect((await ask('GET', '/api/me', { cookie, ...headers })).status).toBe(403);
      const note = await ask(
        'POST',
        `/api/projects/${project}/memory`,
        { cookie, ...headers },
        { text: 'x' },
      );
      expect(note.status).toBe(403);
      expect((await signIn(ann.token, headers as never)).status).toBe(403);
    }
    // A change that does not say where it comes from.
    const silent = await ask('POST', `/api/projects/${project}/memory`, { cookie }, { text: 'x' });
    expect(silent.status).toBe(403);
  });

  it('what opens nothing makes no cookie, and two cookies open nothing', async () => {
    for (const token of ['', 'bst_', `bst_${'0'.repeat(64)}`, `${ann.token} x`]) {
      const response = await signIn(token);
      expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
    }
    const cookie = cookieOf(await signIn(ann.token));
    expect((await ask('GET', '/api/me', { cookie: `${cookie}; ${cookie}` })).status).toBe(401);
  });

  it('signing out takes the cookie away, and a revoked token ends it everywhere', async () => {
    const ben = await team.person('ben', { [project]: 'reader' });
    const cookie = cookieOf(await signIn(ben.token));
    const out = await ask('DELETE', '/api/session', { ...ownPage(), cookie });
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    await team.revoke(ben.id);
    expect((await ask('GET', '/api/me', { cookie })).status).toBe(401);
    expect(await (await ask('GET', '/api/session', { cookie })).json()).toEqual({ signedIn: false });
  });

  it('whoever is not signed in is told so without a fault, however often they look', async () => {
    for (let look = 0; look < 30; look++)
      expect(await (await ask('GET', '/api/session')).json()).toEqual({ signedIn: false });
    expect((await signIn(ann.token)).status).toBe(200);
  });

  it('the viewer stands at the root, under a policy that runs nothing of anybody else', async () => {
    const page = await ask('GET', '/');
    expect(await page.text()).toBe('the team’s');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    const etag = page.headers.get('etag') ?? '';
    expect((await ask('GET', '/', { 'if-none-match': etag })).status).toBe(304);
    expect((await ask('GET', '/assets/team-1.js')).headers.get('cache-control')).toContain('immutable');
    for (const path of ['/index.html', '/team.html', '/nowhere', '/assets/..%2fteam.html', '/assets/none.js'])
      expect((await ask('GET', path)).status).toBe(404);
  });
});
