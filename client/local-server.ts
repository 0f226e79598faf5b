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
  getBuiltinModule(name: 'node:fs'): { readFileSync(path: string, encoding: 'utf8'): string };
  getBuiltinModule(name: 'node:os'): { homedir(): string };
  getBuiltinModule(name: 'node:url'): { fileURLToPath(url: string): string };
  getBuiltinModule(name: 'node:child_process'): {
    spawn(
      program: string,
      args: string[],
      options: object,
    ): { unref(): void; on(event: string, then: () => void): void };
  };
}

interface Found {
  url: string;
  token: string;
}

const startTimeoutMs = 10_000;
const pollMs = 50;

/**
 * A connection to `backstory serve` of this user. The server ends after a time without requests; then it is looked for,
 * or started, again.
 */
export async function localConnection(options: ConnectOptions): Promise<Connection> {
  let server = await findOrStart(options);
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${server.token}` },
    });
  return {
    url: '',
    fetch: async (path, init) => {
      try {
        return await ask(path, init);
      } catch (error) {
        // If nothing listens on the port, the server has not received the request.
        if (!isRefused(error)) throw error;
        server = await findOrStart(options);
        return ask(path, init);
      }
    },
  };
}

const isRefused = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

async function findOrStart({ home, start = true }: ConnectOptions): Promise<Found> {
  const node = (globalThis as { process?: Node }).process;
  if (node?.getBuiltinModule === undefined)
    throw new Error('connect() needs Node. In a browser, pass the address to serveClient().');
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

/** The server of serve.json, if its process is there. A killed server leaves the file behind. */
function find(node: Node, folder: string): Found | undefined {
  const { readFileSync } = node.getBuiltinModule('node:fs');
  try {
    const { pid, url } = JSON.parse(readFileSync(`${folder}/serve.json`, 'utf8')) as {
      pid: number;
      url: string;
    };
    node.kill(pid, 0);
    const token = readFileSync(`${folder}/serve.token`, 'utf8').trim();
    // The token goes to no other machine, whatever the file says.
    return /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(url) ? { url, token } : undefined;
  } catch {
    return undefined;
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
