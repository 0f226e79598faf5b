import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listStaticFiles } from '../../src/api/static-files.ts';
import { systemClock } from '../../src/base/clock.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { createLimits, type LimitOptions } from '../../src/team/http/limits.ts';
import { createMetrics } from '../../src/team/http/metrics.ts';
import { type RunningTeamServer, startTeamServer } from '../../src/team/http/server.ts';
import { describePostgres } from './postgres-server.ts';
import { aTeam, openTeamStore, roomy, type TestPerson, type TestTeam, teamPartsOf } from './team-server.ts';

describePostgres('The viewer of a team', (fresh) => {
  let server: RunningTeamServer;
  let start: (publicUrl?: string, limits?: LimitOptions) => Promise<RunningTeamServer>;
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
    start = async (publicUrl, limits = roomy) => {
      const running = await startTeamServer({
        parts: teamPartsOf(store, await loadStaticModel('assets/static-en.bin')),
        limits: createLimits(limits, systemClock),
        metrics: createMetrics(),
        viewer: listStaticFiles(folder),
        publicUrl,
        onFailure: () => {},
        host: '127.0.0.1',
        port: 0,
      });
      closing.push(() => running.close());
      return running;
    };
    server = await start();
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    rmSync(folder, { recursive: true });
  });

  const ask = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
    at = server,
  ) =>
    fetch(`${at.url}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const ownPage = () => ({ origin: server.url, 'sec-fetch-site': 'same-origin' });
  const signIn = (token: string, headers = ownPage()) => ask('POST', '/api/v1/session', headers, { token });
  const cookieOf = (response: Response) => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

  it('[team-viewer-cookie] a token is exchanged for a cookie that no script can read', async () => {
    const response = await signIn(ann.token);
    expect(response.headers.get('set-cookie')).toMatch(
      /=bss_[0-9a-f]{64}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(response.headers.get('set-cookie')).not.toContain(ann.token);
    expect(await response.text()).not.toContain(ann.token);
    const cookie = cookieOf(response);
    const me = await ask('GET', '/api/v1/me', { cookie });
    expect(await me.json()).toMatchObject({ principal: ann.id });
    expect(await (await ask('GET', '/api/v1/session', { cookie })).json()).toEqual({ signedIn: true });
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
      expect((await ask('GET', '/api/v1/me', { cookie, ...headers })).status).toBe(403);
      const note = await ask(
        'POST',
        `/api/projects/${project}/memory`,
        { cookie, ...headers },
        { text: 'x' },
      );
      expect(note.status).toBe(403);
      expect((await signIn(ann.token, headers as never)).status).toBe(403);
    }
    // A change without an origin.
    const silent = await ask('POST', `/api/projects/${project}/memory`, { cookie }, { text: 'x' });
    expect(silent.status).toBe(403);
  });

  it('an invalid token sets no cookie, and two session cookies are refused', async () => {
    for (const token of ['', 'bst_', `bst_${'0'.repeat(64)}`, `${ann.token} x`]) {
      const response = await signIn(token);
      expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
    }
    const cookie = cookieOf(await signIn(ann.token));
    expect((await ask('GET', '/api/v1/me', { cookie: `${cookie}; ${cookie}` })).status).toBe(401);
  });

  it('[team-viewer-cookie] a token is not accepted as a cookie, nor a session as a token', async () => {
    expect((await ask('GET', '/api/v1/me', { cookie: `backstory-session=${ann.token}` })).status).toBe(401);
    const session = cookieOf(await signIn(ann.token)).split('=')[1] ?? '';
    expect((await ask('GET', '/api/v1/me', { authorization: `Bearer ${session}` })).status).toBe(401);
    expect((await signIn(session)).status).toBe(401);
  });

  it('[team-viewer-cookie] a session may do no more than its token, and lasts no longer', async () => {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const reader = await team.token(ann.id, ['read'], expires);
    const cookie = cookieOf(await signIn(reader.token));
    expect(await (await ask('GET', '/api/v1/me', { cookie })).json()).toMatchObject({ scopes: ['read'] });
    const sessions = `principal = '${ann.id}' and is_browser_session and expires = '${expires}'`;
    expect(
      await fresh.database.query(
        `update backstory.token set expires = now() where ${sessions} returning expires`,
      ),
    ).toHaveLength(1);
    expect((await ask('GET', '/api/v1/me', { cookie })).status).toBe(401);
  });

  it('[team-viewer-cookie] signing out ends the session on the server, and a revoked token ends all of them', async () => {
    const ben = await team.person('ben', { [project]: 'reader' });
    const cookie = cookieOf(await signIn(ben.token));
    const other = cookieOf(await signIn(ben.token));
    expect((await ask('GET', '/api/v1/me', { cookie })).status).toBe(200);
    const out = await ask('DELETE', '/api/v1/session', { ...ownPage(), cookie });
    // Under both names, whichever the browser has.
    expect(out.headers.getSetCookie().map((one) => one.split(';').slice(0, 3))).toEqual([
      ['__Host-backstory-session=', ' Max-Age=0', ' Path=/'],
      ['backstory-session=', ' Max-Age=0', ' Path=/'],
    ]);
    expect((await ask('GET', '/api/v1/me', { cookie })).status).toBe(401);
    expect(await (await ask('GET', '/api/v1/session', { cookie })).json()).toEqual({ signedIn: false });
    expect((await ask('GET', '/api/v1/me', { cookie: other })).status).toBe(200);
    expect((await ask('GET', '/api/v1/me', { authorization: `Bearer ${ben.token}` })).status).toBe(200);
    await team.revoke(ben.id);
    expect((await ask('GET', '/api/v1/me', { cookie: other })).status).toBe(401);
    expect(await (await ask('GET', '/api/v1/session', { cookie })).json()).toEqual({ signedIn: false });
  });

  it('[team-limits] a browser window that polls with an expired token locks nobody else out', async () => {
    const over = await team.person('over', { [project]: 'reader' });
    const cookie = cookieOf(await signIn(over.token));
    await team.revoke(over.id);
    for (let look = 0; look < 20; look++) {
      expect(await (await ask('GET', '/api/v1/session', { cookie })).json()).toEqual({ signedIn: false });
      expect((await ask('DELETE', '/api/v1/session', { ...ownPage(), cookie })).status).toBe(200);
    }
    const next = await team.person('next', { [project]: 'reader' });
    expect((await signIn(next.token)).status).toBe(200);
  });

  it('[team-limits] signing out is rate limited too', async () => {
    const busy = await start(undefined, { ...roomy, perSecond: 1, burst: 2 });
    const own = { origin: busy.url, 'sec-fetch-site': 'same-origin' };
    const cookie = cookieOf(await signIn(ann.token));
    const statuses = [];
    for (let time = 0; time < 5; time++)
      statuses.push((await ask('DELETE', '/api/v1/session', { ...own, cookie }, undefined, busy)).status);
    expect(statuses).toContain(429);
  });

  it('[team-viewer-cookie] a cookie that another host planted is ignored', async () => {
    const eve = await team.person('eve', { [project]: 'member' });
    const planted = cookieOf(await signIn(eve.token));
    const own = `__Host-${cookieOf(await signIn(ann.token))}`;
    const who = async (cookie: string, at = server) => {
      const me = await ask('GET', '/api/v1/me', { cookie }, undefined, at);
      return me.status === 200 ? ((await me.json()) as { principal: string }).principal : me.status;
    };
    expect(await who(`${planted}; ${own}`)).toBe(ann.id);
    expect(await who(`${own}; ${own}`)).toBe(401);
    const secure = await start('https://team.example.org');
    expect(await who(planted, secure)).toBe(401);
    expect(await who(`${planted}; ${own}`, secure)).toBe(ann.id);
  });

  it('[team-csrf] its own origin is the configured public URL or the host that the proxy forwards', async () => {
    const secure = await start('https://team.example.org');
    const tried = async (at: RunningTeamServer, headers: Record<string, string>) =>
      (await ask('POST', '/api/v1/session', headers, { token: ann.token }, at)).status;
    // fetch always sends the host of the URL, so the proxy header names the public one.
    expect(await tried(secure, { origin: 'https://team.example.org' })).toBe(200);
    expect(await tried(secure, { origin: secure.url })).toBe(403);
    const proxied = { 'x-forwarded-host': 'team.example.org' };
    expect(await tried(server, { ...proxied, origin: 'https://team.example.org' })).toBe(200);
    expect(await tried(server, { ...proxied, origin: 'https://evil.example' })).toBe(403);
    const mcp = async (at: RunningTeamServer, headers: Record<string, string>) =>
      (
        await ask(
          'POST',
          `/mcp/${project}`,
          {
            authorization: `Bearer ${ann.token}`,
            accept: 'application/json, text/event-stream',
            ...headers,
          },
          { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          at,
        )
      ).status;
    expect(await mcp(secure, { origin: 'https://team.example.org' })).toBe(200);
    expect(await mcp(secure, { origin: secure.url })).toBe(403);
    expect(await mcp(server, { ...proxied, origin: 'https://team.example.org' })).toBe(200);
    expect(await mcp(server, { ...proxied, origin: server.url })).toBe(403);
  });

  it('the viewer is served at the root, with a content security policy that runs only its own scripts', async () => {
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
