import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, askHttp, createHttpHome, type HttpHome } from '../../test/support/http-home.ts';
import { removeIfThere, writeJson } from '../base/files.ts';
import { makeSignInCode } from '../base/sign-in-codes.ts';
import { shortNoteId } from '../domain/note.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';

let home: HttpHome;
/** The cookie of a signed-in browser. */
let cookie = '';
let host = '';

beforeAll(async () => {
  home = await createHttpHome();
  home.prompt('We always use tabs because the linter wants them.');
  home.answer('Understood.');
  await home.drain();
  host = new URL(home.server.url).host;
  cookie = await home.signIn(true);
});
afterAll(() => home.close());

/** Forty requests with a wrong origin or without valid credentials. */
function badHeaders(): Record<string, string>[] {
  const authorization = `Bearer ${home.token}`;
  const [name = '', secret = ''] = cookie.split('=');
  const port = host.split(':')[1];
  return [
    // Missing or wrong credentials.
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: `bearer ${home.token}` },
    { authorization: `Bearer  ${home.token}` },
    { authorization: `Bearer ${home.token.slice(1)}` },
    { authorization: `Bearer ${home.token}0` },
    { authorization: `Bearer ${home.token.toUpperCase()}` },
    { authorization: `Basic ${Buffer.from(`user:${home.token}`).toString('base64')}` },
    { authorization: home.token },
    { authorization: `Token ${home.token}` },
    { authorization: `Bearer ${home.token}, Bearer x` },
    { 'x-api-key': home.token },
    { cookie: `token=${home.token}` },
    { cookie: `${name}=${home.token}` },
    { cookie: `${name}=` },
    { cookie: `${name}=${secret.slice(1)}` },
    { cookie: `${name}x=${secret}` },
    { cookie: `${name}=${secret}; ${name}=other` },
    { cookie, authorization: 'Bearer wrong' },
    // Valid credentials with an unknown Host header.
    { authorization, host: 'evil.example' },
    { authorization, host: `evil.example:${port}` },
    { authorization, host: `localhost.evil.example:${port}` },
    { authorization, host: `127.0.0.1.nip.io:${port}` },
    { authorization, host: 'localhost' },
    { authorization, host: 'localhost:1' },
    { authorization, host: `0.0.0.0:${port}` },
    { authorization, host: `${host}.` },
    { cookie, host: `evil.example:${port}` },
    // Valid credentials sent by a page of another origin.
    { authorization, origin: 'https://evil.example' },
    { authorization, origin: 'null' },
    { authorization, origin: `https://${host}` },
    { authorization, origin: 'http://localhost:1' },
    { cookie, origin: 'https://evil.example' },
    { cookie, origin: 'file://' },
    { cookie, 'sec-fetch-site': 'cross-site' },
    { cookie, 'sec-fetch-site': 'same-site' },
    { authorization, 'sec-fetch-site': 'cross-site' },
    { authorization, 'sec-fetch-site': 'anything' },
  ];
}

const concrete = (path: string): string => path.replace(/:\w+/g, '0123456789abcdef').replace('*', '');

describe('access', () => {
  it('[http-guard] every route rejects forty kinds of unauthorised requests without side effects', async () => {
    const before = home.events().length;
    const bad = badHeaders();
    expect(bad.length).toBe(40);
    expect(home.server.routes.length).toBeGreaterThan(40);
    const let_in: string[] = [];
    for (const { method, path } of home.server.routes) {
      for (const headers of bad) {
        const answered = await askHttp(home.server.url, concrete(path), {
          method,
          headers: { host, ...headers },
        });
        const isRefused = answered.status === 401 || answered.status === 403;
        if (isRefused && (method === 'HEAD' || JSON.parse(answered.text).code !== undefined)) continue;
        // A sign-in link needs a code instead of a token, and is rejected without one.
        let_in.push(`${method} ${path} ${JSON.stringify(headers)}: ${answered.status}`);
      }
    }
    expect(let_in).toEqual([]);
    expect(home.events().length).toBe(before);
  });

  it('[serve-ends] is kept running neither by rejected requests nor by an unattended page', async () => {
    const isIdle = () => expect.poll(() => home.idle.isIdle()).toBe(true);
    home.clock.set(home.clock.now() + 3_600_000);
    await isIdle();
    for (const headers of badHeaders())
      await askHttp(home.server.url, '/health', { headers: { host, ...headers } });
    expect(home.idle.isIdle()).toBe(true);
    await home.ask('/health', { headers: { 'x-backstory-unattended': '1' } });
    await isIdle();
    await home.ask('/health');
    expect(home.idle.isIdle()).toBe(false);
  });

  it('accepts the token for each loopback name, and the cookie from the viewer itself', async () => {
    const port = host.split(':')[1];
    for (const name of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect((await home.ask('/health', { headers: { host: name } })).status).toBe(200);
    const own = { host, cookie, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await askHttp(home.server.url, '/health', { headers: own })).status).toBe(200);
    expect((await askHttp(home.server.url, '/health', { headers: { host, cookie } })).status).toBe(200);
  });

  it('accepts a change with the cookie only from the viewer itself', async () => {
    const asked = { method: 'POST', headers: { host, cookie } };
    expect((await askHttp(home.server.url, '/api/v1/shutdown', asked)).status).toBe(403);
    const own = { ...asked, headers: { ...asked.headers, origin: `http://${host}` } };
    expect((await askHttp(home.server.url, '/api/v1/shutdown', own)).status).toBe(200);
  });

  const loginPath = (options: { port?: number; isPerson?: boolean } = {}): string => {
    const port = options.port ?? Number(host.split(':')[1]);
    const isPerson = options.isPerson ?? true;
    return `/login?code=${makeSignInCode(home.paths.home, { port, isPerson, now: home.clock.now() })}`;
  };

  it('[http-login] a sign-in link works once, sets an HttpOnly cookie, and never shows the token', async () => {
    const path = loginPath();
    expect(path).not.toContain(home.token);
    const first = await askHttp(home.server.url, path, {});
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe('/');
    expect(String(first.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(String(first.headers['set-cookie'])).not.toContain(home.token);
    expect((await askHttp(home.server.url, path, {})).status).toBe(401);
  });

  it('a sign-in link does not work after a minute or on another port', async () => {
    const path = loginPath();
    home.clock.set(home.clock.now() + 61_000);
    expect((await askHttp(home.server.url, path, {})).status).toBe(401);
    expect((await askHttp(home.server.url, loginPath({ port: 1 }), {})).status).toBe(401);
  });

  it('a sign-in code cannot be recovered from the files in the home folder', async () => {
    const path = loginPath();
    const folder = join(home.paths.home, 'sign-in-codes');
    const files = readdirSync(folder);
    const said = [...files, ...files.map((name) => readFileSync(join(folder, name), 'utf8'))].join('\n');
    expect(said).not.toContain(path.split('=')[1]);
    for (const word of said.match(/[0-9a-f]{32,}/g) ?? [])
      expect((await askHttp(home.server.url, `/login?code=${word}`, {})).status).toBe(401);
    expect(files.length).toBeGreaterThan(0);
    expect((await askHttp(home.server.url, path, {})).status).toBe(303);
  });

  it('answers an expired link with a page for browsers and an error for programs', async () => {
    for (const path of ['/', '/login?code=used']) {
      const page = await askHttp(home.server.url, path, { headers: { 'sec-fetch-dest': 'document' } });
      expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<code>backstory ui</code>');
      const envelope = JSON.parse((await askHttp(home.server.url, path, {})).text) as object;
      expect(envelope).toMatchObject({ code: 'UNAUTHORIZED' });
    }
    const headers = { 'sec-fetch-dest': 'document' };
    const missing = await home.askAsPerson('/no-such-page', { headers });
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('<a href="/">')]);
    // A build without the viewer has no start page to lead to.
    expect((await home.askAsPerson('/', { headers })).status).toBe(404);
    expect(JSON.parse((await home.askAsPerson('/api/v1/no-such-page', { headers })).text)).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

/** Who may call each route that changes something. A new route must be added here. */
const openToPrograms = [
  'POST /api/v1/notes',
  'POST /api/projects/:id/memory',
  'POST /api/projects/:id/memory/reindex',
  'POST /api/v1/shutdown',
];
const forPeople = [
  'PATCH /api/v1/notes/:id',
  'DELETE /api/v1/notes/:id',
  'POST /api/v1/notes/:id/accept',
  'POST /api/v1/notes/:id/reject',
  'POST /api/v1/notes/:id/reopen',
  'POST /api/v1/notes/:id/wrong',
  'POST /api/v1/notes/:id/pin',
  'POST /api/v1/notes/:id/unpin',
  'POST /api/v1/notes/:id/mute',
  'POST /api/v1/notes/:id/unmute',
  'POST /api/v1/notes/:id/share',
  'POST /api/v1/notes/:id/unshare',
  'POST /api/v1/prelude/mute',
  'POST /api/v1/review/accept',
  'POST /api/v1/review/reject',
  'POST /api/v1/review/undo',
  'DELETE /api/memory/:id',
];
/** MCP is for agents, and each tool treats its caller as an agent. */
const forAgents = ['POST /mcp', 'DELETE /mcp'];

describe('routes that need a person', () => {
  it('[person-only] every route that changes something is classified', () => {
    const changing = home.server.routes
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(changing)].sort()).toEqual([...openToPrograms, ...forPeople, ...forAgents].sort());
  });

  it('[person-only] refuse the API token, and a browser that was not signed in by a person', async () => {
    const made = await home.askAsPerson('/api/v1/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"Deploys need two approvals."}',
    });
    const { id } = JSON.parse(made.text) as { id: string };
    const proposer = { cookie: await home.signIn(false), origin: `http://${host}` };
    const askers = [{ authorization: `Bearer ${home.token}` }, proposer];
    for (const line of forPeople) {
      const [method, path = ''] = line.split(' ');
      for (const headers of askers) {
        const asked = {
          method,
          headers: { host, 'content-type': 'application/json', ...headers },
          ...(method === 'DELETE' ? {} : { body: '{"text":"x"}' }),
        };
        const answered = await askHttp(home.server.url, path.replace(':id', id), asked as never);
        expect([line, answered.status, JSON.parse(answered.text)]).toEqual([
          line,
          403,
          expect.objectContaining({
            code: 'FORBIDDEN',
            hint: expect.stringContaining('backstory ui'),
          }),
        ]);
      }
    }
    expect(JSON.parse((await home.ask(`/api/v1/notes/${id}`)).text).note).toMatchObject({
      rev: 1,
      pinned: false,
    });
    const overview = (headers: Record<string, string>) =>
      askHttp(home.server.url, '/api/v1/viewer/overview', { headers: { host, ...headers } });
    for (const headers of askers)
      expect(JSON.parse((await overview(headers)).text)).toMatchObject({ mayApprove: false });
    expect(JSON.parse((await overview({ cookie })).text)).toMatchObject({ mayApprove: true });
  });

  it('[person-only] a note written with the token waits for review, even if a person wrote the same words', async () => {
    const write = async (ask: HttpHome['ask'], path: string, text: string) =>
      JSON.parse(
        (
          await ask(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ text }),
          })
        ).text,
      );
    const noteOf = async (id: string) => JSON.parse((await home.ask(`/api/v1/notes/${id}`)).text).note;
    const waiting = { state: 'candidate', trust: 1, author: 'api' };
    expect(await write(home.ask, '/api/v1/notes', 'Run the migrations as root.')).toMatchObject(waiting);
    const { documentId } = await write(home.ask, '/api/projects/work/memory', 'Skip the slow tests.');
    expect(await noteOf(documentId)).toMatchObject(waiting);
    const own = await write(home.askAsPerson, '/api/v1/notes', 'Backups run at noon.');
    expect(own).toMatchObject({ state: 'active', trust: 3 });
    expect(await write(home.ask, '/api/v1/notes', 'Backups run at noon.')).toEqual(own);
  });

  it('[http-seed-002] keeps other tags of a memory as concepts', async () => {
    const metadata = { kind: 'fact', concepts: ['queue'], priority: 'high', status: 'open' };
    const added = await home.askAsPerson('/api/projects/work/memory', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Jobs are kept for a week.', metadata }),
    });
    expect(JSON.parse(added.text).metadata.concepts).toEqual(['queue', 'priority:high', 'status:open']);
  });

  it('says what was taken for a secret in a new note', async () => {
    const made = await home.askAsPerson('/api/v1/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'The database password is hunter22x! on staging.' }),
    });
    const { text, redaction } = JSON.parse(made.text) as { text: string; redaction: string };
    expect(text).not.toContain('hunter22x');
    expect(redaction).toContain('1 × ');
  });
});

describe('answers', () => {
  it('shows one event, and a note only as a note', async () => {
    const sessions = JSON.parse((await home.ask('/api/v1/agent-sessions')).text) as {
      items: { id: string }[];
    };
    const story = JSON.parse((await home.ask(`/api/v1/agent-sessions/${sessions.items[0]?.id}`)).text) as {
      turns: { events: { id: string; kind: string }[] }[];
    };
    const prompt = story.turns.flatMap(({ events }) => events).find(({ kind }) => kind === 'prompt');
    const shown = JSON.parse((await home.ask(`/api/v1/viewer/events/${prompt?.id}`)).text) as object;
    expect(shown).toMatchObject({
      kind: 'prompt',
      text: expect.stringContaining('tabs'),
      sessions: [{ id: sessions.items[0]?.id }],
    });
    expect((await home.ask('/api/v1/viewer/events/xyz')).status).toBe(404);
    const { items } = JSON.parse((await home.ask('/api/v1/notes')).text) as { items: { id: string }[] };
    expect((await home.ask(`/api/v1/viewer/events/${items[0]?.id}`)).status).toBe(404);
  });

  it('takes the ends of a time range as ISO 8601', async () => {
    const listed = async (query: string) => {
      const { status, text } = await home.ask(`/api/v1/agent-sessions?${query}`);
      return [status, (JSON.parse(text) as { items?: unknown[] }).items?.length];
    };
    expect(await listed('since=2000-01-01T00:00:00.000Z&until=2100-01-01T00:00:00%2B02:00')).toEqual([
      200, 1,
    ]);
    expect(await listed('since=2100-01-01T00:00:00.000Z')).toEqual([200, 0]);
    expect(await listed('until=2000-01-01T00:00:00.000Z')).toEqual([200, 0]);
    expect(await listed('since=946684800000')).toEqual([400, undefined]);
  });

  it('answers 304 if the client already has the answer', async () => {
    const first = await home.ask('/api/v1/notes');
    const etag = String(first.headers.etag);
    const again = await home.ask('/api/v1/notes', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await home.ask('/api/v1/notes', { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  it('[http-envelope] reports every error in the same envelope, with a matching status', async () => {
    const wrong: [string, number, string][] = [
      ['/api/v1/nothing', 404, 'NOT_FOUND'],
      ['/api/v1/recall?query=x&limit=many', 400, 'INVALID_ARGUMENT'],
      ['/api/v1/recall?query=x&project=nobody', 404, 'NOT_FOUND'],
      ['/api/v1/notes/0123456789abcdef', 404, 'NOT_FOUND'],
      ['/api/v1/notes?cursor=nonsense', 400, 'INVALID_ARGUMENT'],
      ['/api/v1/agent-sessions/none', 404, 'NOT_FOUND'],
    ];
    for (const [path, status, code] of wrong) {
      const answered = await home.ask(path);
      expect([path, answered.status, JSON.parse(answered.text)]).toEqual([
        path,
        status,
        {
          type: `urn:backstory:problem:${code.toLowerCase().replaceAll('_', '-')}`,
          title: STATUS_CODES[status],
          status,
          detail: expect.any(String),
          code,
          retryable: expect.any(Boolean),
          hint: expect.any(String),
          ...(path.includes('limit=many') ? { errors: expect.any(Array) } : {}),
        },
      ]);
      expect(answered.headers['content-type']).toBe('application/problem+json');
    }
  });

  it('[http-envelope] names each parameter that is wrong or unknown', async () => {
    const errorsOf = async (path: string, asking?: Asking) =>
      JSON.parse((await home.askAsPerson(path, asking)).text).errors;
    expect(await errorsOf('/api/v1/notes?limit=many&state=old')).toEqual([
      { field: 'state', detail: expect.stringContaining('expected one of') },
      { field: 'limit', detail: 'expected number, received string' },
    ]);
    expect(await errorsOf('/api/v1/recall?qurey=x')).toEqual([
      { field: 'qurey', detail: 'unknown parameter' },
    ]);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ text: 'x', files: ['a', 1], tags: [] });
    expect(await errorsOf('/api/v1/notes', { method: 'POST', headers, body })).toEqual([
      { field: 'tags', detail: 'unknown parameter' },
    ]);
    const wrong = JSON.stringify({ text: 'x', files: ['a', 1] });
    expect(await errorsOf('/api/v1/notes', { method: 'POST', headers, body: wrong })).toEqual([
      { field: 'files.1', detail: 'expected string, received number' },
    ]);
  });

  it('[http-envelope] answers another method with 405 and the allowed ones, and a new note with its place', async () => {
    const put = await home.ask('/api/v1/notes', { method: 'PUT' });
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect((await home.ask('/api/v1/notes/0123456789abcdef', { method: 'PUT' })).headers.allow).toBe(
      'DELETE, GET, HEAD, PATCH',
    );
    const made = await home.askAsPerson('/api/v1/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"text":"Ship on Fridays."}',
    });
    const { id } = JSON.parse(made.text);
    expect([made.status, made.headers.location]).toEqual([201, `/api/v1/notes/${id}`]);
    expect((await home.ask(String(made.headers.location))).status).toBe(200);
    expect((await home.askAsPerson(`/api/v1/notes/${id}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('[http-envelope] answers the next request after one that was rejected before its body was read', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ text: 'x'.repeat(2_500_000) });
    const sent = { method: 'POST', agent, headers: { 'content-type': 'application/json' } };
    for (const [path, bytes] of [
      ['/api/v1/notes', body],
      ['/nothing', body.slice(0, 600_000)],
    ] as const) {
      const { status, text } = await home.ask(path, {
        ...sent,
        headers: { ...sent.headers, 'content-length': String(bytes.length) },
        body: bytes,
      });
      expect([400, 404], text).toContain(status);
      expect((await home.ask('/health', { agent })).status).toBe(200);
    }
    agent.destroy();
  });

  it('accepts a body only with the content type JSON', async () => {
    const body = '{"text":"Tabs it is."}';
    const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
    const asJson = { 'content-type': 'application/json' };
    const note = (headers: Record<string, string>, said = body) =>
      home.ask('/api/v1/notes', { method: 'POST', headers, body: said });
    expect((await note({})).status).toBe(400);
    expect((await note(asForm)).status).toBe(400);
    expect((await note(asJson, '[1]')).status).toBe(400);
    expect((await note(asJson, `{"text":"${'x'.repeat(2_000_000)}"}`)).status).toBe(400);
    expect((await note(asJson)).status).toBe(201);
  });

  it('shows no note twice across pages, even if notes are added in between', async () => {
    const write = (text: string) =>
      home.ask('/api/v1/notes', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      });
    for (let at = 0; at < 7; at++) await write(`Decision number ${at}, for a reason.`);
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { text } = await home.ask(`/api/v1/notes?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const page = JSON.parse(text) as { items: { id: string }[]; nextCursor?: string };
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (seen.length < 4) await write(`Something new after ${seen.length}.`);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(7);
  });

  it("pages through notes to review, those from the user's own words first", async () => {
    const propose = (text: string) =>
      rememberNote(notePartsOf(home.open()), {
        text,
        kind: 'decision',
        concepts: [],
        files: [],
        trust: 1,
        author: 'codex',
      });
    await propose('Orders are kept for a year.');
    const own = await propose('do the id table instead');
    await home.open().notes.put({ ...own, trust: 2 });
    await propose('Invoices are kept for ten years.');
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { text } = await home.ask(`/api/v1/review?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      const page = JSON.parse(text) as { items: { note: { text: string } }[]; nextCursor?: string };
      seen.push(...page.items.map(({ note }) => note.text.split('\n')[0] as string));
      cursor = page.nextCursor;
    }
    expect(seen.slice(0, 3)).toEqual([
      'do the id table instead',
      'Invoices are kept for ten years.',
      'Orders are kept for a year.',
    ]);
  });

  it('accepts, pins, edits, rejects and forgets a note, but not one that has changed in the meantime', async () => {
    const json = { 'content-type': 'application/json' };
    const made = await home.askAsPerson('/api/v1/notes', {
      method: 'POST',
      headers: json,
      body: '{"text":"Use pnpm here."}',
    });
    const { id, rev } = JSON.parse(made.text) as { id: string; rev: number };
    const change = async (verb: string, asked: object, method = 'POST') => {
      const body = JSON.stringify(asked);
      const path = `/api/v1/notes/${id}${verb === '' ? '' : `/${verb}`}`;
      const answered = await home.askAsPerson(path, { method, headers: json, body });
      return { status: answered.status, value: JSON.parse(answered.text) };
    };
    expect((await change('pin', { rev })).value.pinned).toBe(true);
    expect((await change('unpin', { rev })).status).toBe(409);
    expect((await change('unpin', {})).value.pinned).toBe(false);
    expect((await change('', { text: 'Use npm here.' }, 'PATCH')).value).toMatchObject({
      text: 'Use npm here.',
      trust: 3,
    });
    expect((await change('accept', {})).value.state).toBe('active');
    expect((await change('wrong', { rev, now: 'Use yarn here.' })).status).toBe(409);
    const corrected = (await change('wrong', { now: 'Use yarn here.' })).value;
    expect(corrected.withdrawn).toMatchObject({ id, state: 'superseded' });
    expect(corrected.now).toMatchObject({ text: 'Use yarn here.', trust: 3, replaces: [id] });
    expect((await change('wrong', {})).status).toBe(409);
    const isClosedBy = corrected.now.id as string;
    expect(corrected.withdrawn.closedBy).toEqual([isClosedBy]);
    expect((await change('reopen', {})).value).toMatchObject({ id, state: 'active', validTo: '' });
    expect((await change('reopen', {})).status).toBe(409);
    expect((await change('wrong', { now: 'Use bun here.' })).value.withdrawn.state).toBe('superseded');
    const old = JSON.parse((await home.ask(`/api/v1/notes/${id}`)).text);
    expect(old).toMatchObject({ state: 'superseded', closedBy: { text: 'Use bun here.' } });
    const refused = await change('pin', {});
    expect(refused).toMatchObject({
      status: 409,
      value: { hint: `backstory edit ${shortNoteId(id)} --reopen` },
    });
    const hit = JSON.parse((await home.ask('/api/v1/recall?query=npm+here&concept=superseded')).text)
      .items[0];
    expect(hit).toMatchObject({ sourceId: id, state: 'superseded', closedBy: old.closedBy, concepts: [] });
    const topics = JSON.parse((await home.ask('/api/v1/viewer/topics?list=closed')).text).items;
    expect(topics).toMatchObject([{ id, state: 'superseded', closedBy: old.closedBy }]);
    expect((await change('reject', {})).value).toEqual({ rejected: id });
    expect((await home.ask(`/api/v1/notes/${id}`)).status).toBe(404);
    const other = await home.askAsPerson('/api/v1/notes', {
      method: 'POST',
      headers: json,
      body: '{"text":"Forget me."}',
    });
    const { id: gone } = JSON.parse(other.text) as { id: string };
    expect(
      JSON.parse((await home.askAsPerson(`/api/memory/${gone}`, { method: 'DELETE' })).text),
    ).toMatchObject({
      notes: 1,
    });
    expect((await home.ask(`/api/v1/notes/${gone}`)).status).toBe(404);
  });

  it('[muted-notes] keeps a muted note out of the prelude until it is told again, and recall finds it', async () => {
    const json = { 'content-type': 'application/json' };
    const body = '{"text":"Sort imports by length."}';
    const made = await home.askAsPerson('/api/v1/notes', { method: 'POST', headers: json, body });
    const { id } = JSON.parse(made.text) as { id: string };
    const post = async (verb: string) =>
      (await home.askAsPerson(`/api/v1/notes/${id}/${verb}`, { method: 'POST', headers: json, body: '{}' }))
        .status;
    const told = async () =>
      (await home.ask('/api/v1/viewer/today')).text.includes('Sort imports by length.');
    expect([await post('pin'), await told()]).toEqual([200, true]);
    expect([await post('mute'), await told()]).toEqual([200, false]);
    expect((await home.ask('/api/v1/recall?query=sort+imports+by+length')).text).toContain(id);
    expect([await post('unmute'), await told()]).toEqual([200, true]);
    await home.askAsPerson(`/api/v1/notes/${id}`, { method: 'DELETE' });
  });

  it('[team-share] marks a note for the team although its server is away, and takes it back', async () => {
    const json = { 'content-type': 'application/json' };
    const body = '{"text":"Totals are rounded once, at the end."}';
    const made = await home.askAsPerson('/api/v1/notes', { method: 'POST', headers: json, body });
    const { id } = JSON.parse(made.text) as { id: string };
    const post = async (verb: string) => {
      const path = `/api/v1/notes/${id}/${verb}`;
      const { status, text } = await home.askAsPerson(path, { method: 'POST', headers: json, body: '{}' });
      return [status, (JSON.parse(text) as { visibility?: string }).visibility];
    };
    expect((await post('share'))[0]).toBe(409);
    const { team } = home.paths.project(home.open().project);
    // Nothing listens on this port.
    writeJson(team, { v: 1, url: 'http://127.0.0.1:9', project: 'p', name: 'queue' });
    expect(await post('share')).toEqual([200, 'team']);
    expect((await home.ask(`/api/v1/notes/${id}`)).text).toContain('"team":"queue"');
    expect(await post('unshare')).toEqual([200, 'private']);
    removeIfThere(team);
    await home.askAsPerson(`/api/v1/notes/${id}`, { method: 'DELETE' });
  });

  it('returns an agent session turn by turn, and whether its work would be handed over', async () => {
    const { items, total } = JSON.parse((await home.ask('/api/v1/agent-sessions')).text);
    expect([total, items[0]]).toMatchObject([
      1,
      { id: 'session-1', agent: 'claude-code', prompts: 1, answers: 1 },
    ]);
    const story = JSON.parse((await home.ask('/api/v1/agent-sessions/session-1')).text);
    const { session, turns, isLatestWork } = story;
    expect(isLatestWork).toBe(true);
    expect(session.title).toContain('tabs');
    expect(turns[0].events.map(({ kind }: { kind: string }) => kind)).toEqual(['prompt', 'answer']);
  });

  it('names the paths of a hit that are no file of the checkout', async () => {
    writeFileSync(join(home.work, 'queue.ts'), 'export {};\n');
    home.prompt('Compare src/gone-queue.ts with queue.ts.', { prompt_id: 'paths' });
    await home.drain();
    const { text } = await home.ask('/api/v1/recall?query=gone-queue');
    expect(JSON.parse(text).items[0]).toMatchObject({
      paths: expect.arrayContaining(['src/gone-queue.ts', 'queue.ts']),
      missing: ['src/gone-queue.ts'],
    });
  });
});

describe('the files of the viewer', () => {
  it('[http-static] come only from its folder, whatever the path', async () => {
    const viewer = join(home.home, 'viewer');
    mkdirSync(join(viewer, 'assets'), { recursive: true });
    writeFileSync(join(viewer, 'index.html'), '<!doctype html>viewer');
    writeFileSync(join(viewer, 'assets', 'app-1.js'), 'js');
    writeFileSync(join(home.home, 'secret.txt'), 'secret');
    const other = await createHttpHome({ viewer });
    try {
      expect((await other.ask('/')).text).toContain('viewer');
      const headers = { 'sec-fetch-dest': 'document' };
      for (const path of ['/note/1?line=7', '/file/src/queue.ts', '/search/%E6%97%A5%0A%22']) {
        const page = await other.ask(path, { headers });
        expect([page.status, page.headers.location]).toEqual([302, `/#${path}`]);
      }
      expect((await other.ask('/note/1')).status).toBe(404);
      const script = await other.ask('/assets/app-1.js');
      expect([script.text, script.headers['content-type']]).toEqual(['js', 'text/javascript; charset=utf-8']);
      expect(String(script.headers['content-security-policy'])).toContain("default-src 'none'");
      expect(String(script.headers['cache-control'])).toContain('immutable');
      const packed = await other.ask('/assets/app-1.js', { headers: { 'accept-encoding': 'br, gzip' } });
      expect(packed.headers['content-encoding']).toBe('gzip');
      for (const path of [
        '/../secret.txt',
        '/..%2fsecret.txt',
        '/%2e%2e/secret.txt',
        '/assets/../../secret.txt',
        '/assets/..%5c..%5csecret.txt',
        '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
        '//secret.txt',
        '/secret.txt%00.js',
        '/....//secret.txt',
        '/assets/app-1.js/../../../secret.txt',
        `/${join(home.home, 'secret.txt')}`,
        '/C:/secret.txt',
        '/%c0%ae%c0%ae/secret.txt',
      ]) {
        const answered = await other.ask(path);
        expect([path, answered.text.includes('secret')]).toEqual([
          path,
          path.includes('secret') && answered.status === 404,
        ]);
      }
    } finally {
      await other.close();
    }
  });
});
