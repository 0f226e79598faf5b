import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Sandbox } from './sandbox.ts';
import { hangMs } from './until.ts';

export interface WireMessage {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** The installed server with all messages it sends, in order, for tests beyond one response per request. */
export interface McpWire {
  send(message: object): void;
  /** All messages received so far. */
  received: WireMessage[];
  /** Waits for a message that matches. */
  until(fits: (message: WireMessage) => boolean): Promise<WireMessage>;
  child: ChildProcessWithoutNullStreams;
  stop(): Promise<void>;
}

export async function openWire(sandbox: Sandbox, installedPackage: string, tools = 'all'): Promise<McpWire> {
  const program = join(installedPackage, 'dist/mcp.js');
  const child = spawn(process.execPath, [program, '--tools', tools], { cwd: sandbox.repo, env: sandbox.env });
  child.stderr.resume();
  const received: WireMessage[] = [];
  const waiting = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    received.push(JSON.parse(line) as WireMessage);
    for (const look of waiting) look();
  });
  const until: McpWire['until'] = (fits) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no such message came')), hangMs);
      const look = () => {
        const found = received.find(fits);
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await until(({ id }) => id === 0);
  send({ method: 'notifications/initialized' });
  return {
    send,
    received,
    until,
    child,
    stop: () => {
      const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
      child.stdin.end();
      return ended;
    },
  };
}
