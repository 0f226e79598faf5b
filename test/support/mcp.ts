import { join } from 'node:path';
import * as harness from '../harness/mcp-client.ts';
import type { Sandbox } from './sandbox.ts';

export type { McpServerUnderTest, ToolResult } from '../harness/mcp-client.ts';

/** Starts the installed server on stdio until the test ends. */
export const startMcp = (
  { repo, env }: Sandbox,
  installedPackage: string,
  tools = 'all',
  clientName = 'test',
): Promise<harness.McpServerUnderTest> =>
  harness.openMcp([join(installedPackage, 'dist/mcp.js'), '--tools', tools], { cwd: repo, env }, clientName);

/** The same, with calls that return envelopes. */
export const serveTools = (
  { repo, env }: Sandbox,
  installedPackage: string,
  ...args: string[]
): Promise<harness.McpClient> =>
  harness.startMcp([join(installedPackage, 'dist/mcp.js'), ...args], { cwd: repo, env });
