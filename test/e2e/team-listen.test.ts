import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, inject, it } from 'vitest';
import { describePostgres } from '../contract/postgres-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import { hangMs } from '../support/until.ts';

const installedPackage = inject('installedPackage');

describePostgres('A team server that cannot listen', (fresh) => {
  const sandbox = createSandbox(installedPackage);
  afterAll(() => sandbox.remove());

  const serve = (...words: string[]) =>
    new Promise<{ code: number | null; said: string }>((resolve) => {
      const child = spawn(
        process.execPath,
        [join(installedPackage, 'dist/main.js'), 'team', 'serve', ...words],
        { env: { ...sandbox.env, BACKSTORY_DATABASE_URL: fresh.url }, timeout: hangMs },
      );
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          said += data;
        });
      child.on('close', (code) => resolve({ code, said }));
    });

  it('[team-serve-listen] says why and exits if the port is taken or the address is not local', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as { port: number };
    try {
      expect(await serve('--port', String(port))).toEqual({
        code: 1,
        said: expect.stringContaining(`Cannot listen on 127.0.0.1:${port}: another program uses this port.`),
      });
    } finally {
      other.close();
    }
    const elsewhere = await serve('--host', '203.0.113.1', '--port', '0');
    expect(elsewhere).toEqual({
      code: 1,
      said: expect.stringContaining('this machine does not have this address'),
    });
    const wrong = await serve('--trusted-proxy', 'proxy.example');
    expect([wrong.code, wrong.said]).toEqual([2, expect.stringContaining('--trusted-proxy')]);
  });
});
