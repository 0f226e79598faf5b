import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientSource, isForClients, openApiDocuments } from '../scripts/client.ts';
import { serveFiles, writeServeState } from '../src/base/serve-files.ts';
import { tryWriterLock, type WriterLock } from '../src/store/sqlite/writer-lock.ts';
import type { Note } from '../src/wire/answers/memory.ts';
import { createHttpHome, type HttpHome } from '../test/support/http-home.ts';
import { follow } from './events.ts';
import { localConnection } from './local-server.ts';
import { ApiError, type Connection, call, methodsOf, send } from './request.ts';

describe('The source of the client', () => {
  it.each(['serve', 'team'] as const)('[api-client] has one method for each operation of %s', (server) => {
    const operations = Object.values(openApiDocuments[server].paths).flatMap((path) => Object.values(path));
    const names = operations.filter(isForClients).map(({ operationId }) => operationId);
    const table = new RegExp(`^const ${server}Operations = (.*);$`, 'm').exec(clientSource())?.[1] ?? '';
    expect(Object.keys(JSON.parse(table)).sort()).toEqual(names.sort());
    expect(names.length).toBeGreaterThan(25);
    const left = operations.filter((operation) => !isForClients(operation));
    expect(left.map(({ operationId }) => operationId).filter((name) => !name.endsWith('Alias'))).toEqual(
      server === 'serve' ? [] : ['callMcp', 'redirectToSignIn', 'finishSignIn', 'deliverWebhook'],
    );
  });

  it('[api-client] contains no `any` and imports nothing', () => {
    const code = clientSource().replaceAll(/\/\*[\s\S]*?\*\/|'[^'\n]*'|"[^"\n]*"/g, '""');
    expect(code.match(/\bany\b|^import /m)).toBeNull();
  });
});

describe('A call of the client', () => {
  let home: HttpHome;
  let server: Connection;
  beforeAll(async () => {
    home = await createHttpHome();
    server = { url: `${home.server.url}/`, token: home.token };
  });
  afterAll(() => home.close());

  it('sends its parameters in the path, the query and the body', async () => {
    const note = await call<Note>(server, 'POST', '/api/v1/notes', {
      text: 'Retries.',
      files: ['src/a b.ts'],
    });
    expect(note.files).toEqual(['src/a b.ts']);
    const query = { state: 'candidate', limit: 5, cursor: undefined };
    const { items } = await call<{ items: Note[] }>(server, 'GET', '/api/v1/notes', query);
    expect(items.map(({ id }) => id)).toEqual([note.id]);
    const { getNote } = methodsOf(server, { getNote: 'GET /api/v1/notes/{id}' }, follow);
    expect(await getNote?.({ id: note.id })).toMatchObject({ note: { text: 'Retries.' } });
  });

  it('[api-client] continues a stream after the last event, until the server refuses it', async () => {
    const resumedAfter: unknown[] = [];
    const fetch = async (_: string, { headers }: RequestInit) => {
      const after = (headers as Record<string, string>)['last-event-id'];
      resumedAfter.push(after);
      if (after === '2') return Response.json({ code: 'NOT_FOUND', detail: 'gone' }, { status: 404 });
      return new Response(
        `retry: 1\n\n: \n\nid: ${resumedAfter.length}\nevent: reset\ndata: {"at":"now"}\n\n`,
      );
    };
    const events: unknown[] = [];
    const failure = await (async () => {
      for await (const event of follow({ url: '', fetch }, '/live')) events.push(event);
    })().catch((error: unknown) => error);
    expect(events).toEqual(['1', '2'].map((id) => ({ id, event: 'reset', data: { at: 'now' } })));
    expect([resumedAfter, (failure as ApiError).code]).toEqual([[undefined, '1', '2'], 'NOT_FOUND']);
  });

  it('throws the problem of an error response', async () => {
    const failure = (path: string, params: object, to = server) =>
      call(to, 'GET', path, params).catch((thrown: unknown) => thrown) as Promise<ApiError>;
    const error = await failure('/api/v1/notes/{id}', { id: 'no such/note' });
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', retryable: false });
    const invalid = await failure('/api/v1/notes', { limit: 0 });
    expect(invalid.problem.errors?.map(({ field }) => field)).toEqual(['limit']);
    const refused = await failure('/api/v1/projects', {}, { url: home.server.url });
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  it('throws a problem if the answer is not JSON', async () => {
    const proxy = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    await expect(call({ url: '', fetch: proxy }, 'GET', '/')).rejects.toMatchObject({
      status: 502,
      code: 'BACKEND_FAILURE',
      retryable: true,
    });
    const page = async () => new Response('<h1>Sign in</h1>');
    await expect(call({ url: '', fetch: page }, 'GET', '/')).rejects.toBeInstanceOf(ApiError);
  });

  it('passes a failed connection and an abort on', async () => {
    await expect(send({ url: 'http://127.0.0.1:1' }, 'GET', '/')).rejects.toBeInstanceOf(TypeError);
    await expect(call(server, 'GET', '/', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('repeats a parameter that is a list, and fails if one of the path is missing', async () => {
    const seen: string[] = [];
    const fetch = async (url: string) => {
      seen.push(url);
      return Response.json({});
    };
    await call({ url: '', fetch }, 'GET', '/a/{id}', { id: 'x/y', list: ['1', '2'], isOn: false });
    expect(seen).toEqual(['/a/x%2Fy?list=1&list=2&isOn=false']);
    await expect(call({ url: '', fetch }, 'GET', '/a/{id}', {})).rejects.toThrow(
      'the parameter id is missing',
    );
  });
});

describe('A connection to the local server', () => {
  let home: HttpHome;
  let lock: WriterLock | undefined;
  let heard: string[];
  let stranger: Server;
  const folder = () => home.paths.home;
  const announce = (url: string) =>
    writeServeState(folder(), { v: 1, pid: process.pid, url, socket: '', version: '0.0.0' });
  const strangersUrl = () => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;

  beforeEach(async () => {
    home = await createHttpHome();
    heard = [];
    stranger = createServer((request, response) => {
      heard.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.end('{"items":[]}');
    }).on('connect', (request, socket) => {
      heard.push(`CONNECT ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    writeFileSync(serveFiles(folder()).token, home.token);
    lock = tryWriterLock(serveFiles(folder()).lock);
    announce(home.server.url);
  });
  afterEach(async () => {
    lock?.release();
    stranger.close();
    await home.close();
  });

  it('sends neither the question nor the token to a proxy that the environment names', async () => {
    const program = `import { localConnection } from ${JSON.stringify(pathToFileURL(resolve('client/local-server.ts')))};
      const { fetch } = await localConnection({ home: process.argv[1], start: false });
      console.log((await fetch('/api/v1/projects', { method: 'GET' })).status);`;
    const proxies = Object.fromEntries(
      ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'].map((name) => [name, strangersUrl()]),
    );
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', program, folder()],
      { env: { ...process.env, ...proxies, NODE_USE_ENV_PROXY: '1' } },
    );
    expect([stdout.trim(), heard]).toEqual(['200', []]);
  });

  it('sends nothing to a program that has the port of a killed server, though its process id is in use', async () => {
    lock?.release();
    lock = undefined;
    announce(strangersUrl());
    await expect(localConnection({ home: folder(), start: false })).rejects.toThrow('backstory serve');
    expect(heard).toEqual([]);
  });

  it('sends nothing to a program that takes the port of the server later', async () => {
    const connection = await localConnection({ home: folder(), start: false });
    expect(await call(connection, 'GET', '/api/v1/projects')).toMatchObject({ items: expect.anything() });
    lock?.release();
    lock = undefined;
    announce(strangersUrl());
    await expect(call(connection, 'GET', '/api/v1/projects')).rejects.toThrow('backstory serve');
    expect(heard).toEqual([]);
  });

  it('sends a body, and ends a call that its signal aborts', async () => {
    const connection = await localConnection({ home: folder(), start: false });
    expect(await call<Note>(connection, 'POST', '/api/v1/notes', { text: 'Größe ≤ 3 MB.' })).toMatchObject({
      text: 'Größe ≤ 3 MB.',
    });
    const aborted = { signal: AbortSignal.abort() };
    await expect(call(connection, 'GET', '/api/v1/projects', {}, aborted)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
