import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Sandbox } from './sandbox.ts';

export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface McpServerUnderTest {
  /** Id of the process that would also start the agent's hooks. */
  clientPid: number;
  call(name: string, given: object, meta?: object): Promise<ToolResult>;
  tools(): Promise<{ name: string; description: string; inputSchema: object }[]>;
  stop(): Promise<number | null>;
}

/** Starts the installed server on stdio until the test ends. */
export async function startMcp(
  sandbox: Sandbox,
  installedPackage: string,
  tools = 'all',
  clientName = 'test',
): Promise<McpServerUnderTest> {
  const child = spawn(process.execPath, [join(installedPackage, 'dist/mcp.js'), '--tools', tools], {
    cwd: sandbox.repo,
    env: sandbox.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async <T>(method: string, params: object): Promise<T> => {
    send({ id: 1, method, params });
    const { value } = await lines.next();
    return (JSON.parse(value as string) as { result: T }).result;
  };
  const clientInfo = { name: clientName, version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    clientPid: process.pid,
    call: (name, given, meta) =>
      ask('tools/call', { name, arguments: given, ...(meta === undefined ? {} : { _meta: meta }) }),
    tools: async () => (await ask<{ tools: never[] }>('tools/list', {})).tools,
    stop: () => {
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      child.stdin.end();
      return ended;
    },
  };
}
