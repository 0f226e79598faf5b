import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onEnd } from './cleanup.ts';

export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface McpServerUnderTest {
  pid: number;
  call(name: string, given: object, meta?: object): Promise<ToolResult>;
  tools(): Promise<{ name: string; description: string; inputSchema: object }[]>;
  /** Closes its stdin and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts an MCP server on stdio and talks to it as an agent does, one request at a time. */
export async function openMcp(
  args: string[],
  options: { cwd: string; env: Record<string, string> },
  clientName = 'test',
): Promise<McpServerUnderTest> {
  const child = spawn(process.execPath, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  onEnd(() => child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  const ask = async <T>(method: string, params: object): Promise<T> => {
    send({ id: ++id, method, params });
    const { value } = await lines.next();
    return (JSON.parse(value as string) as { result: T }).result;
  };
  const clientInfo = { name: clientName, version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    pid: child.pid as number,
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

export interface McpClient {
  pid: number;
  /** Calls a tool and returns the envelope of its result. */
  call(tool: string, given: object): Promise<Record<string, unknown>>;
  close(): Promise<number | null>;
}

export async function startMcp(...given: Parameters<typeof openMcp>): Promise<McpClient> {
  const server = await openMcp(...given);
  return {
    pid: server.pid,
    async call(tool, args) {
      const { structuredContent, content, isError } = await server.call(tool, args);
      if (isError === true || structuredContent === undefined)
        throw new Error(content[0]?.text ?? 'no answer');
      return structuredContent;
    },
    close: server.stop,
  };
}
