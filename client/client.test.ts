import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientFiles, isForClients, openApiDocuments } from '../scripts/client.ts';
import { createHttpHome, type HttpHome } from '../test/support/http-home.ts';
import { ApiError, type ServeClient, serveClient, teamClient } from './index.ts';
import { call } from './request.ts';

const operationsOf = (server: keyof typeof openApiDocuments) =>
  Object.values(openApiDocuments[server].paths).flatMap((path) => Object.values(path));

describe('The generated client', () => {
  it('[api-client] is up to date with the OpenAPI documents', () => {
    for (const [path, text] of Object.entries(clientFiles()))
      expect(readFileSync(path, 'utf8'), `${path}: run npm run docs`).toBe(`${text.trim()}\n`);
  });

  it.each([
    ['serve', serveClient({ url: '' })],
    ['team', teamClient({ url: '' })],
  ] as const)('[api-client] has one method for each operation of %s', (server, client) => {
    const names = operationsOf(server)
      .filter(isForClients)
      .map(({ operationId }) => operationId);
    expect(Object.keys(client).sort()).toEqual(names.sort());
    expect(names.length).toBeGreaterThan(30);
    const left = operationsOf(server).filter((operation) => !isForClients(operation));
    expect(left.map(({ operationId }) => operationId).filter((name) => !name.endsWith('Alias'))).toEqual(
      server === 'serve'
        ? []
        : ['callMcp', 'openMcpStream', 'endMcpSession', 'redirectToSignIn', 'finishSignIn', 'deliverWebhook'],
    );
  });

  it('[api-client] contains no `any`, and imports nothing from outside its folder', () => {
    const files = [...Object.keys(clientFiles()), 'client/index.ts', 'client/request.ts'];
    for (const path of files) {
      const code = readFileSync(path, 'utf8').replaceAll(
        /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'|"[^"\n]*"/g,
        '""',
      );
      expect(code.match(/\bany\b/), path).toBeNull();
      const imported = [...readFileSync(path, 'utf8').matchAll(/ from '([^']+)'/g)].map(([, name]) => name);
      expect(imported.filter((name) => !/^\.\.?\/(?:generated\/)?\w+\.ts$/.test(name as string))).toEqual([]);
    }
  });
});

describe('A call of the client', () => {
  let home: HttpHome;
  let client: ServeClient;
  beforeAll(async () => {
    home = await createHttpHome();
    client = serveClient({ url: `${home.server.url}/`, token: home.token });
  });
  afterAll(() => home.close());

  it('sends its parameters in the path, the query and the body', async () => {
    const note = await client.createNote({ text: 'Retries stay in Postgres.', files: ['src/a b.ts'] });
    expect(note.files).toEqual(['src/a b.ts']);
    const { items } = await client.listNotes({ state: 'candidate', limit: 5, cursor: undefined });
    expect(items.map(({ id }) => id)).toEqual([note.id]);
    expect((await client.getNote({ id: note.id })).note.text).toContain('Postgres');
  });

  it('throws the problem of an error response', async () => {
    const error = await client.getNote({ id: 'no such/note' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, code: 'NOT_FOUND', retryable: false });
    const invalid = await client.listNotes({ limit: 0 }).catch((thrown: unknown) => thrown);
    expect((invalid as ApiError).problem.errors?.map(({ field }) => field)).toEqual(['limit']);
    const refused = await serveClient({ url: home.server.url })
      .listProjects()
      .catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  it('throws a problem if the answer is not JSON', async () => {
    const proxy = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    await expect(serveClient({ url: '', fetch: proxy }).listProjects()).rejects.toMatchObject({
      status: 502,
      code: 'BACKEND_FAILURE',
      retryable: true,
    });
    const page = async () => new Response('<h1>Sign in</h1>');
    await expect(serveClient({ url: '', fetch: page }).listProjects()).rejects.toBeInstanceOf(ApiError);
  });

  it('passes a failed connection and an abort on', async () => {
    await expect(serveClient({ url: 'http://127.0.0.1:1' }).listProjects()).rejects.toBeInstanceOf(TypeError);
    await expect(client.listProjects({ signal: AbortSignal.abort() })).rejects.toMatchObject({
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
