import { join } from 'node:path';
import { type McpClient, startMcp } from '../harness/mcp-client.ts';
import type { Sandbox } from './sandbox.ts';

/** Starts the installed server and talks to it as an agent does, until the test ends. */
export const serveTools = (
  sandbox: Sandbox,
  installedPackage: string,
  ...args: string[]
): Promise<McpClient> =>
  startMcp([join(installedPackage, 'dist', 'mcp.js'), ...args], { cwd: sandbox.repo, env: sandbox.env });
