import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { openMcp, type ToolResult as Result } from '../harness/mcp-client.ts';
import type { Sandbox } from './sandbox.ts';

export interface ToolResult extends Result {
  structuredContent?: Record<string, unknown> & {
    results?: { path: string; matches?: { line: number; column: number; preview: string }[] }[];
  };
}

/** Calls tools one after another in one installed server and returns their results. */
export async function callToolsIn<Given extends Result = ToolResult>(
  sandbox: Sandbox,
  calls: [string, object][],
  env: Record<string, string> = {},
  folder = sandbox.repo,
): Promise<Given[]> {
  const program = join(inject('installedPackage'), 'dist/main.js');
  const server = await openMcp([program, 'mcp', 'serve', '--repo', folder, '--tools', 'all'], {
    cwd: sandbox.home,
    env: { ...sandbox.env, ...env },
  });
  const results: Given[] = [];
  for (const [name, given] of calls) results.push((await server.call(name, given)) as Given);
  expect(await server.stop()).toBe(0);
  return results;
}
