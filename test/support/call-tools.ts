import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, inject } from 'vitest';
import type { Sandbox } from './sandbox.ts';

export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown> & {
    results?: { path: string; matches?: { line: number; column: number; preview: string }[] }[];
  };
  isError?: boolean;
}

/** Calls tools one after another in one installed server and returns their results. */
export async function callToolsIn<Result extends ToolResult = ToolResult>(
  sandbox: Sandbox,
  calls: [string, object][],
  env: Record<string, string> = {},
  folder = sandbox.repo,
): Promise<Result[]> {
  const program = join(inject('installedPackage'), 'dist/main.js');
  const child = spawn(process.execPath, [program, 'mcp', 'serve', '--repo', folder, '--tools', 'all'], {
    cwd: sandbox.home,
    env: { ...sandbox.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method: string, params: object): Promise<Result> => {
    send({ id: 1, method, params });
    const { value } = await lines.next();
    return (JSON.parse(value as string) as { result: Result }).result;
  };
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  const results: Result[] = [];
  for (const [name, given] of calls) results.push(await ask('tools/call', { name, arguments: given }));
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.stdin.end();
  expect(await ended).toBe(0);
  return results;
}
