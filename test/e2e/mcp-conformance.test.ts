import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

const version = '0.2.0-alpha.12';
const suite = join(
  homedir(),
  '.cache/backstory-tools',
  `mcp-conformance-${version}`,
  'node_modules/@modelcontextprotocol/conformance/dist/index.js',
);
const missing = existsSync(suite) ? undefined : `the suite ${version} is not installed; .ci/run installs it`;
if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

/** The suite brings no token, so it is added on the way; a name that is not this door's goes on as it came. */
function doorWithToken(url: string, token: string): Promise<Server> {
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

describe.skipIf(missing !== undefined)(
  `the official conformance suite${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 180_000 },
  () => {
    let sandbox: Sandbox;
    let server: ChildProcess;
    let door: Server;
    beforeAll(async () => {
      sandbox = createSandbox(inject('installedPackage'));
      expect(sandbox.cli('install', 'claude-code').status).toBe(0);
      expect(sandbox.cli('remember', 'The suite is run against this project.').status).toBe(0);
      const program = join(inject('installedPackage'), 'dist/main.js');
      server = spawn(process.execPath, [program, 'serve'], {
        cwd: sandbox.repo,
        env: sandbox.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said = await new Promise<string>((resolve) =>
        server.stdout?.once('data', (data) => resolve(String(data))),
      );
      const url = /http:\/\/[\d.:]+/.exec(said)?.[0] ?? '';
      const token = readFileSync(join(sandbox.home, '.backstory/serve.token'), 'utf8').trim();
      door = await doorWithToken(url, token);
    });
    afterAll(() => {
      door.close();
      door.closeAllConnections();
      server.kill();
      sandbox.remove();
    });

    it.each(['2025-11-25', '2026-07-28'])(
      '[mcp-conformance] passes all that applies of revision %s',
      async (revision) => {
        const url = `http://localhost:${(door.address() as AddressInfo).port}/mcp?tools=all`;
        const baseline = join(process.cwd(), 'test/conformance', `${revision}.yml`);
        const { code, output } = await run(
          ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline],
          sandbox.home,
        );
        expect(code, output.slice(-6_000)).toBe(0);
        // Not green because nothing was asked.
        expect(Number(/Total: (\d+) passed/.exec(output)?.[1] ?? 0)).toBeGreaterThan(30);
      },
    );
  },
);

function run(args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [suite, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        output += data;
      });
    child.on('close', (code) => resolve({ code, output }));
  });
}
