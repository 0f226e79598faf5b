import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { noSuite, runSuite, startTokenProxy } from '../support/conformance.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

describe.skipIf(noSuite !== undefined)(
  `the official conformance suite${noSuite === undefined ? '' : ` (skipped: ${noSuite})`}`,
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
      const response = await new Promise<string>((resolve) =>
        server.stdout?.once('data', (data) => resolve(String(data))),
      );
      const url = /http:\/\/[\d.:]+/.exec(response)?.[0] ?? '';
      const token = readFileSync(join(sandbox.home, '.backstory/serve.token'), 'utf8').trim();
      door = await startTokenProxy(url, token);
    });
    afterAll(() => {
      door.close();
      door.closeAllConnections();
      server.kill();
      sandbox.remove();
    });

    it.each(['2025-11-25', '2026-07-28'])(
      '[mcp-conformance] passes all applicable tests of revision %s',
      async (revision) => {
        const { code, output, passed } = await runSuite(door, '/mcp?tools=all', revision, sandbox.home);
        expect(code, output.slice(-6_000)).toBe(0);
        // Guards against passing because no test ran.
        expect(passed).toBeGreaterThan(30);
      },
    );
  },
);
