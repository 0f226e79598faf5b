import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onEnd } from './cleanup.ts';

export interface McpClient {
  pid: number;
  /** Calls a tool and returns the envelope of its result. */
  call(tool: string, given: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Starts the installed MCP server and talks to it as an agent does, one request at a time. */
export async function startMcp(
  args: string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<McpClient> {
  const child = spawn(process.execPath, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  onEnd(() => child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  const ask = async (method: string, params: object) => {
    send({ id: ++id, method, params });
    const { value } = await lines.next();
    return (
      JSON.parse(value as string) as {
        result: {
          structuredContent?: Record<string, unknown>;
          content: { text: string }[];
          isError?: boolean;
        };
      }
    ).result;
  };
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'eval', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    pid: child.pid as number,
    async call(tool, given) {
      const { structuredContent, content, isError } = await ask('tools/call', {
        name: tool,
        arguments: given,
      });
      if (isError === true || structuredContent === undefined)
        throw new Error(content[0]?.text ?? 'no answer');
      return structuredContent;
    },
    close() {
      const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
      child.stdin.end();
      return ended;
    },
  };
}
