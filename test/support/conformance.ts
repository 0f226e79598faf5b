import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The official MCP conformance suite. */
const version = '0.2.0-alpha.12';
const suite = join(
  homedir(),
  '.cache/backstory-tools',
  `mcp-conformance-${version}`,
  'node_modules/@modelcontextprotocol/conformance/dist/index.js',
);
/** Why the suite cannot run here; undefined if it can. */
export const noSuite = existsSync(suite)
  ? undefined
  : `the suite ${version} is not installed; .ci/run installs it`;
if (noSuite !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(noSuite);

/**
 * A proxy that adds the token, which the suite does not send. It keeps the Host header unless it is the proxy's own.
 */
export function startTokenProxy(url: string, token: string): Promise<Server> {
  const { host, port } = new URL(url);
  const door = createServer((asked, answer) => {
    const own = ['localhost', '127.0.0.1'].map((name) => `${name}:${(door.address() as AddressInfo).port}`);
    const headers: Record<string, string | string[] | undefined> = {
      ...asked.headers,
      authorization: `Bearer ${token}`,
    };
    if (own.includes(asked.headers.host ?? '')) headers.host = host;
    if (own.some((name) => asked.headers.origin === `http://${name}`)) headers.origin = `http://${host}`;
    const onward = request(
      { host: '127.0.0.1', port, path: asked.url, method: asked.method, headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        given.pipe(answer);
      },
    );
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  return new Promise((resolve) => door.listen(0, '127.0.0.1', () => resolve(door)));
}

/** Runs the tests of one protocol version through the proxy. Tests that do not apply are listed in test/conformance. */
export function runSuite(
  door: Server,
  path: string,
  revision: string,
  cwd: string,
  alsoNot: string[] = [],
): Promise<{ code: number | null; output: string; passed: number }> {
  const url = `http://localhost:${(door.address() as AddressInfo).port}${path}`;
  const usual = readFileSync(join(process.cwd(), 'test/conformance', `${revision}.yml`), 'utf8');
  const baseline = join(cwd, `${revision}.yml`);
  writeFileSync(baseline, [usual.trimEnd(), ...alsoNot.map((name) => `  - ${name}`), ''].join('\n'));
  const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [suite, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data;
      });
    child.on('close', (code) =>
      resolve({ code, output, passed: Number(/Total: (\d+) passed/.exec(output)?.[1] ?? 0) }),
    );
  });
}
