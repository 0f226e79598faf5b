import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { showProgress } from '../../harness/evaluation.ts';
import type { Home } from '../../harness/home.ts';
import type { Random } from '../../harness/random.ts';
import { startServing } from '../../harness/serving.ts';
import { badText, badValue } from './bad-values.ts';
import type { Tally } from './tally.ts';

interface Operation {
  method: string;
  path: string;
  names: string[];
}

/**
 * Sends invalid requests to every route. The server must never return a 5xx status, always respond, and keep running.
 */
export async function tryHttp(home: Home, n: number, random: Random): Promise<Tally> {
  const tally: Tally = { tried: 0, wrong: [] };
  const server = await startServing(home);
  const operations = operationsIn(
    await (await fetch(`${server.url}/api/v1/openapi.json`, { headers: server.headers })).json(),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  for (let number = 0; number < n; number++) {
    const problem = random.chance(0.1)
      ? await sendGarbage(server.url, number, random)
      : await sendRequest(server, random.pick(operations), number, { random, agent });
    tally.tried += 1;
    if (problem !== undefined) tally.wrong.push(problem);
    if (server.child.exitCode !== null) {
      tally.wrong.push(`it ended with ${server.child.exitCode} after ${number} requests`);
      break;
    }
    showProgress(number + 1, n);
  }
  agent.destroy();
  const last = await fetch(`${server.url}/health`, { headers: server.headers });
  if (!last.ok) tally.wrong.push(`not well at the end: ${last.status}`);
  server.child.kill();
  return tally;
}

function operationsIn(document: unknown): Operation[] {
  const { paths } = document as {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: { name: string }[];
          requestBody?: { content: Record<string, { schema: { properties?: object } }> };
        }
      >
    >;
  };
  return Object.entries(paths)
    .filter(([path]) => path !== '/api/v1/shutdown')
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        names: [
          ...parameters.map(({ name }) => name),
          ...Object.keys(requestBody?.content['application/json']?.schema.properties ?? {}),
        ],
      })),
    );
}

function sendRequest(
  { url, headers }: { url: string; headers: Record<string, string> },
  operation: Operation,
  number: number,
  { random, agent }: { random: Random; agent: Agent },
): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const segment = () => encodeURIComponent(badText(number, random).toWellFormed()).slice(0, 4_000) || 'x';
  const path = random.chance(0.05) ? `/${segment()}` : operation.path.replaceAll(/\{\w+\}/g, segment);
  const query = new URLSearchParams();
  // Cut the values, because the headers of a request are limited to 16 KB.
  for (const name of operation.names)
    if (random.chance(0.6)) query.append(name, badText(number, random).toWellFormed().slice(0, 500));
  const hasBody = !['GET', 'DELETE'].includes(operation.method);
  const body = hasBody ? bodyOf(operation, number, random) : '';
  const wrongMethod = random.chance(0.05)
    ? random.pick(['PUT', 'OPTIONS', 'HEAD', 'DELETE', 'TRACE', 'POST'])
    : operation.method;
  const odd = random.chance(0.1)
    ? {
        [random.pick(['if-none-match', 'content-type', 'accept', 'range', 'last-event-id'])]: badText(
          number,
          random,
        )
          .replaceAll(/[^\x20-\x7e]/g, '')
          .slice(0, 300),
      }
    : {};
  return new Promise((resolve) => {
    const shown = `${wrongMethod} ${path.slice(0, 120)}?${query}`.slice(0, 240);
    const sent = request(
      {
        hostname,
        port,
        path: `${path}?${query}`,
        method: wrongMethod,
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
          ...odd,
        },
        timeout: 60_000,
      },
      (response) => {
        let text = '';
        response.on('data', (data) => {
          text += data;
        });
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          if (status >= 500 || status < 200) resolve(`${status} ${shown}: ${text.slice(0, 200)}`);
          else if (
            status >= 400 &&
            wrongMethod !== 'HEAD' &&
            !text.startsWith('{"type":"urn:backstory:problem:')
          )
            resolve(`no problem details, ${status} ${shown}: ${text.slice(0, 100)}`);
          else resolve(undefined);
        });
        response.on('error', (error) => resolve(`${error.message} ${shown}`));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer in a minute')));
    sent.on('error', (error) => resolve(`${error.message} ${shown}`));
    sent.end(body);
  });
}

function bodyOf({ names }: Operation, number: number, random: Random): string {
  return random.pick<() => string>([
    () => badText(number, random).toWellFormed(),
    () => JSON.stringify(badValue(number, random)),
    () => JSON.stringify(Object.fromEntries(names.map((name) => [name, badValue(number, random)]))),
    () =>
      JSON.stringify(Object.fromEntries(names.map((name) => [name, badValue(number, random)]))).slice(0, 40),
  ])();
}

/** Sends bytes that are not HTTP. The server may respond or disconnect, but must serve the next request. */
function sendGarbage(url: string, number: number, random: Random): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const lines = [
    badText(number, random),
    `GET ${badText(number, random)} HTTP/1.1\r\nHost: ${badText(number, random).slice(0, 100)}\r\n\r\n`,
    'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    `POST /api/v1/notes HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: -5\r\n\r\n`,
    `POST /api/v1/notes HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET /api/v1/live HTTP/1.1\r\nHost: localhost:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    `GET /health HTTP/9.9\r\n\r\n`,
    `${'A'.repeat(70_000)}\r\n\r\n`,
  ];
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.end(random.pick(lines)));
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', () => {});
    socket.on('close', () =>
      resolve(/^HTTP\/1\.1 5/.test(text) ? `garbage: ${text.slice(0, 100)}` : undefined),
    );
  });
}
