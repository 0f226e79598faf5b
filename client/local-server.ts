import type { Connection } from './request.ts';

export interface ConnectOptions {
  /** The folder of Backstory's files; `BACKSTORY_HOME` or `~/.backstory` by default. */
  home?: string | undefined;
  /** Whether to start `backstory serve` in the current folder if it is not running. True by default. */
  start?: boolean | undefined;
}

/** The parts of Node that are used. They are reached without an import, so that a browser can load this module. */
interface Node {
  env: Record<string, string | undefined>;
  execPath: string;
  kill(pid: number, signal: 0): boolean;
  getBuiltinModule(name: 'node:fs'): {
    existsSync(path: string): boolean;
    readFileSync(path: string, encoding: 'utf8'): string;
    rmSync(path: string, options: { force: true }): void;
  };
  getBuiltinModule(name: 'node:os'): { homedir(): string };
  getBuiltinModule(name: 'node:url'): { fileURLToPath(url: string): string };
  getBuiltinModule(name: 'node:child_process'): {
    spawn(
      program: string,
      args: string[],
      options: object,
    ): { unref(): void; on(event: string, then: () => void): void };
  };
  getBuiltinModule(name: 'node:http'): {
    Agent: new (options: { keepAlive: true }) => object;
    request(url: string, options: object, then: (response: NodeResponse) => void): NodeRequest;
  };
  getBuiltinModule(name: 'node:sqlite'): {
    DatabaseSync: new (
      path: string,
      options: { timeout: number },
    ) => { exec(sql: string): void; close(): void };
  };
}

interface NodeRequest {
  on(event: 'error', then: (error: Error) => void): void;
  end(body?: string): void;
}

interface NodeResponse extends AsyncIterable<Uint8Array> {
  statusCode: number;
  headers: Record<string, string>;
  destroy(): void;
}

interface Found {
  url: string;
  token: string;
}

const startTimeoutMs = 10_000;
const pollMs = 50;

/**
 * A connection to `backstory serve` of this user. The server ends after a time without requests; then it is looked for,
 * or started, again. The lock is checked before every request: after a server has ended, another program, even of
 * another user, may listen on its port, and the request carries the token and the question.
 */
export async function localConnection(options: ConnectOptions): Promise<Connection> {
  const node = thisNode();
  // An agent of its own uses no proxy. `fetch` and the global agent send even loopback requests to the one of
  // HTTP_PROXY if NODE_USE_ENV_PROXY is set.
  const agent = new (node.getBuiltinModule('node:http').Agent)({ keepAlive: true });
  const ask = async (path: string, init: RequestInit): Promise<Response> =>
    sendTo(node, agent, await findOrStart(node, options), path, init);
  await findOrStart(node, options);
  return {
    url: '',
    fetch: (path, init) =>
      ask(path, init).catch((error: unknown) => {
        // If nothing listens on the port, the server has not received the request.
        if (!isRefused(error)) throw error;
        return ask(path, init);
      }),
  };
}

/** `fetch`, as far as this client uses it: without a proxy and without redirects. */
function sendTo(
  node: Node,
  agent: object,
  { url, token }: Found,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const { method, signal, body } = init;
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
  const options = { method, headers, agent, ...(signal ? { signal } : {}) };
  return new Promise((resolve, reject) => {
    const request = node.getBuiltinModule('node:http').request(`${url}${path}`, options, (response) => {
      const { statusCode: status, headers } = response;
      resolve(new Response(bodyOf(response), { status, headers }));
    });
    request.on('error', (cause) =>
      reject(cause.name === 'AbortError' ? cause : new TypeError('fetch failed', { cause })),
    );
    request.end(body as string | undefined);
  });
}

function bodyOf(response: NodeResponse): ReadableStream<Uint8Array> {
  const chunks = response[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => response.destroy(),
  });
}

const isRefused = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

function thisNode(): Node {
  const node = (globalThis as { process?: Node }).process;
  if (node?.getBuiltinModule !== undefined) return node;
  throw new Error('connect() needs Node. In a browser, pass the address to serveClient().');
}

async function findOrStart(node: Node, { home, start = true }: ConnectOptions): Promise<Found> {
  const folder =
    home ?? (node.env.BACKSTORY_HOME || `${node.getBuiltinModule('node:os').homedir()}/.backstory`);
  const running = find(node, folder);
  if (running !== undefined) return running;
  if (!start) throw new Error('Backstory is not running. Start it: backstory serve');
  startServe(node, folder);
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const started = find(node, folder);
    if (started !== undefined) return started;
  }
  throw new Error('Backstory did not start. To see why, run: backstory serve');
}

/**
 * The server of serve.json, if it runs. A killed server leaves the file behind, and its pid and port may have been
 * reused; but only a running server holds `serve.lock`, as `runningServer` of the command line checks it.
 */
function find(node: Node, folder: string): Found | undefined {
  const { readFileSync, rmSync } = node.getBuiltinModule('node:fs');
  const state = `${folder}/serve.json`;
  try {
    const { pid } = JSON.parse(readFileSync(state, 'utf8')) as { pid: number };
    node.kill(pid, 0);
    if (!isLocked(node, `${folder}/serve.lock`)) {
      rmSync(state, { force: true });
      return undefined;
    }
    const { url } = JSON.parse(readFileSync(state, 'utf8')) as { url: string };
    const token = readFileSync(`${folder}/serve.token`, 'utf8').trim();
    // The token goes to no other machine, whatever the file says.
    return /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(url) ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}

const sqliteBusy = 5;

/** Whether a process holds the lock: SQLite's lock on an empty database, which the kernel releases when its holder dies. */
function isLocked(node: Node, path: string): boolean {
  if (!node.getBuiltinModule('node:fs').existsSync(path)) return false;
  const database = new (node.getBuiltinModule('node:sqlite').DatabaseSync)(path, { timeout: 0 });
  try {
    database.exec('begin exclusive');
    return false;
  } catch (error) {
    return (error as { errcode?: number }).errcode === sqliteBusy;
  } finally {
    database.close();
  }
}

function startServe(node: Node, folder: string): void {
  const own = node.getBuiltinModule('node:url').fileURLToPath(import.meta.url);
  const program = own.replace(/[\\/]client[\\/][^\\/]+$/, '/serve.js');
  const env = { ...node.env, BACKSTORY_HOME: folder };
  const { spawn } = node.getBuiltinModule('node:child_process');
  const child = spawn(node.execPath, [program], { env, detached: true, stdio: 'ignore', windowsHide: true });
  child.on('error', () => {});
  child.unref();
}
