import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onEnd } from '../../test/harness/cleanup.ts';
import type { Home } from '../../test/harness/home.ts';

export interface RecallClient {
  /** The ids that `recall` returns, in order. */
  ask(query: string): Promise<string[]>;
  close(): Promise<void>;
}

/** The installed server on stdin and stdout, one request at a time, as an agent uses it. */
export async function startRecallClient(home: Home): Promise<RecallClient> {
  const child = spawn(process.execPath, [home.program('mcp.js'), '--tools', 'memory'], {
    cwd: home.repo,
    env: home.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onEnd(() => child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const call = async (method: string, params: object) => {
    send({ id: 1, method, params });
    const { value } = await lines.next();
    return (JSON.parse(value as string) as { result: { content?: { text: string }[]; isError?: boolean } })
      .result;
  };
  const clientInfo = { name: 'surfaces', version: '1' };
  await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    async ask(query) {
      const { content = [], isError } = await call('tools/call', {
        name: 'recall',
        arguments: { query, limit: 20 },
      });
      const text = content[0]?.text ?? '';
      if (isError === true) throw new Error(text);
      return [...text.matchAll(/^ *\[([0-9a-f-]+)\] /gm)].map((match) => match[1] as string);
    },
    close() {
      const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
      child.stdin.end();
      return ended;
    },
  };
}
