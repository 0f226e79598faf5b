import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/ids.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import type { BrowserAccess } from '../../src/team/http/credential.ts';
import { createLimits } from '../../src/team/http/limits.ts';
import { createMetrics } from '../../src/team/http/metrics.ts';
import { type RunningTeamServer, startTeamServer } from '../../src/team/http/server.ts';
import { createOidcProvider } from '../../src/team/people/oidc.ts';
import { makeToken } from '../../src/team/people/token.ts';
import { createPeopleOperation } from '../../src/team/postgres/people-operation.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import type { TeamStore } from '../../src/team/store/team-store.ts';
import { freePort } from '../support/free-port.ts';
import { createBrowser, jwt, startSignInProvider, type TestProvider } from '../support/sign-in-provider.ts';
import { describePostgres } from './postgres-server.ts';
import { aTeam, openTeamStore, roomy, type TestTeam, teamPartsOf } from './team-server.ts';

describePostgres('People who sign in to a team server with their accounts', (fresh) => {
  let store: TeamStore;
  let server: RunningTeamServer;
  let provider: TestProvider;
  let team: TestTeam;
  let people: ReturnType<typeof createPeopleOperation>;
  let project: string;
  /** Changes the provider's tokens in transit, if a test sets it. */
  let tamper: (token: string) => string = (token) => token;
  const failures: string[] = [];
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const opened = openTeamStore(fresh.url);
    store = opened.store;
    closing.push(() => opened.database.close());
    team = await aTeam(fresh.database, 'ours');
    people = createPeopleOperation(fresh.database);
    project = await team.project('queue');
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    provider = await startSignInProvider(`${publicUrl}/sign-in/callback`);
    closing.push(provider.close);
    const browser: BrowserAccess = {
      publicUrl,
      provider: createOidcProvider({
        ...provider,
        async fetch(url, options) {
          const response = await fetch(url, options);
          if (!url.endsWith('/token')) return response;
          const body = (await response.json()) as { id_token: string };
          return Response.json({ ...body, id_token: tamper(body.id_token) });
        },
      }),
    };
    server = await startTeamServer({
      parts: teamPartsOf(store, await loadStaticModel('assets/static-en.bin')),
      limits: createLimits(roomy, systemClock),
      metrics: createMetrics(),
      browser,
      onFailure: (error, where) => failures.push(`${where}: ${String(error)}`),
      host: '127.0.0.1',
      port,
    });
    closing.push(server.close);
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
    expect(failures).toEqual([]);
  });

  /** A member with an email address, and the account that has it. */
  const linked = async (name: string, role: 'member' | 'reader' = 'member') => {
    const person = await team.person(name, { [project]: role });
    await people.link(team.org, person.id, { email: `${name}@acme.example` });
    provider.accounts[name] = { email: `${name}@acme.example`, email_verified: true };
    return person;
  };
  const signedIn = async (login: string, to = '/api/v1/me') => {
    const browser = createBrowser();
    const looked = await browser.signIn(`${server.url}/sign-in?to=${to}`, login);
    return { browser, looked };
  };
  const sessionOf = ({ browser }: Awaited<ReturnType<typeof signedIn>>) =>
    browser.cookies.get(`${server.url} backstory-session`);
  const audited = async (action: string) =>
    (await people.audit(team.org, '2000-01-01')).filter((entry) => entry.action === action);

  it('[team-oidc] are signed in as the member with their address, and can read what that member may', async () => {
    const ann = await linked('ann');
    const come = await signedIn('ann');
    expect(come.looked.url).toBe(`${server.url}/api/v1/me`);
    expect(JSON.parse(come.looked.body)).toMatchObject({
      person: ann.id,
      kind: 'user',
      scopes: ['read', 'write'],
    });
    const projects = await come.browser.ask(`${server.url}/api/v1/projects`);
    expect(await projects.json()).toMatchObject({ items: [{ id: project, role: 'member' }] });
    const cookie = come.browser.set.findLast((one) => one.startsWith('backstory-session='));
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
    const session = sessionOf(come) ?? '';
    const rows = await fresh.database.query<{ kept: string }>(
      `select encode(hash, 'hex') as kept from backstory.token where is_browser_session and principal = $1`,
      [ann.id],
    );
    expect(rows).toEqual([{ kept: sha256(session) }]);
    expect((await audited('sign-in')).map(({ who }) => who?.name)).toContain('ann');
  });

  it('approve a device with only its code', async () => {
    await linked('bob');
    const { browser, looked } = await signedIn('bob', '/device');
    expect(looked.body).toContain('Signed in as bob.');
    expect(looked.body).not.toContain('name="token"');
    const hash = sha256(makeToken());
    const begun = await browser.ask(`${server.url}/api/device`, {
      method: 'POST',
      body: JSON.stringify({ hash, name: 'laptop of bob' }),
      headers: { 'content-type': 'application/json' },
    });
    const { code } = (await begun.json()) as { code: string };
    expect((await browser.submit(`${server.url}/device`, { code: 'BBBB-BBBB' })).status).toBe(404);
    expect((await browser.submit(`${server.url}/device`, { code })).body).toContain(
      'The device is signed in.',
    );
    expect(await store.signIns.state(Buffer.from(hash, 'hex'))).toBe('approved');
    expect((await audited('device.refuse')).map(({ detail }) => detail)).toContainEqual({
      why: 'no such code',
    });
  });

  it('[team-csrf] are safe from requests that other pages trigger', async () => {
    await linked('cat');
    const { browser } = await signedIn('cat');
    const path = `${server.url}/api/projects/${project}/memory`;
    const add = async (headers: Record<string, string>, text: string) =>
      (
        await browser.ask(path, {
          method: 'POST',
          body: JSON.stringify({ text }),
          headers: { 'content-type': 'application/json', ...headers },
        })
      ).status;
    expect(await add({ origin: 'https://evil.example' }, 'planted')).toBe(403);
    expect(await add({ origin: 'null' }, 'planted')).toBe(403);
    expect(await add({}, 'planted')).toBe(403);
    expect(await add({ 'sec-fetch-site': 'cross-site' }, 'planted')).toBe(403);
    expect(await add({ 'sec-fetch-site': 'same-site', origin: server.url }, 'planted')).toBe(403);
    expect(await add({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 'planted')).toBe(
      403,
    );
    const evil = { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' };
    const form = await browser.ask(`${server.url}/device`, {
      method: 'POST',
      body: 'code=BBBBBBBB',
      headers: evil,
    });
    expect(form.status).toBe(403);
    expect(await fresh.database.query(`select 1 from backstory.memory where text = 'planted'`)).toEqual([]);
    expect(await add({ origin: server.url }, 'of my own')).toBe(201);
    expect(await add({ origin: server.url, 'sec-fetch-site': 'same-origin' }, 'of my own')).toBe(201);
    // An invalid token does not fall back to the cookie.
    const both = await browser.ask(path, { headers: { authorization: `Bearer ${makeToken()}` } });
    expect(both.status).toBe(401);
  });

  it('are redirected only to pages of this server', async () => {
    await linked('dan');
    for (const to of ['//evil.example', '/%5Cevil.example', 'https://evil.example', '/\\evil.example']) {
      const { looked } = await signedIn('dan', encodeURIComponent(to));
      expect(new URL(looked.url).origin, to).toBe(server.url);
    }
  });

  it('are refused if no member has their address, or the provider has not verified it', async () => {
    provider.accounts.stranger = { email: 'stranger@acme.example', email_verified: true };
    const unknown = await signedIn('stranger');
    expect([unknown.looked.status, sessionOf(unknown)]).toEqual([403, undefined]);
    const eve = await linked('eve');
    provider.accounts.eve = { email: 'eve@acme.example', email_verified: false };
    const unverified = await signedIn('eve');
    expect([unverified.looked.status, sessionOf(unverified)]).toEqual([403, undefined]);
    provider.accounts.eve = {};
    expect((await signedIn('eve')).looked.status).toBe(403);
    await people.link(team.org, eve.id, { issuer: provider.issuer, subject: 'eve' });
    expect(JSON.parse((await signedIn('eve')).looked.body)).toMatchObject({ person: eve.id });
    const refused = (await audited('sign-in.refuse')).map(({ detail }) => detail.outcome);
    expect(refused).toEqual(expect.arrayContaining(['unknown', 'unverified']));
    expect(JSON.stringify(await audited('sign-in.refuse'))).not.toContain('stranger');
  });

  it('[team-identity] inherit nothing from an earlier owner of their address', async () => {
    const fay = await linked('fay');
    expect((await signedIn('fay')).looked.status).toBe(200);
    provider.accounts['fay-the-second'] = { email: 'fay@acme.example', email_verified: true };
    expect((await signedIn('fay-the-second')).looked.status).toBe(403);
    // The address may change; the account stays bound to the same person.
    provider.accounts.fay = { email: 'fay.new@acme.example', email_verified: false };
    expect(JSON.parse((await signedIn('fay')).looked.body)).toMatchObject({ person: fay.id });
    await people.allowDomain(team.org, { domain: 'acme.example', project, role: 'reader' });
    expect((await signedIn('fay-the-second')).looked.status).toBe(403);
    await createTeamOperation(fresh.database, systemClock).disable(team.org, fay.id);
    const second = JSON.parse((await signedIn('fay-the-second')).looked.body);
    expect(second).toMatchObject({ kind: 'user' });
    expect(second.person).not.toBe(fay.id);
    expect((await signedIn('fay')).looked.status).toBe(403);
    await people.removeDomain(team.org, 'acme.example');
  });

  it('can sign in through an allowed domain, with exactly its role', async () => {
    await people.allowDomain(team.org, { domain: 'guests.example', project, role: 'reader' });
    provider.accounts.gus = { email: 'Gus@Guests.Example', email_verified: true };
    provider.accounts.near = { email: 'near@not-guests.example', email_verified: true };
    provider.accounts.sub = { email: 'sub@guests.example.evil.example', email_verified: true };
    expect((await signedIn('near')).looked.status).toBe(403);
    expect((await signedIn('sub')).looked.status).toBe(403);
    const { browser, looked } = await signedIn('gus', '/api/v1/projects');
    expect(JSON.parse(looked.body)).toMatchObject({ items: [{ id: project, role: 'reader' }] });
    const added = await browser.ask(`${server.url}/api/projects/${project}/memory`, {
      method: 'POST',
      body: JSON.stringify({ text: 'x' }),
      headers: { 'content-type': 'application/json', origin: server.url },
    });
    expect(added.status).toBe(403);
    const again = await signedIn('gus');
    expect(again.looked.status).toBe(200);
  });

  it('[team-offboard] lose access at once when they are removed, and when the session expires', async () => {
    const hal = await linked('hal');
    const come = await signedIn('hal');
    const status = async () => (await come.browser.ask(`${server.url}/api/v1/me`)).status;
    expect(await status()).toBe(200);
    await fresh.database.query(
      `update backstory.token set expires = now() - interval '1 second' where is_browser_session and principal = $1`,
      [hal.id],
    );
    expect(await status()).toBe(401);
    const another = await signedIn('hal');
    await createTeamOperation(fresh.database, systemClock).disable(team.org, hal.id);
    expect((await another.browser.ask(`${server.url}/api/v1/me`)).status).toBe(401);
    expect((await signedIn('hal')).looked.status).toBe(403);
  });

  it('[team-offboard] are refused despite an allowed domain if they were removed before their first sign-in', async () => {
    const kip = await linked('kip');
    await createTeamOperation(fresh.database, systemClock).disable(team.org, kip.id);
    await people.allowDomain(team.org, { domain: 'acme.example', project, role: 'reader' });
    expect((await signedIn('kip')).looked.status).toBe(403);
    expect((await audited('sign-in.refuse')).at(-1)?.detail).toEqual({ outcome: 'removed' });
    await people.removeDomain(team.org, 'acme.example');
    await people.restore(team.org, kip.id);
    expect(JSON.parse((await signedIn('kip')).looked.body)).toMatchObject({ person: kip.id });
  });

  it('can sign out', async () => {
    await linked('ida');
    const come = await signedIn('ida');
    const cookie = `backstory-session=${sessionOf(come)}`;
    const out = await come.browser.ask(`${server.url}/api/v1/session`, {
      method: 'DELETE',
      headers: { origin: server.url },
    });
    expect(await out.json()).toEqual({ signedIn: false });
    expect(sessionOf(come) ?? '').toBe('');
    // A copy of the cookie gives no access.
    expect((await fetch(`${server.url}/api/v1/me`, { headers: { cookie } })).status).toBe(401);
    expect((await audited('sign-out')).map(({ who }) => who?.name)).toContain('ida');
  });

  describe('with a tampered ID token', () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const claimsOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
    const cases: [string, (token: string) => string][] = [
      ['is not signed', (token) => jwt(claimsOf(token), { alg: 'none' }, undefined)],
      [
        'is signed with the secret of the client',
        (token) => jwt(claimsOf(token), { alg: 'HS256' }, provider.clientSecret),
      ],
      ['is signed with another key', (token) => jwt(claimsOf(token), { alg: 'RS256', kid: 'key-1' }, other)],
      ['is for another client', (token) => provider.sign({ ...claimsOf(token), aud: 'another' })],
      [
        'is for another client too',
        (token) => provider.sign({ ...claimsOf(token), aud: [provider.clientId, 'another'], azp: 'another' }),
      ],
      ['is of another issuer', (token) => provider.sign({ ...claimsOf(token), iss: 'https://evil.example' })],
      ['has expired', (token) => provider.sign({ ...claimsOf(token), exp: 1_000_000_000 })],
      ['has another nonce', (token) => provider.sign({ ...claimsOf(token), nonce: 'another' })],
      ['has no nonce', (token) => provider.sign({ ...claimsOf(token), nonce: undefined })],
      ['names another person', (token) => provider.sign({ ...claimsOf(token), sub: 'somebody' })],
      ['is not a token', () => 'x.y.z'],
    ];

    it.each(cases)('are refused if it %s', async (_title, change) => {
      await linked(`lou-${_title.replaceAll(' ', '-')}`);
      tamper = change;
      try {
        const come = await signedIn(`lou-${_title.replaceAll(' ', '-')}`);
        expect([come.looked.status, sessionOf(come)]).toEqual([401, undefined]);
      } finally {
        tamper = (token) => token;
      }
    });

    it('are accepted if it is signed again unchanged', async () => {
      await linked('max');
      tamper = (token) => provider.sign(claimsOf(token));
      expect((await signedIn('max')).looked.status).toBe(200);
      tamper = (token) => token;
    });
  });

  it('are refused with a callback that belongs to another browser, or was used before', async () => {
    await linked('ned');
    const browser = createBrowser();
    const begun = await browser.ask(`${server.url}/sign-in`);
    // Another browser cannot continue this sign-in.
    const other = createBrowser();
    const refused = await other.signIn(begun.headers.get('location') ?? '', 'ned');
    expect(refused.status).toBe(401);
    const callback = refused.url;
    expect(callback).toContain('/sign-in/callback?code=');
    const taken = await browser.open(callback);
    expect(taken.url).toBe(`${server.url}/device`);
    expect((await browser.open(callback)).status).toBe(401);
    const guessed = callback.replace(/state=[^&]+/, 'state=guessed');
    expect((await browser.open(guessed)).status).toBe(401);
  });
});
