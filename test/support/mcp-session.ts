import { join } from 'node:path';
import { type McpClient, startMcp } from '../harness/mcp-client.ts';
import type { Sandbox } from './sandbox.ts';

/** The installed server as an agent talks to it, for as long as a test needs it. */
export const serveTools = (
  sandbox: Sandbox,
  installedPackage: string,
  ...args: string[]
): Promise<McpClient> =>
  startMcp([join(installedPackage, 'dist', 'mcp.js'), ...args], { cwd: sandbox.repo, env: sandbox.env });
