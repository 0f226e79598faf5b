import { type Agent, request } from 'node:http';
import { agentFolders } from '../../src/agents/settings.ts';
import { AppError } from '../../src/base/errors.ts';
import { makeSignInCode } from '../../src/base/sign-in-codes.ts';
import type { Place } from '../../src/domain/project.ts';
import { type IdleWatch, watchIdle } from '../../src/http/idle-shutdown.ts';
import type { HttpParts } from '../../src/http/parts.ts';
import { startServer } from '../../src/http/server.ts';
import { activationOf } from '../../src/memory/projects/activation.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { checkAnswer } from './check-answer.ts';
import { createMemoryHome, type MemoryHome } from './memory-home.ts';
import { git } from './sandbox.ts';

export interface HttpHome extends MemoryHome {
  server: Awaited<ReturnType<typeof startServer>>;
  idle: IdleWatch;
  token: string;
  /** Sends a request with the API token. */
  ask(path: string, options?: Asking): Promise<Answered>;
  /** Sends a request as the viewer, signed in by a person at a terminal. */
  askAsPerson(path: string, options?: Asking): Promise<Answered>;
  /** Returns the cookie of a browser that followed a link of `backstory ui`. */
  signIn(isPerson: boolean): Promise<string>;
  close(): Promise<void>;
}

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Reuses connections; without it each request opens its own. */
  agent?: Agent | false;
}

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Runs the real server in this process with its own home. Nothing is replaced. */
export async function createHttpHome(
  options: { viewer?: string; socket?: string; inGit?: boolean; isStartedHere?: boolean } = {},
): Promise<HttpHome> {
  const home = createMemoryHome();
  const token = 'f'.repeat(64);
  if (options.inGit === true) git(home.work, 'init', '-q', '-b', 'main', '.');
  const parts = home.open();
  const place = (root: string): Place => resolvePlace(home.paths, root, home.clock).place;
  const http: HttpParts = {
    version: '0.0.0',
    clock: home.clock,
    paths: home.paths,
    userHome: home.home,
    agentFolders: agentFolders({}, home.home),
    startedIn: parts.project,
    startedAt: options.isStartedHere === true ? home.work : '',
    open: () => parts,
    place,
    activation: (at) => activationOf(home.paths, { ...at, cwd: at.root, userHome: home.home }, home.clock),
    context: (at) => ({
      device: 'device',
      actor: 'tester',
      agent: 'backstory',
      agentVersion: '0',
      agentSession: '',
      clientPid: 0,
      project: at.project,
      checkout: at.checkout,
      branch: at.branch,
      head: at.head,
    }),
    code: () =>
      Promise.reject(new AppError('REPO_NOT_DETECTED', 'no code search in this test', { hint: '' })),
    checkedCode: (root) => ({ root, key: '', symbols: async () => undefined }),
    startDrain: () => {},
    mcp: async () => new Response('{}'),
    end: () => {},
  };
  const idle = watchIdle(home.clock, 60_000);
  const server = await startServer({
    parts: http,
    token,
    port: 0,
    socket: options.socket,
    viewer: options.viewer ?? home.home,
    idle,
    onAnswer: checkAnswer,
  });
  const authorization = `Bearer ${token}`;
  const signIn = async (isPerson: boolean): Promise<string> => {
    const port = Number(new URL(server.url).port);
    const code = makeSignInCode(home.paths.home, { port, isPerson, now: home.clock.now() });
    const { headers } = await askHttp(server.url, `/login?code=${code}`, {});
    return String(headers['set-cookie']).split(';')[0] as string;
  };
  return {
    ...home,
    server,
    idle,
    token,
    ask: (path, asking = {}) =>
      askHttp(server.url, path, { ...asking, headers: { authorization, ...asking.headers } }),
    askAsPerson: async (path, asking = {}) => {
      const headers = { cookie: await signIn(true), origin: server.url, ...asking.headers };
      return askHttp(server.url, path, { ...asking, headers });
    },
    signIn,
    close: async () => {
      await server.close();
      home.remove();
    },
  };
}

/** Sends exactly these headers; `fetch` does not allow a test to set Host. */
export function askHttp(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body, agent = false }: Asking,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path, method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
