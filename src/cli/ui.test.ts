import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { ensureToken, serveFiles, writeServeState } from '../base/serve-files.ts';
import { takeSignInCode } from '../base/sign-in-codes.ts';
import { runningServer } from '../cmd/running-server.ts';
import type { Caller } from '../domain/caller.ts';
import { tryWriterLock, type WriterLock } from '../store/sqlite/writer-lock.ts';
import type { App } from './command.ts';
import { uiCommand } from './ui.ts';

const plain = (text: string): string => text;
const version = '1.0.0';

let memory: MemoryHome;
/** Another program that listens on the port of a killed server. */
let impostor: Server;
let port: number;
let requests: string[];
let opened: string[];
let locks: WriterLock[];

beforeEach(async () => {
  memory = createMemoryHome();
  [requests, opened, locks] = [[], [], []];
  impostor = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.setHeader('content-type', 'application/json');
    response.end('{"url":"https://evil.example/phish"}');
  });
  await new Promise<void>((listening) => impostor.listen(0, '127.0.0.1', listening));
  ({ port } = impostor.address() as AddressInfo);
  ensureToken(memory.paths.home, false);
});
afterEach(async () => {
  for (const lock of locks) lock.release();
  await new Promise((closed) => impostor.close(closed));
  memory.remove();
});

const home = (): string => memory.paths.home;
const stateOn = (own: number, more: object = {}) =>
  writeServeState(home(), {
    v: 1,
    pid: process.pid,
    url: `http://127.0.0.1:${own}`,
    socket: '',
    version,
    ...more,
  });
const holdLock = (): void => {
  const lock = tryWriterLock(serveFiles(home()).lock);
  if (lock === undefined) throw new Error('the lock is taken');
  locks.push(lock);
};

/** `serve` runs when the command starts a server. */
const appOf = (caller: Caller, serve: () => void): App => {
  // It stands still: the command waits until the server has started or ended, however long that takes.
  const now = memory.clock.now();
  return {
    ...memory,
    clock: { now: () => now },
    version,
    programs: { node: 'node', serve: 'serve.js' },
    style: { dim: plain },
    caller: () => caller,
    runningServer: () => runningServer(home()),
    place: () => ({ project: 'p' }),
    startDetached: (program: string, [first = '']: string[]) => {
      if (program === 'node') serve();
      else opened.push(first);
    },
  } as unknown as App;
};

const open = async (caller: Caller, serve: () => void = () => {}) =>
  (await uiCommand.run(appOf(caller, serve), { positionals: [], values: {} })).value as {
    url: string;
    mayApprove: boolean;
  };
const person: Caller = { kind: 'person' };
const ownPort = 40_001;

describe('backstory ui', () => {
  it('[ui-own-server] sends nothing to a program that took the port of a killed server, and starts its own', async () => {
    stateOn(port);
    const { url } = await open(person, () => {
      expect(existsSync(serveFiles(home()).state)).toBe(false);
      // In production another process holds the lock. SQLite refuses a second connection of this process, too.
      holdLock();
      stateOn(ownPort);
    });
    expect(requests).toEqual([]);
    expect(opened).toEqual([url]);
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${ownPort}/login\\?code=[0-9a-f]{64}$`));
  });

  it.each([
    'http://evil.example:80',
    'https://127.0.0.1:1',
    'http://127.0.0.1:1@evil.example',
    'http://127.0.0.1:1/x',
    'http://[::1]:1',
  ])('[ui-own-server] does not open %s, whatever the state file says', async (url) => {
    holdLock();
    stateOn(port, { url });
    const opening = await open(person, () => stateOn(ownPort));
    expect(opening.url).toContain(`http://127.0.0.1:${ownPort}/login?`);
  });

  it('[ui-own-server] stops a server of another version, sends nothing to its port, and starts its own', async () => {
    holdLock();
    const old = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
    const ended = new Promise((resolve) => old.once('exit', (_code, signal) => resolve(signal)));
    stateOn(port, { version: '0.9.0', pid: old.pid });
    const { url } = await open(person, () => stateOn(ownPort));
    expect(await ended).toBe(process.platform === 'win32' ? null : 'SIGTERM');
    expect(url).toContain(`http://127.0.0.1:${ownPort}/login?`);
    expect(requests).toEqual([]);
  });

  it('leaves a server of another version on a socket to its user', async () => {
    holdLock();
    stateOn(port, { version: '0.9.0', url: '', socket: '/tmp/backstory.sock' });
    await expect(open(person)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('[person-only] signs in a person only if a person ran it', async () => {
    holdLock();
    stateOn(ownPort);
    const take = ({ url }: { url: string }) =>
      takeSignInCode(home(), url.split('code=')[1] ?? '', { port: ownPort, now: memory.clock.now() });
    expect(take(await open(person))).toEqual({ isPerson: true });
    for (const caller of [
      { kind: 'agent', agent: 'codex' },
      { kind: 'unproven', reason: 'no terminal' },
    ] as const) {
      const link = await open(caller);
      expect([link.mayApprove, take(link)]).toEqual([false, { isPerson: false }]);
    }
  });

  it('does not take a live process with the same pid for its server', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
    try {
      stateOn(port, { pid: other.pid });
      expect(runningServer(home())).toBeUndefined();
      expect(existsSync(serveFiles(home()).state)).toBe(false);
    } finally {
      other.kill();
    }
  });
});
