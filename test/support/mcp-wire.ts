import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Sandbox } from './sandbox.ts';
import { until } from './until.ts';

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
  createInterface(child.stdout).on('line', (line) => received.push(JSON.parse(line) as WireMessage));
  const untilReceived: McpWire['until'] = async (fits) => {
    await until(
      () => received.some(fits),
      () => `a message fits ${fits}`,
    );
    return received.find(fits) as WireMessage;
  };
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await untilReceived(({ id }) => id === 0);
  send({ method: 'notifications/initialized' });
  return {
    send,
    received,
    until: untilReceived,
    child,
    stop: () => {
      const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
      child.stdin.end();
      return ended;
    },
  };
}
