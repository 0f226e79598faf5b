import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { addPerson } from '../../harness/team/database.ts';
import { serveTeam } from '../../harness/team/serve.ts';
import { type Answer, askOnce } from './ask.ts';
import { type Client, recovery, write } from './crowd.ts';
import { createClient, type Stage } from './scene.ts';
import { judge, type Verdict } from './verdict.ts';

export interface OverloadOutcome {
  /** Successful responses per second at the server's concurrency limit. */
  carriedPerSecond: number;
  /** Requests at once, as a multiple of what the server works on and lets wait. */
  askedTimes: number;
  /** Number of responses that asked to come back later. */
  refused: number;
  said: Map<number, number>;
  odd: number;
  withoutRetryAfter: number;
  verdict: Verdict;
  restingBytes: number;
  mostBytes: number;
  recoveredMs: number;
  /** Number of requests, sent one after another after the overload, that got no response. */
  unansweredAfter: number;
  /** Number of requests that the server still works on while clients that do not read their responses are connected. */
  runningAfter: number;
}

const connections = 8;
const factor = 5;
const bigBodies = 24;
const textsInBig = 20;
const longText = 'The queue was mended again. '.repeat(6_500);
const deaf = 30;
const hogEvery = 3;
/** Requests that the server lets wait for each connection; see `cmd/team-serve.ts`. */
const queuedPerConnection = 10;

/**
 * Overloads the server: at any time five times as many requests as it works on and lets wait, one token above its rate limit, many bodies of
 * megabytes at once, and clients that request much and read little or nothing.
 */
export async function overload(stage: Stage): Promise<OverloadOutcome> {
  const { team, org, installed, isShort } = stage;
  const client = await createClient(stage, 'overload');
  const big = await team.operation.createProject(org, 'overload by long texts');
  const server = await serveTeam(
    installed,
    stage.directUrl,
    '--connections',
    `${connections}`,
    '--rate',
    '300',
  );
  const people = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      addPerson(team.operation, org, `asker ${at}`, { [client.project]: 'member', [big]: 'member' }),
    ),
  );
  const clients = people.map(({ token }): Client => ({ url: server.url, project: client.project, token }));
  const hog = clients[0] as Client;
  const agent = new Agent({ keepAlive: true });
  const acknowledged = new Set<string>();
  const statusCounts = new Map<number, number>();
  let withoutRetryAfter = 0;
  let number = 0;
  const askSomething = async (by: Client): Promise<Answer> => {
    number += 1;
    const sourceRef = `overload-${number}`;
    if (number % 4 !== 0)
      return askOnce({
        url: by.url,
        token: by.token,
        agent,
        path: `/api/projects/${by.project}/memory/search?q=mended+queue+${number}`,
      });
    const answer = await write(by, sourceRef);
    if (answer.status === 200) acknowledged.add(sourceRef);
    return answer;
  };
  const record = ({ status, retryAfter }: Answer): void => {
    statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
    if ((status === 429 || status === 503) && retryAfter === undefined) withoutRetryAfter += 1;
  };
  const memory = watchMemory(server.pid);
  const unread: Socket[] = [];
  try {
    // The first requests load the model.
    await carried(clients.slice(0, connections), askSomething, 1);
    const carriedPerSecond = await carried(clients.slice(0, connections), askSomething, isShort ? 2 : 5);
    const restingBytes = memory.now();
    unread.push(
      ...Array.from({ length: deaf }, (_, at) => neverRead(clients[at % clients.length] as Client, at)),
    );
    const uploads: Promise<void>[] = Array.from({ length: bigBodies }, (_, at) =>
      bringMuch({ ...(clients[at % clients.length] as Client), project: big }, at).then(record),
    );
    const atOnce = factor * connections * (1 + queuedPerConnection);
    let sent = 0;
    const ask = async (): Promise<void> => {
      while (sent < atOnce * (isShort ? 4 : 15)) {
        const by = sent % hogEvery === 0 ? hog : (clients[sent % clients.length] as Client);
        sent += 1;
        record(await askSomething(by));
      }
    };
    await Promise.all([...uploads, ...Array.from({ length: atOnce }, ask)]);
    const recoveredMs = await recovery({ ...client, url: server.url });
    let unansweredAfter = 0;
    for (let time = 0; time < 50; time++) {
      const { status } = await askSomething(clients[1 + (time % 11)] as Client);
      unansweredAfter += status === 200 ? 0 : 1;
    }
    const { text } = await askOnce({ url: server.url, path: '/metrics' });
    const runningAfter = Number(/^backstory_requests_running (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
    const mostBytes = memory.end();
    return {
      carriedPerSecond,
      askedTimes: atOnce / (connections * (1 + queuedPerConnection)),
      refused: (statusCounts.get(429) ?? 0) + (statusCounts.get(503) ?? 0),
      said: statusCounts,
      odd: [...statusCounts].reduce(
        (sum, [status, count]) => sum + ([200, 201, 429, 503].includes(status) ? 0 : count),
        0,
      ),
      withoutRetryAfter,
      verdict: await judge(team, client.project, acknowledged),
      restingBytes,
      mostBytes,
      recoveredMs,
      unansweredAfter,
      runningAfter,
    };
  } finally {
    memory.end();
    for (const socket of unread) socket.destroy();
    agent.destroy();
    await server.close();
  }
}

/** Responses per second when exactly as many clients as the concurrency limit send requests back to back. */
async function carried(
  clients: Client[],
  ask: (by: Client) => Promise<Answer>,
  seconds: number,
): Promise<number> {
  let answers = 0;
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) answers += (await ask(client)).status === 200 ? 1 : 0;
    }),
  );
  return answers / seconds;
}

/** Uploads a body of nearly four megabytes. */
const bringMuch = ({ url, project, token }: Client, at: number): Promise<Answer> =>
  askOnce({
    url,
    token,
    path: `/api/projects/${project}/memory/batch`,
    body: {
      memories: Array.from({ length: textsInBig }, (_, text) => ({
        source: 'job',
        sourceRef: `big-${at}-${text}`,
        text: `${at} ${text} ${longText}`,
      })),
    },
  });

/** Sends requests over one connection; half of the clients read nothing, the others a little. */
function neverRead({ url, project, token }: Client, at: number): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.pause();
  const question = [
    `GET /api/projects/${project}/memory?limit=200 HTTP/1.1`,
    'host: team.test',
    `authorization: Bearer ${token}`,
    '\r\n',
  ].join('\r\n');
  socket.write(question.repeat(20));
  if (at % 2 === 0) {
    const reading = setInterval(() => socket.read(512), 100);
    socket.once('close', () => clearInterval(reading));
  }
  return socket;
}

function watchMemory(pid: number): { now(): number; end(): number } {
  const now = (): number => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  };
  let most = 0;
  const watching = setInterval(() => {
    try {
      most = Math.max(most, now());
    } catch {
      clearInterval(watching);
    }
  }, 50);
  return {
    now,
    end() {
      clearInterval(watching);
      return most;
    },
  };
}
